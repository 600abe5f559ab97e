// Package limit holds a change back: it decides how far and how soon a
// workload may move toward it.
//
// A limit is a small function that allows a count, or keeps the size as it is,
// with a reason when that is not what was wanted. Count and Gate list them;
// their order is the specification. What a limit has to know of earlier
// decisions is in Past, a bounded value that round-trips through the object's
// status.
package limit
