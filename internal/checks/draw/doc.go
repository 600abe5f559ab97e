// Package draw is how tests draw what they try. Every property goes through
// Check, which draws the same each time: a test that fails fails for everyone,
// and again. What has never been drawn before is the business of `make soak`,
// which passes a seed of its own.
package draw
