package elastic

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Rules is the compiled policy of the stage.
type Rules struct {
	// Usual is what a pod requests while nothing is sudden; 0 is what the workload's
	// template states. Where a risk is stated, totals are whole
	// multiples of it, so that a small workload does not change for nothing.
	// Those of a large workload are multiples of more (coarsePercent).
	Usual scale.Amount
	// Min and Max bound what a pod requests.
	Min, Max scale.Amount
	// Rigid is set where pods cannot be resized, or are not to be.
	Rigid bool
	// Ceiling is the most that the application of a pod uses, where it has one:
	// a total is not counted on pods that would have more.
	Ceiling scale.Amount
	// Plain is set where a target says how many pods there are, and all have their
	// usual size.
	Plain bool
	// Wait is the share of a change's price, in percent, that waiting has to cost
	// before it is made; 0 is the usual one.
	Wait int32
	// Prices are what totals are weighed by; nil where a risk is stated.
	Prices *Prices
}

// stuckFor is how long pods keep their size after their nodes had no room for
// another.
const stuckFor = time.Hour

// AtOneSize returns the rules where pods cannot be resized: where that would restart
// them, or nodes will never have room for it. The past remembers the latter, since
// pods that keep their size do not ask for room any more.
func (r *Rules) AtOneSize(p *Past, at time.Time, restarts, stuck bool) *Rules {
	if stuck {
		p.StuckAt = at
	}
	if r.Prices == nil || r.Rigid || !restarts && (p.StuckAt.IsZero() || at.Sub(p.StuckAt) >= stuckFor) {
		return r
	}
	out := *r
	out.Rigid, out.Min, out.Max = true, r.Usual, r.Usual
	return &out
}

// Resizes tells whether pods are given other sizes than the usual one.
func (r *Rules) Resizes() bool { return !r.Rigid && (r.Usual == 0 || r.Min < r.Max) }

// Around returns the rules for a usual size that nobody stated: pods may have half of
// it to four times as much, and where they cannot be resized no other.
func (r *Rules) Around(usual scale.Amount) *Rules {
	out := *r
	out.Usual = usual
	if r.Rigid {
		out.Min, out.Max = usual, usual
		return &out
	}
	out.Min, out.Max = max(usual/2, 1), usual.Times(4)
	if r.Max > 0 {
		out.Max = max(min(out.Max, r.Max), usual)
	}
	return &out
}

// Pods is what there is to size: the workload, which of its containers carries
// the load, and how many of its pods are not starting any more.
type Pods struct {
	From      scale.Size
	Container int
	Started   int32
}

// crowdedPercent of its usual size is what a pod may have before more pods are
// started. Starting pods takes two changes, one to start them and one to make
// the others smaller again, so it is left for the few times when it is needed.
const crowdedPercent = 350

// Count is how many pods should have a total. The number stays as long as that
// leaves them near their usual size. For a guess no pods are started that may
// turn out not to be needed, unless those there are cannot be large enough.
func (r *Rules) Count(current int32, total scale.Amount, guess bool) int32 {
	each, most := total.Share(1, int64(max(current, 1))), min(r.Usual.Share(crowdedPercent, 100), r.Max)
	if guess {
		most = r.Max
	}
	if r.Ceiling > 0 {
		most = min(most, r.Ceiling)
	}
	if current > 0 && each >= r.Min && each <= most {
		return current
	}
	return max(1, scale.NewRatio(scale.Product{int64(total), 1}, scale.Product{}, scale.Product{int64(r.Usual), 1}).Ceil(1))
}

// Sized is the size in which so many pods have a total. While some of them are
// starting, the others carry the whole, as far as they may grow.
func (r *Rules) Sized(p Pods, total scale.Amount, count int32) scale.Size {
	serving := max(min(count, p.Started), 1)
	request := min(max(total.Share(1, int64(serving)), r.Min), r.Max)
	out := scale.Size{Replicas: count, Containers: slices.Clone(p.From.Containers)}
	c := &out.Containers[p.Container]
	before, _ := c.Requests.Get(scale.CPU)
	if limit, ok := c.Limits.Get(scale.CPU); ok && before > 0 {
		// The limit keeps its proportion, and is never below the request. It is
		// rounded to the nearest: always up, it would grow with every resize.
		c.Limits = c.Limits.With(scale.CPU, max(request, limit.Share(2*int64(request), int64(before))/2))
	}
	c.Requests = c.Requests.With(scale.CPU, request)
	return out
}
