package engine

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

const (
	// enoughPercent of what is wanted is enough: to measure takes some away.
	enoughPercent = 98
	// shortLooks is for how many looks in a row pods may have less than is
	// wanted before others are started instead.
	shortLooks = 2
	// patience is after how long a deferred resize counts as one that does not
	// come. It is that of whoever resizes.
	patience = 5 * time.Minute
)

// lag is what pods have not got of the size that was decided.
type lag struct {
	pods scale.PodNames
	// worst is how far the resize has come that is stuck the most.
	worst scale.Resize
	// stuck is set when a resize will not come: never, or not for long.
	stuck bool
}

// makeUp lets the count make up for sizes that do not come: it does not fall
// below what the pods in force need, and after two looks it grows by what is
// missing.
func (d *draft) makeUp() {
	late := d.late()
	if late.pods.Count() == 0 {
		d.memory.Short, d.memory.ShortCount = 0, 0
		return
	}
	want := d.size.Replicas
	if d.policy.sizes() {
		want = max(want, d.madeUp(&late))
	}
	d.waitFor(&late, want)
}

// waitFor leaves behind a step that names the pods, and follows the count that
// makes up for them.
func (d *draft) waitFor(late *lag, want int32) {
	before := d.size
	reason := scale.ResizePending
	if want > d.size.Replicas {
		reason, d.made = scale.ResizeLagging, want
		d.size = d.sizedFor(want)
		d.deltas = d.deltasTo(d.size)
		if d.side = scale.DirectionOf(d.From.Replicas, want); d.side == scale.None {
			d.side = sideOf(d.deltas)
		}
		switch {
		case want > d.From.Replicas:
			d.Reason = reason
		case want == d.From.Replicas:
			d.LimitedBy = reason
		}
	}
	d.Steps = append(d.Steps, scale.Step{
		Stage: scale.StageCombine, Reason: reason, In: before, Out: d.size, Limit: d.size.Replicas, Pods: &late.pods, Resize: late.worst,
	})
}

// late finds the pods that have less than they should.
func (d *draft) late() lag {
	var out lag
	for i := range d.seen.Pods {
		p := &d.seen.Pods[i]
		if p.Ended() || p.Phase == scale.Pending || !d.lags(p) {
			continue
		}
		state := p.Resizing()
		out.pods.Add(p.Name)
		out.worst = max(out.worst, state)
		out.stuck = out.stuck || state == scale.ResizeInfeasible ||
			state == scale.ResizeDeferred && !p.ResizeSince.IsZero() && d.seen.At.Sub(p.ResizeSince) >= patience
	}
	return out
}

// lags tells whether a pod has less in force than it was asked to have or,
// where pods are sized, than was decided.
func (d *draft) lags(p *scale.Pod) bool {
	sizes := d.policy.sizes()
	for i := range p.Containers {
		c := &p.Containers[i]
		if !sizes && c.InForce.Empty() {
			continue
		}
		for _, r := range scale.EveryResource {
			has, known := c.Has(r)
			if !known {
				continue
			}
			if asked, ok := c.Requests.Get(r); ok && has < asked || sizes && has < d.meant(c.Name, r)-gap {
				return true
			}
		}
	}
	return false
}

// meant is what a container should request: what it was found to or, where no pod
// was asked for it yet, what was decided last. Some pods are never asked.
func (d *draft) meant(container string, r scale.Resource) scale.Amount {
	request := d.request(container, r)
	if j := sizedAs(d.memory.Sized, container); j >= 0 {
		return max(request, d.memory.Sized[j].request(r))
	}
	return request
}

// madeUp is how many pods there have to be for what is in force to be enough.
//
// Pods that have just been started have no samples yet, and what is needed looks
// larger with each of them: it is counted when pods are first found short, and
// again only when a metric asks for more.
func (d *draft) madeUp(late *lag) int32 {
	there := max(d.From.Replicas, 0)
	least, most := d.inForceCounts()
	if least <= there {
		d.memory.Short, d.memory.ShortCount = 0, 0
		return min(most, there)
	}
	if d.memory.ShortCount == 0 || d.total > 0 || d.wish.Informed && d.wish.Replicas > d.From.Replicas {
		d.memory.ShortCount = least
	}
	if d.memory.Short = min(d.memory.Short+1, shortLooks); d.memory.Short < shortLooks {
		return there
	}
	return max(there, min(least, d.memory.ShortCount, d.mostMadeUp(late)))
}

// inForceCounts is how many pods it takes: at least by what is measured, at most
// if pods that are not measured do as much as the others.
func (d *draft) inForceCounts() (least, most int32) {
	for i := range d.From.Containers {
		for _, r := range scale.EveryResource {
			n := d.needed(i, r)
			if n.least <= 0 || n.each <= 0 {
				continue
			}
			has := d.inForce(i, r)
			least = max(least, countInForce(has, n.least, n.each))
			most = max(most, countInForce(has, n.most, n.each))
		}
	}
	return least, most
}

