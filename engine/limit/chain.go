package limit

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Change is what the limits look at: where the workload is, what is
// desired, and what is remembered.
type Change struct {
	At time.Time
	// Current is the count there is, Desired the count before any limit.
	Current, Desired int32
	// Side is the direction of what is desired. Gates judge it, so that they are
	// shown even where another limit has already kept the count.
	Side  scale.Direction
	Rules *Rules
	// Bounds are those of this decision.
	Bounds *scale.Bounds
	Past   *Past
	Sides  Sides
	// Creeping is set for a change from inside the band: no delay applies.
	Creeping bool
	// ByTotals is set when the size was made from totals, which are stabilized
	// before they are looked up.
	ByTotals bool
	// Deltas are the changes of totals behind it.
	Deltas []Delta
	// Urgent is set when memory ran out.
	Urgent bool
	// Stuck is why more pods would not help.
	Stuck Stuck
	// Most is the largest count that quotas have room for, where Bounded is set.
	Most    int32
	Bounded bool
}

// Verdict is what a limit says. An empty reason means that it had nothing to
// say.
type Verdict struct {
	Reason scale.Reason
	// Count is the count the limit allows. A gate that is open says nothing of it.
	Count int32
	// Hold keeps the whole size as it is, not only the count.
	Hold bool
	// Wait is how long the limit will last, where time alone ends it.
	Wait time.Duration
}

// Count runs the limits of the replica count. The order is the specification.
func Count(c *Change) [6]Verdict {
	stable := Stabilize(c, c.Desired)           // it must be desired for a while before it counts
	paced := Velocity(c, stable.Count)          // how far one decision, or one period, may go
	whole := Step(c, paced.Count, stable.Count) // only whole multiples
	placed := Placed(c, whole.Count)            // no more pods while those there are come to nothing
	roomy := Roomy(c, placed.Count)             // no more pods than quotas have room for
	bounded := Bounds(c, roomy.Count)           // always within the bounds, in one step
	return [...]Verdict{stable, paced, whole, placed, roomy, bounded}
}

// Gate runs the limits that let a size pass whole or not at all.
func Gate(c *Change) [4]Verdict {
	return [...]Verdict{
		Delay(c),       // outside the band for a while first
		Forbidden(c),   // not too soon after the last change
		SmallChange(c), // not for next to nothing
		Updated(c),     // when the direction may change at all
	}
}

// UnderMode is the last word: outside mode Auto, or while paused, nothing is
// changed.
func UnderMode(r *Rules) scale.Reason {
	switch {
	case r.Paused:
		return scale.Paused
	case r.Mode == Off:
		return scale.ModeOff
	case r.Mode == Recommend:
		return scale.Recommend
	}
	return ""
}

// hold keeps a change back, unless memory ran out: then growing cannot wait. The
// count stays within bounds: nobody desires them, so no gate delays them.
func (c *Change) hold(reason scale.Reason, wait time.Duration) Verdict {
	if c.Urgent && c.Side == scale.Up {
		return Verdict{Reason: scale.OutOfMemory, Count: c.Desired}
	}
	return Verdict{Reason: reason, Count: c.Bounds.Clamp(c.Current), Hold: true, Wait: wait}
}

// verdict is the answer for a count, silent when nothing changes.
func verdict(want, count int32, reason scale.Reason) Verdict {
	if count == want {
		return Verdict{Count: count}
	}
	return Verdict{Reason: reason, Count: count}
}
