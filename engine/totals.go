package engine

import (
	"slices"

	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// byTotals looks up the totals that are asked for, once they are stable.
func (in input) byTotals(p *plan, d *desired, b *scale.Bounds) {
	p.Size, p.Side, p.ByTotals = *in.from, scale.None, true
	asked := in.askedTotals(d)
	if asked == nil {
		p.Reason, p.Informed = scale.NoData, false
		p.unrecommended(in)
		return
	}
	p.Informed, p.Urgent = true, in.outOfMemory()
	stable := in.stableTotals(p, asked)
	p.Deltas = in.deltas(func(i int, res scale.Resource) (scale.Amount, bool) { return stable[i].Get(res) })
	p.Side = sideOf(p.Deltas)
	p.Totals = in.keepFalling(p, stable, b)
	if in.obs.Unrecommended != "" {
		p.waitsForRecommendations(in, func(i int, res scale.Resource) bool {
			return !p.Totals[i].States(res) && in.policy.Interval.Counts(in.from.Containers[i].Name, res)
		})
	}
	choice := in.policy.Interval.Choose(*in.from, p.Totals)
	p.Size, p.Reason = choice.Size, choice.Reason
	p.step(in, choice.Reason)
	p.limitedIf(in, choice.Kept, scale.KeepLargerRequest)
	p.limitedIf(in, choice.AtMin, scale.MinimumResource)
	p.limitedIf(in, choice.AtMax, scale.MaximumResource)
	p.limitedIf(in, choice.Postponed, scale.ScaleInPostponed)
	if !slices.Equal(stable, asked) {
		unstable := in.policy.Interval.Choose(*in.from, asked)
		p.Reason = unstable.Reason
		p.limit(scale.Stabilized, unstable.Size, p.Size)
	}
}

// askedTotals takes the largest total any source asks for, per container and
// resource: the count that metrics or someone else desire at the current request,
// or the recommended request at the current count. What nobody asks for has no
// total, and keeps its request. It is nil where nobody asks for anything.
func (in input) askedTotals(d *desired) interval.Totals {
	if in.from.Replicas == 0 {
		return nil
	}
	var totals interval.Totals
	for i := range in.from.Containers {
		c := &in.from.Containers[i]
		for _, res := range scale.EveryResource {
			total := scale.Amount(0)
			if count, ok := d.countFor(in, c.Name, res); ok {
				request, _ := c.Requests.Get(res)
				total = max(0, request).Times(int64(count))
			}
			if in.policy.Interval.Counts(c.Name, res) {
				_, recommended := in.recommended(c.Name, res)
				total = max(total, recommended)
			}
			if total <= 0 {
				continue
			}
			if totals == nil {
				totals = make(interval.Totals, len(in.from.Containers))
			}
			totals[i] = totals[i].With(res, total)
		}
	}
	return totals
}

// stableTotals lets totals count only when the whole window agrees. What rises
// because memory ran out does not wait for that.
func (in input) stableTotals(p *plan, asked interval.Totals) interval.Totals {
	stable := asked
	p.Past = slices.Grow(slices.Clone(p.Past), max(0, len(asked)*len(scale.EveryResource)-len(p.Past)))
	for i := range asked {
		for _, res := range scale.EveryResource {
			total, ok := asked[i].Get(res)
			applied := in.applied(i, res)
			if !ok || p.Urgent && total >= applied {
				continue
			}
			counts := p.Past.Stabilize(&in.policy.Limit, limit.Total{
				At: in.obs.At, Container: in.from.Containers[i].Name, Resource: res, Desired: total, Applied: applied,
			})
			if counts == total {
				continue
			}
			if &stable[0] == &asked[0] {
				stable = slices.Clone(asked)
			}
			stable[i] = stable[i].With(res, counts)
		}
	}
	return stable
}

// keepFalling keeps the totals that fall where they are while scaling down is
// shut: something else that rises must not open the way for them.
func (in input) keepFalling(p *plan, totals interval.Totals, b *scale.Bounds) interval.Totals {
	falling := func(delta limit.Delta) bool { return delta.Wanted < delta.Applied }
	if p.Side != scale.Up || !slices.ContainsFunc(p.Deltas, falling) {
		return totals
	}
	c, shut := in.change(p, b, in.memory.Sides), scale.Reason("")
	c.Side, c.Urgent = scale.Down, false
	c.Deltas = slices.DeleteFunc(slices.Clone(p.Deltas), func(delta limit.Delta) bool { return !falling(delta) })
	for _, v := range limit.Gate(&c) {
		if v.Reason != "" {
			shut = v.Reason
		}
	}
	if shut == "" {
		return totals
	}
	totals = slices.Clone(totals)
	for i := range totals {
		for _, res := range scale.EveryResource {
			if total, ok := totals[i].Get(res); ok && total < in.applied(i, res) {
				totals[i] = totals[i].With(res, in.applied(i, res))
			}
		}
	}
	p.limit(shut, *in.from, *in.from)
	return totals
}
