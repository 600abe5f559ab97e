package sim

import "time"

// Score is what a run cost and what it failed to do. Served and Unserved add
// up to Demand exactly.
type Score struct {
	// Cores and Memory are what the pods requested, from their start to their
	// end: what is paid for, ready or not.
	Cores, Memory Work
	// Demand is the work that arrived. What the ready pods could not do was
	// dropped, and is Unserved; so is what still waits at the end.
	Demand, Served, Unserved Work
	// Starved is how long some work was dropped, LongestStarved the longest time
	// without a pause in it.
	Starved, LongestStarved time.Duration
	// Waited is the work that waited in the queue, summed over the nanoseconds
	// it did: divided by Served, it is how long the work waited on average.
	// LongestQueue is the most that waited at once.
	Waited, LongestQueue Work
	// Pending is how long some pod found no node.
	Pending time.Duration
	// Length is how long the run was.
	Length time.Duration
	// Decisions is how often the controller was asked, Changes how often it
	// changed the size, and PodStarts how many pods that started.
	Decisions, Changes, PodStarts int64
	// Restarts is how often a container was started again, OutOfMemory how many
	// of them because memory ran out.
	Restarts, OutOfMemory int64
}
