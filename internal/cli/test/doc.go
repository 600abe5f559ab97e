// Package test is the verb that runs decision scripts.
package test
