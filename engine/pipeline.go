package engine

import (
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// Decide makes one decision. It looks at nothing but its arguments and changes
// none of them. The order of the stages is the specification.
func Decide(p Policy, seen scale.Observation, past Memory) (scale.Decision, Memory) {
	seen.At = seen.At.Round(0).UTC()
	d := draft{policy: &p, seen: &seen, memory: recall(&p, &seen, past)}
	d.From = scale.Size{Replicas: seen.Target.SpecReplicas, Containers: seen.Target.Containers}
	d.Steps = make([]scale.Step, 0, len(p.Horizontal.Metrics)+3)

	d.horizontal() // each metric's wanted replicas; the largest wins
	d.combine()    // replicas alone, or replicas and requests from totals
	d.limit()      // how far and how soon the workload may move there
	d.decide()     // the size to apply, when to look again, what to remember

	return d.Decision, d.memory
}

// draft is a decision in the making.
type draft struct {
	scale.Decision
	policy *Policy
	seen   *scale.Observation
	memory Memory
	wish   horizontal.Wish
	totals interval.Totals
	change limit.Change
}

// horizontal asks the metrics.
func (d *draft) horizontal() {
	if d.policy.upstream() && d.upstreamSkipsMetrics() {
		return
	}
	d.wish, d.Steps = horizontal.Propose(&d.policy.Horizontal, d.seen, d.From, d.Steps)
	d.wish.Replicas = max(d.wish.Replicas, 0)
	d.Reason = d.wish.Reason
}

// limit holds the wish back where it must be.
func (d *draft) limit() {
	c := &d.change
	c.At, c.From, c.Rules, c.Past = d.seen.At, d.From, &d.policy.Limit, &d.memory.Past
	c.Creeping = d.Reason == scale.Converging
	side := c.Side
	if c.Creeping {
		side = scale.None
	}
	d.memory.Saw(d.seen.At, side, d.wish.Informed)
	first := len(d.Steps)
	d.Proposed = c.Wish
	if !d.policy.upstream() || d.wish.Informed {
		d.Proposed, d.Steps = limit.Count(c, d.Steps)
		d.resize()
		d.Proposed, d.Steps = limit.Gate(c, d.Proposed, d.Steps)
	}
	d.Want, d.Steps = limit.ApplyMode(c, d.Proposed, d.Steps)
	for _, s := range d.Steps[first:] {
		if s.Reason != scale.OutOfMemory {
			d.LimitedBy = s.Reason
		}
	}
}

// decide fills in what follows from the decision.
func (d *draft) decide() {
	d.Countdown = d.change.Countdown()
	d.RecheckAfter = d.policy.Sync
	for i := range d.Steps {
		if wait := d.Steps[i].Wait; wait > 0 {
			d.RecheckAfter = min(d.RecheckAfter, wait)
		}
	}
	if d.wish.Informed && !d.change.ByTotals {
		d.memory.Wished(&d.policy.Limit, d.seen.At, d.wish.Replicas)
	}
	d.memory.applied(d.policy, d.seen.At, d.From, d.Want)
}
