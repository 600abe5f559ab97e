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
	// Late is the work that was done, but waited for too long.
	Late Work
	// Billed is what is paid for: what pods request or, where that is more, what
	// they use, and what is kept free for them.
	Billed Work
	// WaitMean, Wait50 and Wait99 are how long work waited at the pods on average,
	// and how long all but a half and a hundredth of it waited at most.
	WaitMean, Wait50, Wait99 time.Duration
	// Minutes is how many there were, and Violations in how many of them more
	// than 90 % of the capacity was asked for.
	Minutes, Violations int64
	// Slack is what was left of the limits (of the requests where there are none)
	// beyond the 95th percentile of what was used of them, in billionths: the
	// mean over the days.
	Slack int64
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
	// PodStops is how many pods that stopped, and PodResizes how often a pod was
	// asked to change its size.
	PodStops, PodResizes int64
	// Restarts is how often a container was started again, OutOfMemory how many
	// of them because memory ran out.
	Restarts, OutOfMemory int64
}
