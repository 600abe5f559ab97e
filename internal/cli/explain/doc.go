// Package explain is the verb that shows what a spec means, before and beside
// any decision.
package explain
