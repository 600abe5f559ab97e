package engine

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

const (
	// shortLooks is for how many looks in a row pods may have less than is
	// wanted before others are started instead.
	shortLooks = 2
	// patience is after how long a deferred resize counts as one that does not
	// come. It is that of whoever resizes.
	patience = 5 * time.Minute
)

// shortage is what is remembered of pods that have less than is wanted: for how
// many looks in a row that was so, and how many pods it takes to make up for it.
type shortage struct{ Looks, Count int32 }

// lag is what pods have not got of the size that was decided.
type lag struct {
	// pods is nil where all have it.
	pods *scale.PodNames
	// worst is how far the resize has come that is stuck the most.
	worst scale.Resize
	// stuck is set when a resize will not come: never, or not for long.
	stuck bool
}

// makeUp lets the count make up for sizes that do not come: it does not fall
// below what the pods in force need, and after two looks it grows by what is
// missing.
func (in input) makeUp(p *plan, d *desired) {
	late := in.late()
	if late.pods == nil {
		p.Short = shortage{}
		return
	}
	before, want, reason := p.Size, p.Size.Replicas, scale.ResizePending
	if in.policy.Sizes() {
		var count int32
		count, p.Short = in.madeUp(p, d, late.stuck)
		want = max(want, count)
	}
	if want > p.Size.Replicas {
		reason, p.Count = scale.ResizeLagging, max(p.Count, want)
		p.Size, _ = in.sizedFor(want, d, p)
		p.Deltas = in.deltasTo(p.Size)
		if p.Side = scale.DirectionOf(in.from.Replicas, want); p.Side == scale.None {
			p.Side = sideOf(p.Deltas)
		}
		switch {
		case want > in.from.Replicas:
			p.Reason = reason
		case want == in.from.Replicas:
			p.LimitedBy = reason
		}
	}
	p.Steps = append(p.Steps, scale.Step{
		Stage: scale.StageCombine, Reason: reason, In: before, Out: p.Size, Limit: p.Size.Replicas, Pods: late.pods, Resize: late.worst,
	})
}

// late finds the pods that have less than they should.
func (in input) late() lag {
	var out lag
	sizes := in.policy.Sizes()
	for i := range in.obs.Pods {
		p := &in.obs.Pods[i]
		if !sizes && !p.PartlyInForce() || p.Ended() || p.Phase == scale.Pending || !in.lags(p, sizes) {
			continue
		}
		if out.pods == nil {
			out.pods = new(scale.PodNames)
		}
		state := p.Resizing()
		out.pods.Add(p.Name)
		out.worst = max(out.worst, state)
		out.stuck = out.stuck || state == scale.ResizeInfeasible ||
			state == scale.ResizeDeferred && !p.ResizeSince.IsZero() && in.obs.At.Sub(p.ResizeSince) >= patience
	}
	return out
}

// lags tells whether a pod has less in force than it was asked to have or,
// where pods are sized, than was decided.
func (in input) lags(p *scale.Pod, sizes bool) bool {
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
			if asked, ok := c.Requests.Get(r); ok && has < asked || sizes && has < in.intended(c.Name, r)-gap {
				return true
			}
		}
	}
	return false
}

// intended is what a container should request: what it was found to or, where no
// pod was asked for it yet, what was decided last. Some pods are never asked.
func (in input) intended(container string, r scale.Resource) scale.Amount {
	request := in.request(container, r)
	if j := sizedIndex(in.memory.Sized, container); j >= 0 {
		return max(request, in.memory.Sized[j].request(r))
	}
	return request
}

// madeUp is how many pods there have to be for what is in force to be enough, and
// what to remember of that.
//
// Pods that have just been started have no samples yet, and what is needed looks
// larger with each of them: it is counted when pods are first found short, and
// again only when a metric asks for more.
func (in input) madeUp(p *plan, d *desired, stuck bool) (int32, shortage) {
	there, short := max(in.from.Replicas, 0), p.Short
	least, most := in.inForceCounts(p, d)
	if least <= there {
		return min(most, there), shortage{}
	}
	if short.Count == 0 || d.Elastic.Set || p.Informed && d.Replicas > in.from.Replicas {
		short.Count = least
	}
	if short.Looks = min(short.Looks+1, shortLooks); short.Looks < shortLooks {
		return there, short
	}
	return max(there, min(least, short.Count, in.mostMadeUp(p, stuck))), short
}

// mostMadeUp is how far the count may go for sizes that do not come: with
// intervals to the next one, and past the preferred maximum only where pods
// cannot grow.
func (in input) mostMadeUp(p *plan, stuck bool) int32 {
	most := mostReplicas
	if in.policy.Interval != nil {
		most = max(in.from.Replicas, p.Size.Replicas) + 1
	}
	if r := in.policy.Rightsize; r != nil && r.PreferredMax > 0 && !stuck {
		most = min(most, max(r.PreferredMax, in.from.Replicas))
	}
	return most
}
