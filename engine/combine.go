package engine

import (
	"slices"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// combine makes a size of what was wished for, and lets the count make up for
// sizes that do not come.
func (d *draft) combine() {
	d.choose()
	if !d.policy.upstream() && len(d.seen.Pods) > 0 {
		d.makeUp()
	}
}

// choose takes the count alone, a count and requests that belong together, or a
// count and pods of the right size.
func (d *draft) choose() {
	switch {
	case d.policy.Interval != nil:
		d.byTotals()
	case d.policy.Rightsize != nil:
		d.rightsize()
	case d.policy.Elastic != nil:
		d.elastic()
	default:
		d.size = d.From.WithReplicas(d.wish.Replicas)
		d.side = scale.DirectionOf(d.From.Replicas, d.wish.Replicas)
		if d.policy.Limit.NeedsDeltas() {
			d.deltas = d.deltasTo(d.size)
		}
	}
}

// byTotals looks up the totals that were asked for.
func (d *draft) byTotals() {
	d.size = d.From
	if !d.gatherTotals() {
		d.Reason, d.wish.Informed = scale.NoData, false
		d.unrecommended()
		return
	}
	d.wish.Informed = true
	d.side = sideOf(d.deltas)
	d.keepFalling()
	if d.seen.Unrecommended != "" {
		d.waitsForRecommendations(d.untotalled)
	}
	choice := d.policy.Interval.Choose(d.From, d.totals)
	d.size, d.Reason = choice.Size, choice.Reason
	d.combined(choice.Reason)
	d.limited(choice.Kept, scale.KeepLargerRequest)
	d.limited(choice.AtMin, scale.MinimumResource)
	d.limited(choice.AtMax, scale.MaximumResource)
	d.limited(choice.Postponed, scale.ScaleInPostponed)
	if d.wished != nil {
		wished := d.policy.Interval.Choose(d.From, d.wished)
		d.Reason = wished.Reason
		d.step(scale.Step{Reason: scale.Stabilized, In: wished.Size, Out: d.size, Limit: d.size.Replicas})
	}
}

// keepFalling keeps the totals that fall where they are while scaling down is
// shut: something else that rises must not open the way for them.
func (d *draft) keepFalling() {
	var falling []limit.Delta
	for _, delta := range d.deltas {
		if delta.Wanted < delta.Applied {
			falling = append(falling, delta)
		}
	}
	if d.side != scale.Up || len(falling) == 0 {
		return
	}
	c, shut := d.limits(), scale.Reason("")
	c.Side, c.Deltas, c.Urgent = scale.Down, falling, false
	limit.Gate(&c, func(v limit.Verdict) { shut = v.Reason })
	if shut == "" {
		return
	}
	for i := range d.totals {
		for _, res := range scale.EveryResource {
			request, _ := d.From.Containers[i].Requests.Get(res)
			applied := request.Times(int64(d.From.Replicas))
			if total, ok := d.totals[i].Get(res); ok && total < applied {
				d.totals[i] = d.totals[i].With(res, applied)
			}
		}
	}
	d.step(scale.Step{Reason: shut, In: d.From, Out: d.From, Limit: d.From.Replicas})
}

// combined leaves a step of the stage behind.
func (d *draft) combined(reason scale.Reason) {
	d.Steps = append(d.Steps, scale.Step{Stage: scale.StageCombine, Reason: reason, In: d.From, Out: d.size, Limit: d.size.Replicas})
}

// unrecommended leaves a step behind that says why there is nothing to size the
// pods by.
func (d *draft) unrecommended() {
	d.Steps = append(d.Steps, scale.Step{Stage: scale.StageCombine, Reason: scale.NoData, In: d.From, Out: d.From, Limit: d.From.Replicas, Problem: d.seen.Unrecommended})
}

// limited leaves a step behind for something that kept a size from being what
// was asked for.
func (d *draft) limited(is bool, reason scale.Reason) {
	if is {
		d.combined(reason)
		d.LimitedBy = reason
	}
}

// resize makes the pods fit the totals again when a limit changed the count.
func (d *draft) resize() {
	if d.Proposed.Replicas == d.size.Replicas || d.policy.Limit.MinReason == scale.Emergency {
		return
	}
	if d.total > 0 {
		d.Proposed = d.policy.Elastic.Sized(d.pods, d.total, d.Proposed.Replicas)
	}
	if d.totals == nil {
		return
	}
	fit := d.policy.Interval.Sized(d.From, d.totals, d.Proposed.Replicas)
	if fit.AtMax {
		d.step(scale.Step{Reason: scale.MaximumResource, In: d.Proposed, Out: fit.Size, Limit: fit.Size.Replicas})
	}
	d.Proposed = fit.Size
}

// gatherTotals takes the largest total any source asks for, per container and
// resource: the count that metrics or someone else wish for at the current
// request, or the recommended request at the current count. What nobody asks
// for has no total, and keeps its request. It reports whether anyone asked for
// anything.
func (d *draft) gatherTotals() bool {
	current := d.From.Replicas
	if current == 0 || len(d.From.Containers) == 0 {
		return false
	}
	d.urgent = d.outOfMemory()
	totals, asked := make(interval.Totals, len(d.From.Containers)), false
	d.deltas = make([]limit.Delta, 0, len(totals)*len(scale.EveryResource))
	for i := range d.From.Containers {
		c := &d.From.Containers[i]
		recommended := d.recommendation(c.Name)
		for _, res := range scale.EveryResource {
			request, _ := c.Requests.Get(res)
			applied, total := request.Times(int64(current)), scale.Amount(0)
			if count, ok := d.wishFor(c.Name, res); ok && request > 0 {
				total = request.Times(int64(count))
			}
			if d.policy.Interval.Counts(c.Name, res) {
				total = max(total, recommended.total(res, current))
			}
			if total <= 0 {
				continue
			}
			stable := total
			if !d.urgent || total < applied {
				stable = d.memory.StabilizeTotal(&d.policy.Limit, d.seen.At, c.Name, res, total, applied)
			}
			if stable != total && d.wished == nil {
				d.wished = slices.Clone(totals)
			}
			if d.wished != nil {
				d.wished[i] = d.wished[i].With(res, total)
			}
			total = stable
			totals[i], asked = totals[i].With(res, total), true
			d.deltas = append(d.deltas, limit.Delta{
				Resource: res, Applied: applied, Wanted: total, AtLimit: d.atLimit(c, res),
			})
		}
	}
	d.totals = totals
	return asked
}

// wishFor is the largest count that is wished for on account of a container's
// resource. A wish made of a resource of the pods is about that resource; any
// other is about all of them (readings H8). A metric without a sample stands
// for the current count, unless it is to be ignored.
func (d *draft) wishFor(container string, res scale.Resource) (count int32, ok bool) {
	if !d.wish.Informed {
		return 0, false
	}
	for i := range d.Steps {
		s := &d.Steps[i]
		if s.Stage != scale.StageHorizontal || s.Metric == nil || !d.isAbout(s.Metric.Index, container, res) {
			continue
		}
		if s.Metric.Index >= 0 && s.Reason == scale.NoData && d.policy.Horizontal.Metrics[s.Metric.Index].OnMissing.Policy == horizontal.Ignore {
			continue
		}
		count, ok = max(count, s.Out.Replicas), true
	}
	return count, ok
}

// isAbout tells whether the wish of a metric is about a container's resource. A
// metric of a resource that no pod requests has no total of its own, so its wish
// is about the pods as they are.
func (d *draft) isAbout(metric int, container string, res scale.Resource) bool {
	if metric < 0 || d.policy.Horizontal.Metrics[metric].Kind >= horizontal.Pods {
		return true
	}
	m := &d.policy.Horizontal.Metrics[metric]
	requested := false
	for i := range d.From.Containers {
		c := &d.From.Containers[i]
		request, _ := c.Requests.Get(m.Resource)
		requested = requested || (request > 0 && (m.Container == "" || m.Container == c.Name))
	}
	return !requested || (m.Resource == res && (m.Container == "" || m.Container == container))
}

type recommendation struct{ *scale.Recommendation }

func (d *draft) recommendation(container string) recommendation {
	for i := range d.seen.Recommended {
		if d.seen.Recommended[i].Container == container {
			return recommendation{&d.seen.Recommended[i]}
		}
	}
	return recommendation{}
}

// total is what is recommended in all; nothing, or less, is no recommendation.
func (r recommendation) total(res scale.Resource, replicas int32) scale.Amount {
	if r.Recommendation == nil {
		return 0
	}
	if total, ok := r.Total.Get(res); ok {
		return total
	}
	return r.perPod(res).Times(int64(replicas))
}

func (r recommendation) perPod(res scale.Resource) scale.Amount {
	if r.Recommendation == nil {
		return 0
	}
	perPod, _ := r.PerPod.Get(res)
	return perPod
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
func (d *draft) deltasTo(to scale.Size) []limit.Delta {
	var deltas []limit.Delta
	for i := range d.From.Containers {
		for _, res := range scale.EveryResource {
			before, _ := d.From.Containers[i].Requests.Get(res)
			after, _ := to.Containers[i].Requests.Get(res)
			if before > 0 || after > 0 {
				deltas = append(deltas, limit.Delta{
					Resource: res, Applied: before.Times(int64(d.From.Replicas)), Wanted: after.Times(int64(to.Replicas)),
					AtLimit: d.atLimit(&d.From.Containers[i], res),
				})
			}
		}
	}
	return deltas
}

// outOfMemory tells whether memory ran out since the last change.
func (d *draft) outOfMemory() bool {
	for i := range d.seen.Pods {
		if at := d.seen.Pods[i].OutOfMemoryAt; !at.IsZero() && at.After(d.memory.LastEventAt) && !at.After(d.seen.At) {
			return true
		}
	}
	return false
}

// atLimit tells whether some pod's container uses all that its limit in force
// allows.
func (d *draft) atLimit(c *scale.Container, res scale.Resource) bool {
	for i := range d.seen.Pods {
		for j := range d.seen.Pods[i].Containers {
			pc := &d.seen.Pods[i].Containers[j]
			if pc.Name != c.Name {
				continue
			}
			usage, known := pc.Usage.Get(res)
			if bound, limited := pc.MayUse(c, res); known && limited && usage >= bound {
				return true
			}
		}
	}
	return false
}
