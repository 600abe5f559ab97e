// Package snapshot is what all objects know of the sources of metrics: one
// answer to each question, shared by everyone of a namespace who asks.
//
// A question names its source, whose it is and, in the source's own words, what
// is asked, such as the usage of all pods of a namespace. Whoever asks says how
// old an answer may be. Only the first to find it too old causes a request. So a
// namespace with a thousand objects costs what a namespace with one object costs.
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
// # Nobody waits
//
// Requests are made by goroutines of the store's own: so many at once for each
// source, so many of them for one namespace, the namespaces in turn. The workers
// of the controller never wait for one. A Look takes what is there. Where an
// answer is under way it is left, and called again when the answer has come. That
// has an end after a moment: then the look goes on with the last answer, where
// that is not too old, and says how old it is; or with a gap. A caller without a
// Look waits.
//
// # When a source fails
//
// A failure is an answer too, and is kept as one. A question that failed is asked
// again after the age that was given, later after one and a half of it, with some
// jitter: less than a period, so that a source that is back is seen within two.
// Questions that had no answer at all last time have half of the places for
// requests at most, so that those which time out leave room for others. What
// fails is the question of one namespace: nobody else's question is kept back for
// it, and no text of it reaches anybody else. An answer from before the failure is
// not served again.
package snapshot
