package limit

import (
	"math"

	"github.com/tidemark/tidemark/scale"
)

// Velocity caps how far the count may move: by limitPercent in one decision,
// by the policies within their periods, or by the classic cap where no
// behavior is stated.
func Velocity(c *Change, want int32) Verdict {
	switch scale.DirectionOf(c.Current, want) {
	case scale.Up:
		if want <= c.Bounds.Min {
			return Verdict{Count: want} // the bounds bring it there in one step
		}
		return verdict(want, min(want, c.highest()), scale.VelocityUp)
	case scale.Down:
		return verdict(want, max(want, c.lowest()), scale.VelocityDown)
	}
	return Verdict{Count: want}
}

// highest is the count an increase may reach.
func (c *Change) highest() int32 {
	current, d := c.Current, &c.Rules.Up
	limit := int64(math.MaxInt32)
	if c.Rules.Doubling {
		limit = max(2*int64(current), 4)
	}
	if d.Percent != nil {
		limit = min(limit, int64(current)+percentMove(current, *d.Percent))
	}
	if len(d.Policies) > 0 || d.Select == Disabled {
		limit = min(limit, c.policyLimit(d, scale.Up))
	}
	return int32(max(limit, int64(current)))
}

// lowest is the count a decrease may reach.
func (c *Change) lowest() int32 {
	current, d := c.Current, &c.Rules.Down
	limit := int64(0)
	if d.Percent != nil {
		limit = max(limit, int64(current)-percentMove(current, *d.Percent))
	}
	if len(d.Policies) > 0 || d.Select == Disabled {
		limit = max(limit, c.policyLimit(d, scale.Down))
	}
	return int32(min(limit, int64(current)))
}

// percentMove is how many pods one decision may move. At least one may, or
// small workloads would never scale; zero percent forbids the direction.
func percentMove(current, percent int32) int64 {
	if percent == 0 {
		return 0
	}
	return max(1, int64(current)*int64(percent)/100)
}

// policyLimit is the count the policies allow, the loosest or the tightest of
// them, as selected.
func (c *Change) policyLimit(d *Direction, side scale.Direction) int64 {
	if d.Select == Disabled {
		return int64(c.Current)
	}
	var limit int64
	for i, p := range d.Policies {
		allowed := c.allowed(p, side)
		wider := (allowed > limit) == (side == scale.Up)
		if i == 0 || wider == (d.Select == Loosest) {
			limit = allowed
		}
	}
	return max(0, min(limit, math.MaxInt32))
}

// allowed is the count one policy allows, computed from the count at the start
// of its period.
func (c *Change) allowed(p Policy, side scale.Direction) int64 {
	start := int64(c.Current)
	for _, e := range c.Past.Events {
		if c.At.Sub(e.At) < p.Period {
			start -= int64(e.Change)
		}
	}
	switch {
	case !p.Percent && side == scale.Up:
		return start + int64(p.Value)
	case !p.Percent:
		return start - int64(p.Value)
	case c.Rules.Upstream:
		return upstreamPercent(start, p.Value, side)
	case side == scale.Up:
		// A share of nothing is nothing, but a workload at zero must be able to wake.
		return max(1, ceilDiv(start*(100+int64(p.Value)), 100))
	}
	return floorDiv(start*(100-int64(p.Value)), 100)
}

// upstreamPercent is the HPA's own arithmetic, with the rounding of its floats
// (10 % more than 100 is 111 there).
func upstreamPercent(start int64, percent int32, side scale.Direction) int64 {
	share := float64(percent) / 100
	f := math.Ceil(float64(start) * (1 + share))
	if side == scale.Down {
		f = math.Trunc(float64(start) * (1 - share))
	}
	return int64(max(math.MinInt32, min(math.MaxInt32, f)))
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }
