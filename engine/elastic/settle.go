package elastic

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Need is what the pods have to carry, as it is known at a moment.
type Need struct {
	At time.Time
	// Expected is what the usage is expected to be when this decision takes
	// effect, and Headroom by how much more it may be.
	Expected, Headroom scale.Amount
	// Full is set when the pods used all they could. Then the demand is not
	// known, only that it is larger than Used.
	Full bool
	Used scale.Amount
	// Unsure is set when more may be used than was measured.
	Unsure bool
}

// How totals are settled. Each number was chosen over many recordings and
// generated demands at once, and is not sensitive (docs/benchmarks.md).
const (
	// tripPercent of the headroom is left when more is made.
	tripPercent = 30
	// guessPercent of what full pods use is assumed to be asked for. It costs
	// little to guess too much, since the next samples tell. Where pods would
	// have to be started for it, startPercent is.
	guessPercent = 250
	startPercent = 150
	// worth is how long the whole total costs as much as one change. A part of
	// the total may stay unneeded for as much longer as it is smaller.
	worth = 30 * time.Second
	// leastPercent of the total is the smallest part that is given up.
	leastPercent = 12
	// coarsePercent of a total is the largest step in which it is counted, where
	// that is more than the usual size: a large workload is not changed for one
	// pod.
	coarsePercent = 7
)

// Settled returns the past with what the pods should have in all from now on, and
// why. Has is what they have, for a workload that is seen for the first time.
func (p Past) Settled(r *Rules, n Need, has scale.Amount) (Past, scale.Reason) {
	p.Totals = slices.Clone(p.Totals)
	if p.Total <= 0 {
		p.Total = has
		p.push(TimedTotal{At: n.At, Total: has})
	}
	need := r.whole(max(n.Expected.Add(n.Headroom), n.Used))
	if n.Unsure {
		need = max(need, p.Total)
	}
	p.push(TimedTotal{At: n.At, Total: need})
	if guess := r.guess(n.Used); n.Full && guess > max(p.Total, need) {
		p.Total, p.Guessed = guess, true
		return p, scale.Saturated
	}
	switch {
	case max(n.Expected.Add(n.Headroom.Share(tripPercent, 100)), n.Used) > p.Total:
		p.Total, p.Guessed = need, false
		return p, scale.HeadroomShort
	case n.Full:
		return p, scale.Saturated
	case p.Guessed:
		p.Guessed = false
		return p.lowered(need, need < p.Total)
	}
	return p.lowered(p.worthwhile(n.At))
}

// lowered returns the past with a lower total, if that is worth it.
func (p Past) lowered(to scale.Amount, worthIt bool) (Past, scale.Reason) {
	switch {
	case worthIt:
		p.Total = to
		return p, scale.HeadroomAmple
	case to < p.Total:
		return p, scale.HeadroomHeld
	}
	return p, scale.HeadroomKept
}

// worthwhile returns the lowest total for which the difference, kept for as long
// as it has not been needed, has cost more than a change is worth. This is the
// rule of someone who rents skis and does not know for how many days: buy once
// the rent has come to the price, and never pay more than twice what was needed.
// Where none is low enough it returns the last that was needed.
func (p *Past) worthwhile(at time.Time) (scale.Amount, bool) {
	for i, then := range slices.Backward(p.Totals) {
		unneeded := memory
		if i > 0 {
			unneeded = at.Sub(p.Totals[i-1].At)
		}
		spare := p.Total - then.Total
		if spare <= 0 || spare < p.Total.Share(leastPercent, 100) {
			break
		}
		cost := scale.NewRatio(scale.Product{int64(spare), int64(unneeded / time.Second)}, scale.Product{}, scale.Product{int64(p.Total), int64(worth / time.Second)})
		if cost.Cmp(scale.Parts) >= 0 {
			return then.Total, true
		}
	}
	return p.Totals[len(p.Totals)-1].Total, false
}

// guess is what is assumed to be asked for when so much is used by full pods.
func (r *Rules) guess(used scale.Amount) scale.Amount {
	if r.Min == r.Max {
		return r.whole(used.Share(startPercent, 100))
	}
	return r.whole(used.Share(guessPercent, 100))
}

// whole rounds a total up to a multiple of the usual size, or of twice, four
// times and so on as much, as long as that is a small part of the total. Each of
// these multiples is one of the smaller ones as well, so a larger total is never
// rounded to less.
func (r *Rules) whole(total scale.Amount) scale.Amount {
	unit := max(r.Usual, 1)
	for most := total.Share(coarsePercent, 100); unit <= most/2; {
		unit = unit.Times(2)
	}
	return unit.Times(int64(max(total.Share(1, int64(unit)), 1)))
}
