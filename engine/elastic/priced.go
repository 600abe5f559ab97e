package elastic

import (
	"cmp"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Priced is what is weighed about a total: by what may come, and what changes cost.
type Priced struct {
	At    time.Time
	Every time.Duration
	Outlook
	// Full is set when the pods used all they could: then Demand is a guess.
	Full bool
	// Unsure is set when more may be used than was measured.
	Unsure bool
	// Likely is the middle of what is expected, Has what the pods were asked to
	// have, and Pods how many they are.
	Likely, Has scale.Amount
	Pods        int32
}

// Hide takes twice as much to be asked for: pods that use all that their application
// can hide the rest.
func (w *Priced) Hide() {
	w.Full, w.Likely, w.Demand = true, w.Likely.Times(2), slices.Clone(w.Demand)
	for i := range w.Demand {
		w.Demand[i].Amount = w.Demand[i].Amount.Times(2)
	}
}

// Enough is the least that the busiest pods need, with what nodes have left in all
// but a few cases, to do what is expected.
func (w *Priced) Enough() scale.Amount {
	room := scale.Amount(0)
	if len(w.Room) > 0 {
		room = w.Room[0].Amount
	}
	return w.Likely.Share(int64(scale.Thousand)+uneven, int64(scale.Thousand+min(max(room, 0), mostRoom)))
}

// Division is a total, in how many pods.
type Division struct {
	Total scale.Amount
	Pods  int32
}

// usualWait is the part of a change's price, in percent, that waiting has to cost
// before the change is made. A whole one never pays more than twice what hindsight
// would; half of it was worse on no recording (docs/benchmarks.md), since gains that
// have begun mostly go on.
const usualWait = 50

// Weighed returns the past with what the pods should have from now on, and why.
func (p Past) Weighed(r *Rules, w *Priced) (Past, Division, scale.Reason, scale.Cost) {
	now := Division{Total: w.Has, Pods: w.Pods}
	var room [usualParts]load
	outlook := w.load(room[:0])
	best, after := r.cheapest(w, &outlook)
	before := r.Prices.of(now.Total, now.Pods, &outlook)
	side := directionOf(now.Total, best.Total)
	if side != p.Side {
		p.Waited, p.Side = 0, side
	}
	p.Waited = max(p.Waited, 0).Add(max(before.all()-after.all(), 0).Share(p.since(w).Milliseconds(), 1000*million))
	p.Total, p.WeighedAt = now.Total, w.At
	price := r.price(now, best)
	facts := scale.Cost{
		Best: best.Total, Used: after.used / million, Idle: after.idle / million, Risk: after.risk / million,
		Waited: p.Waited, Change: price, Unserved: scale.Amount(r.Prices.Unserved),
	}
	switch {
	case side == scale.None || p.Waited < price.Share(int64(cmp.Or(r.Wait, usualWait)), 100) || price == 0:
		return p, now, held(side, w.Full), facts
	case side == scale.Down && w.Unsure:
		return p, now, scale.HeadroomKept, facts
	}
	to := best
	if r.Min < r.Max {
		to = r.divide(now, best.Total, w.Every)
	}
	p.Total, p.Waited = to.Total, 0
	switch {
	case side == scale.Down:
		return p, to, scale.HeadroomAmple, facts
	case w.Full:
		return p, to, scale.Saturated, facts
	}
	return p, to, scale.HeadroomShort, facts
}

func directionOf(from, to scale.Amount) scale.Direction {
	switch {
	case to > from:
		return scale.Up
	case to < from:
		return scale.Down
	}
	return scale.None
}

// held is why nothing is changed.
func held(side scale.Direction, full bool) scale.Reason {
	switch {
	case full:
		return scale.Saturated
	case side == scale.None:
		return scale.HeadroomKept
	}
	return scale.HeadroomHeld
}

// since is for how long the total has been what it is, as far as this decision
// charges for it: a controller that was away does not charge for the whole time.
func (p *Past) since(w *Priced) time.Duration {
	if p.WeighedAt.IsZero() {
		return w.Every
	}
	return min(max(w.At.Sub(p.WeighedAt), 0), 2*w.Every)
}

// price is what it costs to change, in core-seconds.
func (r *Rules) price(from, to Division) scale.Amount {
	if r.Min < r.Max {
		return r.Prices.Resize.Times(int64(max(from.Pods, 1)))
	}
	return r.Prices.Start.Times(int64(max(to.Pods-from.Pods, from.Pods-to.Pods)))
}

// How the search goes: in steps of a sixteenth of what is expected, then finer, and
// no longer than it takes to reach four times as much.
const (
	firstStep = 16
	finest    = 128
	mostTries = 96
)

// cheapest is the total that is likely to cost least, and what it costs. Where pods cannot change
// their size it is a multiple of the usual one. The cost falls and then rises, so
// the search goes down from what is expected.
func (r *Rules) cheapest(w *Priced, o *loaded) (Division, cost) {
	rigid := r.Min >= r.Max
	at := func(total scale.Amount) Division {
		if rigid {
			pods := max(int32((total+r.Usual/2)/max(r.Usual, 1)), 1)
			return Division{r.Usual.Times(int64(pods)), pods}
		}
		return Division{max(total, r.Min), w.Pods}
	}
	unit := max(w.Likely/finest, 1)
	if rigid {
		unit = max(r.Usual, 1)
	}
	best := at(w.Likely)
	least, tries := r.Prices.of(best.Total, best.Pods, o), 0
	for step := max(w.Likely/firstStep, unit); ; step = max(step/4, unit) {
		// Whoever went one way does not look back at the same step.
		for turns, way := 0, step; turns < 2 && tries < mostTries; tries++ {
			next := at(max(best.Total+way, 1))
			if c := r.Prices.upTo(least.all(), next.Total, next.Pods, o); c.all() < least.all() {
				best, least, turns = next, c, 1
				continue
			}
			turns, way = turns+1, -way
		}
		if step == unit {
			return best, least
		}
	}
}

// How pods are divided. Starting and stopping are left for when sizes are far from
// the usual one, in percent of it.
const (
	crowdedAt, crowdedTo = 160, 120
	sparseAt, sparseTo   = 55, 85
	// slowRounds is how many rounds it takes on average until a pod is made
	// smaller: a tenth of them has its turn in each.
	slowRounds = 5
)

// divide is how a total is divided among pods. More is given to those there are. Less
// is taken by stopping pods where that is cheaper than to make all of them smaller,
// a few in each round.
func (r *Rules) divide(now Division, total scale.Amount, every time.Duration) Division {
	pods := int64(max(now.Pods, 1))
	size := max(now.Total/scale.Amount(pods), 1)
	if spare := now.Total - total; spare > 0 {
		stop := int64((spare + size.Share(3, 10)) / size)
		slowly := r.Prices.Resize.Times(pods).Add(spare.Times(slowRounds * int64(every/time.Second)))
		if stop > 0 && stop < pods && r.Prices.Start.Times(stop) < slowly {
			return Division{now.Total - size.Times(stop), int32(pods - stop)}
		}
	}
	out := Division{total, int32(pods)}
	each := total / scale.Amount(pods)
	switch {
	case each > min(r.Usual.Share(crowdedAt, 100), r.most()):
		out.Pods = r.podsOf(total, min(r.Usual.Share(crowdedTo, 100), r.most()))
	case each < max(r.Usual.Share(sparseAt, 100), r.Min):
		out.Pods = r.podsOf(total, max(r.Usual.Share(sparseTo, 100), r.Min))
	}
	return out
}

// most is the largest that a pod is of use.
func (r *Rules) most() scale.Amount {
	if r.Ceiling > 0 {
		return min(r.Max, r.Ceiling)
	}
	return r.Max
}

func (r *Rules) podsOf(total, each scale.Amount) int32 {
	return max(1, scale.NewRatio(scale.Product{int64(total), 1}, scale.Product{}, scale.Product{int64(max(each, 1)), 1}).Ceil(1))
}
