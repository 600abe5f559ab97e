// Package town is the feed of the demo: a small fleet of workloads that are made
// up, each with a policy that shows something else, in virtual time. A past of a
// week is there from the beginning, and from then on the clock goes as fast as one
// likes.
//
// Everything in it is a replay: the same engine decides, and chance is seeded, so
// that the town is the same each time.
package town
