package engine

import "github.com/tidemark/tidemark/scale"

// upstreamSkipsMetrics decides the two cases in which the HPA does not look at
// metrics at all: a count outside the bounds, and zero replicas that it did
// not bring about itself.
func (d *draft) upstreamSkipsMetrics() bool {
	current, bounds := d.From.Replicas, &d.policy.Limit
	reason, want := scale.Reason(""), current
	switch {
	case current == 0 && d.memory.Slept:
		return false
	case current == 0:
		reason = scale.ScalingDisabled
	case current > bounds.Max:
		reason, want = scale.MaxReplicas, bounds.Max
	case current < bounds.Min:
		reason, want = scale.MinReplicas, bounds.Min
	default:
		return false
	}
	d.Reason = reason
	d.wish.Replicas, d.wish.Reason = want, reason
	d.Steps = append(d.Steps, scale.Step{
		Stage: scale.StageHorizontal, Reason: reason, In: d.From, Out: d.From.WithReplicas(want), Limit: want,
	})
	return true
}
