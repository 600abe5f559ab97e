package limit

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Change is what the limits look at: where the workload is, what was wished
// for, and what is remembered.
type Change struct {
	At   time.Time
	From scale.Size
	// Wish is the size before any limit. Gates judge its direction, so that
	// they are shown even where another limit has already kept the count.
	Wish  scale.Size
	Rules *Rules
	Past  *Past
	// Side is the direction of the wish.
	Side scale.Direction
	// Creeping is set for a wish from inside the band: no delay applies.
	Creeping bool
	// ByTotals is set when the size was made from totals, which are stabilised
	// before they are looked up.
	ByTotals bool
	// Deltas are the changes of totals behind the wish.
	Deltas []Delta
	// Urgent is set when memory ran out.
	Urgent bool
}

// Verdict is what a limit allows of a wanted size, and why if that is less. An
// empty reason means that the limit had nothing to say.
type Verdict struct {
	Size   scale.Size
	Reason scale.Reason
	// Count is the count the limit allows, Wait how long it will do so.
	Count int32
	Wait  time.Duration
}

// Count runs the limits of the replica count, and appends a step for each that
// acted. The order is the specification.
func Count(c *Change, steps []scale.Step) (scale.Size, []scale.Step) {
	k := keeper{c.Wish, steps}
	k.keep(Stabilize(c, k.want)) // a wish must last before it counts
	k.keep(Velocity(c, k.want))  // how far one decision, or one period, may go
	k.keep(Step(c, k.want))      // only whole multiples
	k.keep(Bounds(c, k.want))    // always within the bounds, in one step
	return k.want, k.steps
}

// Gate runs the limits that let a size pass whole or not at all.
func Gate(c *Change, want scale.Size, steps []scale.Step) (scale.Size, []scale.Step) {
	k := keeper{want, steps}
	k.keep(Delay(c, k.want))       // outside the band for a while first
	k.keep(Forbidden(c, k.want))   // not too soon after the last change
	k.keep(SmallChange(c, k.want)) // not for next to nothing
	k.keep(Updated(c, k.want))     // when the direction may change at all
	return k.want, k.steps
}

// keeper keeps what the limits have left of a wish.
type keeper struct {
	want  scale.Size
	steps []scale.Step
}

func (k *keeper) keep(v Verdict) {
	if v.Reason == "" {
		return
	}
	k.steps = append(k.steps, scale.Step{
		Stage: scale.StageLimit, Reason: v.Reason, In: k.want, Out: v.Size, Limit: v.Count, Wait: v.Wait,
	})
	k.want = v.Size
}

// ApplyMode is the last word: outside mode Auto, or while paused, nothing is
// changed.
func ApplyMode(c *Change, proposed scale.Size, steps []scale.Step) (scale.Size, []scale.Step) {
	k := keeper{proposed, steps}
	k.keep(underMode(c, proposed))
	return k.want, k.steps
}

func underMode(c *Change, want scale.Size) Verdict {
	reason := scale.Reason("")
	switch {
	case want.Equal(c.From):
	case c.Rules.Paused:
		reason = scale.Paused
	case c.Rules.Mode == Off:
		reason = scale.ModeOff
	case c.Rules.Mode == Recommend:
		reason = scale.Recommend
	}
	return Verdict{Size: c.From, Reason: reason, Count: c.From.Replicas}
}

// held is the size that keeps a wish back: the current one, within bounds.
// Bounds are not a wish, so no gate delays them.
func (c *Change) held() scale.Size {
	return c.From.WithReplicas(c.Rules.clamp(c.From.Replicas))
}

// verdict is the answer for a count, silent when nothing changes.
func verdict(want scale.Size, count int32, reason scale.Reason) Verdict {
	if count == want.Replicas {
		return Verdict{Size: want}
	}
	return Verdict{Size: want.WithReplicas(count), Reason: reason, Count: count}
}