// need is a total of a resource, and what a pod has that is started for it.
type need struct{ least, most, each scale.Amount }

// needed is what metrics and recommendations ask for of a resource; nothing where
// more pods would not help.
func (d *draft) needed(i int, r scale.Resource) need {
	name := d.From.Containers[i].Name
	request, _ := d.From.Containers[i].Requests.Get(r)
	switch {
	case d.total > 0:
		if r == scale.CPU && i == d.pods.Container {
			total := d.total
			if d.Reason == scale.HeadroomHeld {
				total = min(total, d.memory.Elastic.Needed())
			}
			return need{total, total, d.policy.Elastic.Usual}
		}
	case d.totals != nil:
		total, _ := d.totals[i].Get(r)
		return d.askedFor(name, r, total, d.meant(name, r))
	case d.policy.Rightsize != nil && d.wish.Informed && d.policy.Rightsize.InNumbers(name, r):
		return d.askedFor(name, r, request.Times(int64(d.wish.Replicas)), request)
	}
	return need{}
}

// askedFor is what is needed where so much is wished for. While a count is held,
// or falls, the pods that made up for others are part of the wish: then what pods
// are seen to use says how much is needed, and no more is.
func (d *draft) askedFor(name string, r scale.Resource, wished, each scale.Amount) need {
	request, used, most := d.request(name, r), scale.Amount(-1), scale.Amount(-1)
	for j := range d.Steps {
		facts := d.Steps[j].Metric
		if facts == nil || facts.Index < 0 || !facts.Known || facts.Headroom != nil {
			continue
		}
		m := &d.policy.Horizontal.Metrics[facts.Index]
		if of, ok := d.containerOf(m); !ok || of != name || m.Resource != r || m.Kind >= horizontal.Pods || m.Type != scale.Utilization {
			continue
		}
		per := request.Share(int64(facts.Value), int64(m.Band.High))
		used = max(used, per.Times(int64(facts.Pods.Counted)))
		most = max(most, per.Times(int64(facts.Pods.Counted+facts.Pods.Missing+facts.Pods.Unready)))
	}
	if used < 0 || d.wish.Replicas > d.From.Replicas {
		return need{wished, wished, each}
	}
	return need{min(wished, used), min(wished, most), each}
}

// inForce is what each pod has of a resource. Pods that are on their way, placed
// or not even created, count as ordered.
func (d *draft) inForce(i int, r scale.Resource) []scale.Amount {
	c := &d.From.Containers[i]
	ordered, _ := c.Requests.Get(r)
	var out []scale.Amount
	for j := range d.seen.Pods {
		p := &d.seen.Pods[j]
		if p.Ended() {
			continue
		}
		has := ordered
		for k := range p.Containers {
			if p.Containers[k].Name == c.Name && p.Phase != scale.Pending {
				if in, known := p.Containers[k].Has(r); known {
					has = in
				}
			}
		}
		out = append(out, has)
	}
	for len(out) < int(d.From.Replicas) {
		out = append(out, ordered)
	}
	return out
}

// countInForce is how many of the pods have a total, even if the largest of them
// are those that leave; where all are too few, how many it takes with new ones.
func countInForce(has []scale.Amount, total, each scale.Amount) int32 {
	slices.Sort(has)
	enough, sum := total.Share(enoughPercent, 100), scale.Amount(0)
	for i, amount := range has {
		if sum = sum.Add(amount); sum >= enough {
			return int32(i + 1)
		}
	}
	missing := scale.NewRatio(scale.Product{int64(total - sum), 1}, scale.Product{}, scale.Product{int64(each), 1}).Ceil(1)
	return int32(min(int64(len(has))+int64(missing), int64(mostReplicas)))
}

// mostReplicas is more than any workload has.
const mostReplicas int32 = 1 << 30

// mostMadeUp is how far the count may go for sizes that do not come: with
// intervals to the next one, and past the preferred maximum only where pods
// cannot grow.
func (d *draft) mostMadeUp(late *lag) int32 {
	most := mostReplicas
	if d.policy.Interval != nil {
		most = max(d.From.Replicas, d.size.Replicas) + 1
	}
	if r := d.policy.Rightsize; r != nil && r.PreferredMax > 0 && !late.stuck {
		most = min(most, max(r.PreferredMax, d.From.Replicas))
	}
	return most
}

// sizedFor is the size of so many pods.
func (d *draft) sizedFor(count int32) scale.Size {
	switch {
	case d.total > 0:
		return d.policy.Elastic.Sized(d.pods, d.total, count)
	case d.totals != nil:
		return d.policy.Interval.Sized(d.From, d.totals, count).Size
	}
	return d.size.WithReplicas(count)
}
