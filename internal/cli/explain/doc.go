// Package explain is the verb that explains: the last decision about an object of
// a cluster, or what a spec means before and beside any decision.
package explain
