package horizontal

import "github.com/tidemark/tidemark/scale"

// load is a measured value as an exact fraction: (usage × unit + assumed) / base.
type load struct {
	usage scale.Amount
	// unit is 1, or for utilization the thousandths of a percent in a whole.
	unit int64
	// assumed is the part nobody measured, already in that unit.
	assumed scale.Product
	// base is what the usage is shared by: replicas, pods, or their requests.
	base int64
}

// fullPercent is 100 % in thousandths of a percent.
const fullPercent = 100_000

func (l load) over(mark scale.Amount) scale.Ratio {
	return scale.NewRatio(scale.Product{int64(l.usage), l.unit}, l.assumed, scale.Product{l.base, int64(mark)})
}

func (l load) value() scale.Amount { return l.over(1).Amount() }

// side tells on which side of the band the load is. A value equal to a mark
// that its tolerance has moved is inside.
func (r *Rules) side(l load, band scale.Band) scale.Direction {
	switch {
	case l.over(band.High).Cmp(scale.Parts+r.ToleranceUp) > 0:
		return scale.Up
	case l.over(band.Low).Cmp(scale.Parts-r.ToleranceDown) < 0:
		return scale.Down
	}
	return scale.None
}

// count returns how many pods bring the load of n pods to the mark of its
// side. Above the band it rounds up. Below it rounds down, so that scaling is
// symmetric, but a plain target rounds up both ways as an HPA does.
func (r reader) count(l load, side scale.Direction, n int32) int32 {
	mark := r.metric.Band.Low
	if side == scale.Up {
		mark = r.metric.Band.High
	}
	ratio, sum := l.over(mark), &r.facts.Sum
	*sum = scale.Sum{Rounded: scale.Up, Pods: n, Used: l.usage, Assumed: l.assumed[0], Shared: l.base}
	if l.unit == int64(scale.Thousand) {
		// The numerator of a formula's value is a whole number.
		sum.Used = l.usage.Times(l.unit)
	}
	if side == scale.Up || r.metric.Band.Single() {
		sum.Count = ratio.Ceil(n)
	} else {
		sum.Rounded, sum.Count = scale.Down, ratio.Floor(n)
		if sum.AtLeastOne = sum.Count < 1 && !r.rules.ZeroAllowed; sum.AtLeastOne {
			sum.Count = 1
		}
	}
	return sum.Count
}

// sideReason names the side of the band a value is on.
func sideReason(band scale.Band, side scale.Direction) scale.Reason {
	if band.Single() {
		return [...]scale.Reason{scale.BelowTarget, scale.WithinTolerance, scale.AboveTarget}[side+1]
	}
	return [...]scale.Reason{scale.BelowLowWatermark, scale.WithinWatermarks, scale.AboveHighWatermark}[side+1]
}

// guarded keeps a proposal from moving against the metric: a value above the
// band never lowers the count, one below never raises it. Without it, pods
// that are not ready, or surge pods of a rollout, turn the arithmetic around.
func guarded(want int32, band scale.Band, side scale.Direction, current int32) proposal {
	if (side == scale.Up && want < current) || (side == scale.Down && want > current) {
		return proposal{replicas: current, reason: scale.DirectionGuard, state: answered}
	}
	return proposal{replicas: want, reason: sideReason(band, side), state: answered}
}

// inside is the proposal for a value within the band: stay, or creep one step
// toward a mark as long as the value would still be inside afterward.
func (r *Rules) inside(l load, band scale.Band, n, current int32) proposal {
	stay := proposal{replicas: current, reason: sideReason(band, scale.None), state: answered}
	if band.Single() || r.Converge == NoConverge || current == 0 {
		return stay
	}
	next := current + r.Step
	fits := next <= l.over(band.Low).Floor(n)
	if r.Converge == ToHigh {
		next = max(1, current-r.Step)
		fits = next >= l.over(band.High).Ceil(n)
	}
	if !fits || next == current {
		return stay
	}
	return proposal{replicas: next, reason: scale.Converging, state: answered}
}
