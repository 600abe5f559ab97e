package engine

import (
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// Decide makes one decision. It looks at nothing but its arguments and changes
// none of them.
func Decide(p Policy, seen scale.Observation, past Memory) (scale.Decision, Memory) {
	var room Room
	return room.Decide(p, seen, past)
}

// Room is where the steps of decisions are written. A replay makes one decision
// after the other in the same room: to make room for each of them would be most
// of its garbage. A decision is valid until the next one in its room.
type Room struct {
	steps []scale.Step
	facts []scale.MetricFacts
}

// Decide makes one decision, as the function does. The order of the stages is
// the specification.
func (r *Room) Decide(p Policy, seen scale.Observation, past Memory) (scale.Decision, Memory) {
	if p.TunesHPA {
		p = withMetricsOf(p, &seen)
	}
	r.fit(len(p.Horizontal.Metrics))
	d := draft{policy: p, seen: seen}
	d.seen.At = seen.At.Round(0).UTC()
	if p.Unadvised {
		d.seen.Recommended, d.seen.Unrecommended = nil, ""
	}
	d.memory = recall(&d.policy, &d.seen, past)
	if len(past.Sized) > 0 && p.sizes() {
		d.seen.Target.Containers = underWay(past.Sized, &d.seen)
	}
	d.From = scale.Size{Replicas: seen.Target.SpecReplicas, Containers: d.seen.Target.Containers}
	d.Steps, d.facts = r.steps[:0], r.facts

	d.learn()      // what history knows of this hour: bounds and targets
	d.horizontal() // each metric's wanted replicas; the largest wins
	d.combine()    // replicas alone, or replicas and requests from totals
	d.limit()      // how far and how soon the workload may move there
	d.decide()     // the size to apply, when to look again, what to remember

	r.steps = d.Steps
	return d.Decision, d.memory
}

// fit makes room for so many metrics, and for what others have to say.
func (r *Room) fit(metrics int) {
	if len(r.facts) != metrics || r.steps == nil {
		r.facts, r.steps = make([]scale.MetricFacts, metrics), make([]scale.Step, 0, metrics+3)
	}
}

// draft is a decision in the making. It holds its inputs by value and lends
// out pointers only while a stage runs, so it never reaches the heap.
type draft struct {
	scale.Decision
	policy Policy
	seen   scale.Observation
	memory Memory
	wish   horizontal.Wish
	// facts is the room for what the metrics say.
	facts []scale.MetricFacts

	// size is what was wished for before any limit, side its direction.
	size   scale.Size
	side   scale.Direction
	totals interval.Totals
	// wished are the totals before stabilisation, where it changed them.
	wished interval.Totals
	deltas []limit.Delta
	urgent bool
	// pods and total are what is resized in place, and what it should have; the
	// total is 0 where nothing is.
	pods  elastic.Pods
	total scale.Amount
	// made is the count that makes up for sizes that do not come; 0 where none
	// does. It is wished for like any other.
	made int32
	// targets are the learned targets that count now.
	targets []scale.LearnedTarget
}

// horizontal asks the metrics.
func (d *draft) horizontal() {
	if d.policy.upstream() && d.upstreamSkipsMetrics() {
		return
	}
	d.wish, d.Steps = horizontal.Propose(&d.policy.Horizontal, &d.seen, d.facts, d.Steps)
	d.wish.Replicas = max(d.wish.Replicas, 0)
	d.Reason = d.wish.Reason
	if d.onlyTheHPAKnows() {
		d.Reason = scale.LeftToHPA
	}
}

// limits is what the limits look at.
func (d *draft) limits() limit.Change {
	return limit.Change{
		At: d.seen.At, Current: d.From.Replicas, Wish: d.size.Replicas, Side: d.side,
		Rules: &d.policy.Limit, Past: &d.memory.Past, Creeping: d.Reason == scale.Converging,
		ByTotals: d.policy.Interval != nil || d.total > 0, Deltas: d.deltas, Urgent: d.urgent,
	}
}

// limit holds the wish back where it must be.
func (d *draft) limit() {
	c := d.limits()
	d.memory.Saw(d.seen.At, c.Outside(), d.wish.Informed)
	d.emergency()
	d.Proposed = d.size
	if !d.policy.upstream() || d.wish.Informed || d.policy.Limit.MinReason == scale.Emergency {
		limit.Count(&c, d.keep)
		d.resize()
		limit.Gate(&c, d.keep)
	}
	d.Want = d.Proposed
	if d.policy.TunesHPA {
		d.tune()
	}
	if reason := limit.UnderMode(c.Rules); reason != "" && (!d.Want.Equal(d.From) || d.tunes()) {
		d.step(scale.Step{Reason: reason, In: d.Want, Out: d.From})
		d.Want = d.From
	}
}

// emergency raises the minimum to the maximum while there is one.
func (d *draft) emergency() {
	past, b := &d.memory.Learned, &d.policy.Limit
	d.policy.Learn.Saw(past, d.seen.At, d.wish.Informed || d.onlyTheHPAKnows())
	d.setBounds(d.policy.Learn.Floored(learn.Bounds{Min: b.Min, Max: b.Max, MinReason: b.MinReason, MaxReason: b.MaxReason}, past, d.seen.At))
}

// keep applies what a limit says to the size proposed so far.
func (d *draft) keep(v limit.Verdict) {
	next := d.Proposed.WithReplicas(v.Count)
	switch {
	case v.Hold:
		next = d.From.WithReplicas(v.Count)
	case v.Reason == scale.OutOfMemory:
		next = d.Proposed
	}
	d.step(scale.Step{Reason: v.Reason, In: d.Proposed, Out: next, Limit: v.Count, Wait: v.Wait})
	d.Proposed = next
}

// step leaves a limit's step behind.
func (d *draft) step(s scale.Step) {
	s.Stage = scale.StageLimit
	d.Steps = append(d.Steps, s)
	if s.Reason != scale.OutOfMemory {
		d.LimitedBy = s.Reason
	}
}

// decide fills in what follows from the decision.
func (d *draft) decide() {
	d.RecheckAfter = d.policy.Sync
	for i := range d.Steps {
		if wait := d.Steps[i].Wait; wait > 0 {
			d.RecheckAfter = min(d.RecheckAfter, wait)
		}
	}
	if d.wish.Informed && d.policy.Interval == nil && d.total == 0 {
		d.memory.Wished(&d.policy.Limit, d.seen.At, max(d.wish.Replicas, d.made))
	}
	d.memory.applied(&d.policy, d.seen.At, d.From, d.Want)
	if d.policy.sizes() {
		d.memory.decided(d.Want.Containers)
	}
	// Only now is it known whether this decision begins a window.
	d.Countdown = d.memory.Countdown(&d.policy.Limit, d.seen.At)
	d.Bounds = scale.Bounds{Min: d.policy.Limit.Min, Max: d.policy.Limit.Max}
}
