// Package archtest holds the tests that keep the architecture: which package
// may import which and why, that pure packages stay pure, and that every
// package says what it is for.
package archtest
