// Package snapshot is what all objects know of the sources of metrics: one
// answer to each question, shared by everyone who asks.
//
// A question names its source and, in the source's own words, what is asked,
// such as the usage of all pods of a namespace. Whoever asks says how old an
// answer may be. Only the first to find it too old causes a request; everyone
// else who asks meanwhile waits for that one. So a namespace with a thousand
// objects costs what a namespace with one object costs.
//
// # How old an answer may be
//
// Callers ask for half of their period. Objects of one namespace look at it at
// different moments of the period. With a whole period, an object that always
// looks just before the refresh would always see the oldest answer, and one that
// looks a moment too early at its next turn would see the same answer twice.
// With half of it every look of an object sees an answer that its last look
// did not, and a question is asked at most twice a period.
//
// # When a source fails
//
// A failure is an answer too, and is kept as one. A question that failed is
// asked again after the age that was given, then after twice that and four times
// that, with some jitter, and no later than that: a metric that is back is seen
// within two periods. When a source gives no answer at all several times in a
// row, only one question at a time is let through to it until one succeeds. An
// outage thus lowers the number of requests. An answer from before the failure
// is not served again: a gap is a value that decisions know how to handle, and
// an old value without its age is not.
package snapshot
