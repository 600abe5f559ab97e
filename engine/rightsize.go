package engine

import (
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/rightsize"
	"github.com/tidemark/tidemark/scale"
)

// rightsize sizes the pods while metrics decide their number.
func (d *draft) rightsize() {
	choice := d.policy.Rightsize.Choose(d.From, d.demand())
	d.size = choice.Size
	d.deltas = d.deltasTo(d.size)
	if d.side = scale.DirectionOf(d.From.Replicas, d.wish.Replicas); d.side == scale.None {
		d.side = sideOf(d.deltas)
	}
	if choice.Followed || d.wish.Informed || len(d.policy.Horizontal.Metrics) > 0 {
		d.waitsForRecommendations(d.vertical)
	}
	if !choice.Grew && !d.size.WithReplicas(d.From.Replicas).Equal(d.From) {
		d.combined(scale.RightSized)
	}
	d.limited(choice.Grew && !choice.Full, scale.PreferredMaxReplicas)
	d.limited(choice.Full, d.policy.Limit.MaxReason)
	d.limited(choice.AtMax, scale.MaximumResource)
	d.limited(choice.AtMin, scale.MinimumResource)
	if len(d.policy.Horizontal.Metrics) == 0 && !d.wish.Informed {
		d.withoutMetrics(choice)
	}
}

// withoutMetrics gives the reason where recommendations alone size the pods, and
// nobody says how many there should be.
func (d *draft) withoutMetrics(choice rightsize.Choice) {
	switch {
	case choice.Followed:
		d.Reason = scale.RightSized
	case d.policy.Rightsize.Follows():
		d.unrecommended()
	}
}

// demand sums up what metrics and recommendations ask for.
func (d *draft) demand() rightsize.Demand {
	demand := rightsize.Demand{
		Wish: d.wish.Replicas, Informed: d.wish.Informed, Max: d.policy.Limit.Max, Recommended: d.seen.Recommended,
	}
	if limits := &d.policy.Limit; limits.MinReason == scale.MinReplicas {
		demand.Min, demand.Sharing = limits.Min, limits.Min
		if d.policy.TunesHPA {
			// The HPA brings the others, when it does.
			demand.Sharing = d.From.Replicas
		}
	}
	for i := range d.Steps {
		facts := d.Steps[i].Metric
		if facts == nil || facts.Index < 0 || d.policy.Horizontal.Metrics[facts.Index].Kind >= horizontal.Pods {
			continue
		}
		s := d.source(&d.policy.Horizontal.Metrics[facts.Index], facts)
		demand.Sources = append(demand.Sources, s)
		if facts.Index == d.wish.Source {
			demand.Bottleneck, demand.Known = s, true
		}
	}
	if demand.Known && demand.Bottleneck.Container == "" {
		demand.Used = d.used(demand.Bottleneck.Resource)
	}
	return demand
}

// used is what all pods use of a resource, container by container.
func (d *draft) used(res scale.Resource) []scale.Amount {
	out := make([]scale.Amount, len(d.From.Containers))
	for i := range d.seen.Pods {
		for j := range d.seen.Pods[i].Containers {
			pc := &d.seen.Pods[i].Containers[j]
			usage, _ := pc.Usage.Get(res)
			for k := range d.From.Containers {
				if d.From.Containers[k].Name == pc.Name {
					out[k] = out[k].Add(max(usage, 0))
				}
			}
		}
	}
	return out
}

// busiest is the most that one pod's container uses of a resource.
func (d *draft) busiest(container string, res scale.Resource) scale.Amount {
	most := scale.Amount(0)
	for i := range d.seen.Pods {
		for j := range d.seen.Pods[i].Containers {
			if pc := &d.seen.Pods[i].Containers[j]; pc.Name == container && !d.seen.Pods[i].Ended() {
				usage, _ := pc.Usage.Get(res)
				most = max(most, usage)
			}
		}
	}
	return most
}

// source is a metric that measures a resource of the pods.
func (d *draft) source(m *horizontal.Metric, facts *scale.MetricFacts) rightsize.Source {
	s := rightsize.Source{Resource: m.Resource}
	s.Container, _ = d.containerOf(m)
	if m.Type == scale.Utilization {
		s.Percent = int32(m.Band.High / scale.Thousand)
	}
	request := d.request(s.Container, m.Resource)
	if facts.Known && facts.Headroom == nil && request > 0 {
		applied := request.Times(int64(d.From.Replicas))
		need := applied.Share(int64(facts.Value), int64(m.Band.High))
		need = d.memory.StabilizeTotal(&d.policy.Limit, d.seen.At, s.Container, m.Resource, need, applied)
		if d.measuredSince(d.memory.LastEventAt) {
			s.Need, s.Busiest = need, d.busiest(s.Container, m.Resource)
		}
	}
	return s
}

// measuredSince tells whether all of what was measured is from after a moment.
// Before the last change the pods that have gone since did a part of the work:
// what the others used says too little, and they would be made too small.
func (d *draft) measuredSince(at time.Time) bool {
	for i := range d.seen.Pods {
		if p := &d.seen.Pods[i]; !p.Ended() && !p.UsageAt.IsZero() && p.UsageAt.Add(-p.UsageWindow).Before(at) {
			return false
		}
	}
	return true
}

// request is what one pod's container requests now; 0 is nothing.
func (d *draft) request(container string, res scale.Resource) scale.Amount {
	for i := range d.From.Containers {
		if d.From.Containers[i].Name == container {
			request, _ := d.From.Containers[i].Requests.Get(res)
			return request
		}
	}
	return 0
}
