// Package applytest holds the contract of apply.Applier as tests. Each way to
// act runs them on a world of its own, so that one that is added later is held
// to the same promises.
package applytest
