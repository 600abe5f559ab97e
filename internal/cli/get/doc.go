// Package get is the verb that lists the objects of a cluster in a table that a
// person can read.
package get
