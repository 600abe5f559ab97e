package engine

import (
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// plan is the size to move to, before any limit.
type plan struct {
	Size scale.Size
	// Side is the direction of the change, and Deltas are its changes of totals.
	Side   scale.Direction
	Deltas []limit.Delta
	Reason scale.Reason
	// LimitedBy is what kept the size from being what was asked for.
	LimitedBy scale.Reason
	// Informed is false when there was nothing to plan by.
	Informed bool
	// Urgent is set when memory ran out.
	Urgent bool
	// Count is the count that is desired, and ByTotals is set when the size is made
	// of totals instead: then they were stabilized, and the count is not.
	Count    int32
	ByTotals bool
	// Totals are those that an interval was looked up for.
	Totals interval.Totals
	// Past are the totals to remember, and Short what of pods that are too small.
	Past  limit.Totals
	Short shortage
	Steps []scale.Step
}

// combine makes a size of what is desired: the count alone, a count and requests
// that belong together, or a count and pods of the right size. The count makes up
// for sizes that do not come.
func (in input) combine(l *learned, d *desired) (p plan) {
	p = plan{
		Size: in.from.WithReplicas(d.Replicas), Side: scale.DirectionOf(in.from.Replicas, d.Replicas),
		Reason: d.Reason, Informed: d.Informed, Count: d.Replicas,
		Past: in.memory.Totals, Short: shortage{in.memory.Short, in.memory.ShortCount}, Steps: d.Steps,
	}
	switch {
	case in.policy.Interval != nil:
		in.byTotals(&p, d, &l.Bounds)
	case in.policy.Rightsize != nil:
		in.rightsize(&p, d, &l.Bounds)
	case d.Elastic.Set:
		in.resizeInPlace(&p, &d.Elastic)
	case in.policy.Elastic == nil && in.policy.Limit.NeedsDeltas():
		p.Deltas = in.deltasTo(p.Size)
	}
	if !in.policy.upstream() && len(in.obs.Pods) > 0 {
		in.makeUp(&p, d)
	}
	return p
}

// step leaves a step of the stage behind.
func (p *plan) step(in input, reason scale.Reason) {
	p.Steps = append(p.Steps, scale.Step{Stage: scale.StageCombine, Reason: reason, In: *in.from, Out: p.Size, Limit: p.Size.Replicas})
}

// limitedIf leaves a step behind for something that kept a size from being what
// was asked for.
func (p *plan) limitedIf(in input, is bool, reason scale.Reason) {
	if is {
		p.step(in, reason)
		p.LimitedBy = reason
	}
}

// limit leaves a step behind for a limit that counts before a size is chosen.
func (p *plan) limit(reason scale.Reason, from, to scale.Size) {
	p.Steps = append(p.Steps, scale.Step{Stage: scale.StageLimit, Reason: reason, In: from, Out: to, Limit: to.Replicas})
	p.LimitedBy = reason
}

// change is what the limits look at.
func (in input) change(p *plan, b *scale.Bounds, sides limit.Sides) limit.Change {
	return limit.Change{
		At: in.obs.At, Current: in.from.Replicas, Desired: p.Size.Replicas, Side: p.Side, Rules: &in.policy.Limit,
		Bounds: b, Past: &in.memory.Past, Sides: sides, Creeping: p.creeps(), ByTotals: p.ByTotals, Deltas: p.Deltas, Urgent: p.Urgent,
	}
}

// creeps tells whether the change comes from inside the band.
func (p *plan) creeps() bool { return p.Reason == scale.Converging }

// sizedFor is the size of so many pods that have what is planned, and whether a
// maximum keeps them from having it.
func (in input) sizedFor(count int32, d *desired, p *plan) (size scale.Size, atMax bool) {
	switch e := &d.Elastic; {
	case e.Set:
		return e.Rules.Sized(e.Pods, e.Past.Total, count), false
	case p.Totals != nil:
		fit := in.policy.Interval.Sized(*in.from, p.Totals, count)
		return fit.Size, fit.AtMax
	}
	return p.Size.WithReplicas(count), false
}

// sideOf is up as soon as one total rises.
func sideOf(deltas []limit.Delta) scale.Direction {
	side := scale.None
	for _, delta := range deltas {
		switch {
		case delta.Wanted > delta.Applied:
			return scale.Up
		case delta.Wanted < delta.Applied:
			side = scale.Down
		}
	}
	return side
}

// deltasTo are the changes of totals on the way to a size.
func (in input) deltasTo(to scale.Size) []limit.Delta {
	return in.deltas(func(i int, res scale.Resource) (scale.Amount, bool) {
		before, _ := in.from.Containers[i].Requests.Get(res)
		after, _ := to.Containers[i].Requests.Get(res)
		return after.Times(int64(to.Replicas)), before > 0 || after > 0
	})
}

// deltas are the changes to wanted totals of each container's resources.
func (in input) deltas(wanted func(i int, res scale.Resource) (scale.Amount, bool)) []limit.Delta {
	deltas := make([]limit.Delta, 0, len(in.from.Containers)*len(scale.EveryResource))
	for i := range in.from.Containers {
		for _, res := range scale.EveryResource {
			if total, ok := wanted(i, res); ok {
				atLimit := in.policy.Limit.NeedsDeltas() && in.atLimit(&in.from.Containers[i], res)
				deltas = append(deltas, limit.Delta{Resource: res, Applied: in.applied(i, res), Wanted: total, AtLimit: atLimit})
			}
		}
	}
	return deltas
}
