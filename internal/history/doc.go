// Package history is what Tidemark remembers of a workload for weeks.
//
//	Slots    how many replicas were ready at this time of the week, as in the
//	         Tortoise design: bounds for the same hour of later weeks
//	Usage    what each container used, in the VPA's own decaying histograms:
//	         what it should request
//	Growth   by how much usage grows while a new pod starts: the room to leave
//	         free for an accepted risk
//	StartUp  how long pods took to become ready
//	Peaks    how busy containers were under their present target utilization
//
// A History holds all of them. It is fed with Observe, asked with the methods of
// its parts, and kept with Encode and Decode. It is not part of a decision's
// memory: it lives in a checkpoint object of its own, and a decision sees only
// its summary for the moment.
//
// The package is pure: time is an argument, there is no clock, file, logger or
// randomness, and the same observations give the same bytes. Everything is
// bounded, whatever it is fed with. Counts are exact integers; floats exist in
// histogram.go alone, because the VPA's histograms speak them.
//
// What is known weighs more than what is recent only as long as it is
// believed: slots forget after a stated number of weeks, histograms and growth
// by half-lives. A checkpoint that cannot be read is never guessed at: it is
// refused, and the caller gathers again.
package history
