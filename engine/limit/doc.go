// Package limit holds a wish back: it decides how far and how soon a
// workload may move towards it.
//
// A limit is a small function from a wanted size to an allowed one, with a
// reason when the two differ. Count and Gate list them; their order is the
// specification. What a limit has to know of earlier decisions is in Past, a
// bounded value that round-trips through the object's status.
package limit
