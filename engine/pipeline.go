package engine

import (
	"github.com/tidemark/tidemark/engine/horizontal"
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
	d.change = limit.Change{
		At: d.seen.At, From: d.From, Wish: d.From.WithReplicas(d.wish.Replicas),
		Rules: &d.policy.Limit, Past: &d.memory.Past, Creeping: d.Reason == scale.Converging,
	}
	side := scale.DirectionOf(d.From.Replicas, d.wish.Replicas)
	if d.change.Creeping {
		side = scale.None
	}
	d.memory.Saw(d.seen.At, side, d.wish.Informed)
	first := len(d.Steps)
	if d.policy.upstream() && !d.wish.Informed {
		d.Proposed = d.change.Wish
	} else {
		d.Proposed, d.Steps = limit.Apply(&d.change, d.Steps)
	}
	d.Want, d.Steps = limit.ApplyMode(&d.change, d.Proposed, d.Steps)
	if len(d.Steps) > first {
		d.LimitedBy = d.Steps[len(d.Steps)-1].Reason
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
	if d.wish.Informed {
		d.memory.Wished(&d.policy.Limit, d.seen.At, d.wish.Replicas)
	}
	d.memory.applied(d.policy, d.seen.At, d.From.Replicas, d.Want.Replicas)
}
