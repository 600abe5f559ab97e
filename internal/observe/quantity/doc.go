// Package quantity turns the quantities of Kubernetes into amounts, exactly.
//
// It is the one place where that happens for everything that is observed. What
// does not fit an amount is an error, never a wrapped number: a usage of 1e30
// must not become a small or a negative one.
package quantity
