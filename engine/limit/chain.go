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
	// Creeping is set for a wish from inside the band: no delay applies.
	Creeping bool
}

// Limit returns what it allows of a wanted size, and why if that is less. An
// empty reason means that it had nothing to say.
type Limit func(c *Change, want scale.Size) Verdict

// Verdict is a limit's answer.
type Verdict struct {
	Size   scale.Size
	Reason scale.Reason
	// Count is the count the limit allows, Wait how long it will do so.
	Count int32
	Wait  time.Duration
}

// Chain is every limit but the mode, in order. The order is the specification.
var Chain = []Limit{
	Stabilize, // a wish must last before it counts
	Velocity,  // how far one decision, or one period, may go
	Step,      // only whole multiples
	Bounds,    // always within the bounds, in one step
	Delay,     // outside the band for a while first
	Forbidden, // not too soon after the last change
}

// Apply runs the chain and appends a step for each limit that acted.
func Apply(c *Change, steps []scale.Step) (scale.Size, []scale.Step) {
	want := c.Wish
	for _, limit := range Chain {
		want, steps = apply(limit, c, want, steps)
	}
	return want, steps
}

func apply(limit Limit, c *Change, want scale.Size, steps []scale.Step) (scale.Size, []scale.Step) {
	v := limit(c, want)
	if v.Reason == "" {
		return want, steps
	}
	steps = append(steps, scale.Step{
		Stage: scale.StageLimit, Reason: v.Reason, In: want, Out: v.Size, Limit: v.Count, Wait: v.Wait,
	})
	return v.Size, steps
}

// ApplyMode is the last word: outside mode Auto, or while paused, nothing is
// changed.
func ApplyMode(c *Change, proposed scale.Size, steps []scale.Step) (scale.Size, []scale.Step) {
	return apply(underMode, c, proposed, steps)
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

// side is the direction of the wish.
func (c *Change) side() scale.Direction {
	return scale.DirectionOf(c.From.Replicas, c.Wish.Replicas)
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
