package limit

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Stabilize lets a desired count pass only when the whole window agrees: going
// down, the largest of the window counts, going up, the smallest. Between the two
// the count stays.
func Stabilize(c *Change, want int32) Verdict {
	if c.ByTotals {
		return Verdict{Count: want}
	}
	low, high := c.Past.desired().around(c.Rules, TimedValue{At: c.At, Value: int64(want)})
	if c.Rules.Plain && c.Rules.Upstream {
		return verdict(want, int32(high), scale.Stabilized)
	}
	return verdict(want, int32(min(max(int64(c.Current), low), high)), scale.Stabilized)
}

// Step rounds up to a multiple, going up and going down, but never past the
// current count. Where the velocity is smaller than a step, rounding would
// cancel every move down forever: then one whole step is taken, as long as
// that leaves no less than stable, the count that was desired for long enough.
func Step(c *Change, want, stable int32) Verdict {
	step := c.Rules.Step
	if step <= 1 || want == c.Current {
		return Verdict{Count: want}
	}
	multiple := (int64(want) + int64(step) - 1) / int64(step) * int64(step)
	rounded := max(want, int32(min(multiple, int64(c.Bounds.Max))))
	if want < c.Current && rounded >= c.Current {
		rounded = c.Current
		if below := (c.Current - 1) / step * step; below >= stable {
			rounded = below
		}
	}
	return verdict(want, rounded, scale.StepRounded)
}

// Bounds keeps the count between the minimum and the maximum, in one step
// whatever the velocity.
func Bounds(c *Change, want int32) Verdict {
	if want < c.Bounds.Min {
		v := verdict(want, c.Bounds.Min, c.Bounds.MinReason)
		v.Wait = c.Bounds.MinWait
		return v
	}
	return verdict(want, c.Bounds.Clamp(want), c.Bounds.MaxReason)
}

// Delay waits until a change has been desired one way for a while without a break.
// One that was not seen before begins now.
func Delay(c *Change) Verdict {
	delay := c.Rules.direction(c.Side).Delay
	if delay == 0 || c.Side == scale.None || c.Creeping {
		return Verdict{}
	}
	first := c.Sides.BelowSince
	if c.Side == scale.Up {
		first = c.Sides.AboveSince
	}
	return c.shut(delay-c.At.Sub(since(first, c.At)), scale.Delayed)
}

// Forbidden keeps a direction shut for a while after any change of the size,
// whichever way it went and whoever made it.
func Forbidden(c *Change) Verdict {
	if c.Side == scale.None {
		return Verdict{}
	}
	return c.shut(c.Rules.forbidden(c.Side, c.Past.LastEventAt, c.At), scale.ForbiddenWindow)
}

// shut keeps a change back while there is time left.
func (c *Change) shut(left time.Duration, reason scale.Reason) Verdict {
	if left <= 0 {
		return Verdict{}
	}
	return c.hold(reason, left)
}

// Countdown is how long the forbidden windows after the last change still last.
func (r *Rules) Countdown(last, at time.Time) scale.Countdown {
	return scale.Countdown{Up: r.forbidden(scale.Up, last, at), Down: r.forbidden(scale.Down, last, at)}
}

func (r *Rules) forbidden(side scale.Direction, last, at time.Time) time.Duration {
	window := r.direction(side).Forbidden
	if window == 0 || last.IsZero() {
		return 0
	}
	return max(0, window-at.Sub(last))
}
