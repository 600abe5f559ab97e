// Package observetest tests an Observer against the contract of its port. An
// Observer runs it with a world in which there is something to see.
package observetest
