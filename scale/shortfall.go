package scale

import "time"

// Shortfall is what of a decision is not in force.
type Shortfall struct {
	// Missing pods do not exist, Pending ones have no node, Crashing ones wait after
	// a crash, and those that are not at their size have another one than was
	// decided, under way or not.
	Missing, Pending, Crashing, NotAtSize int32
	// MissingSince and SizeSince are since when without a break there are such
	// pods, as far as was looked.
	MissingSince, SizeSince time.Time
	// Gaps are what is neither in force nor under way, the worst first.
	Gaps []Gap
}

// GapKind is the kind of a gap.
type GapKind uint8

// The kinds. GapOther is none of pods, and GapBoost one of pods whose boost is over
// and still there.
const (
	GapMissing GapKind = iota
	GapPending
	GapSize
	GapOther
	GapBoost
)

// Gap is a part of a decision that is neither in force nor under way.
type Gap struct {
	Kind   GapKind
	Reason Reason
	// Count pods of so many are concerned. Pods are their names, none where they
	// do not exist.
	Count, Of int32
	Pods      []string
	// Who names what is concerned where that is no pod.
	Who string
	// Since is the moment it began; zero when nobody knows.
	Since time.Time
	Why   string
}

// GapReasons are those that a gap can have, the worst first. Only a person can do
// something about those before Waiting, and none of the others keeps a workload from
// scaling.
var GapReasons = []Reason{Quota, LimitRange, Unschedulable, Waiting, StartupBoost}
