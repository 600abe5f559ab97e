package sim

import "time"

// Score is what a run cost and what it failed to do. Served and Unserved add
// up to Demand exactly.
type Score struct {
	// Cores and Memory are what the pods requested, from their start to their
	// end: what is paid for, ready or not.
	Cores, Memory Work
	// Demand is the work that arrived. What the ready pods could not do was
	// dropped, and is Unserved.
	Demand, Served, Unserved Work
	// Starved is how long some work was dropped.
	Starved time.Duration
	// Length is how long the run was.
	Length time.Duration
	// Decisions is how often the controller was asked, Changes how often it
	// changed the size, and PodStarts how many pods that started.
	Decisions, Changes, PodStarts int64
}
