package engine

import (
	"slices"
	"strings"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/engine/rightsize"
	"github.com/tidemark/tidemark/scale"
)

// rightsize sizes the pods while metrics decide their number.
func (in input) rightsize(p *plan, d *desired, b *scale.Bounds) {
	rules := in.policy.Rightsize
	choice := rules.Choose(*in.from, in.demand(p, d, b))
	p.Size = choice.Size
	p.Deltas = in.deltasTo(p.Size)
	if p.Side == scale.None {
		p.Side = sideOf(p.Deltas)
	}
	if choice.Followed || d.Informed || len(d.Metrics) > 0 {
		p.waitsForRecommendations(in, func(i int, res scale.Resource) bool { return rules.InSize(in.from.Containers[i].Name, res) })
	}
	if !choice.Grew && !p.Size.WithReplicas(in.from.Replicas).Equal(*in.from) {
		p.step(in, scale.RightSized)
	}
	p.limitedIf(in, choice.Grew && !choice.Full, scale.PreferredMaxReplicas)
	p.limitedIf(in, choice.Full, b.MaxReason)
	p.limitedIf(in, choice.Short != "" && choice.Short != scale.MaximumResource, choice.Short)
	p.limitedIf(in, choice.AtMax, scale.MaximumResource)
	p.limitedIf(in, choice.AtMin, scale.MinimumResource)
	// Where recommendations alone size the pods, nobody says how many there should be.
	switch alone := len(d.Metrics) == 0 && !d.Informed; {
	case alone && choice.Followed:
		p.Reason = scale.RightSized
	case alone && rules.Follows():
		p.unrecommended(in)
	}
}

// demand sums up what metrics and recommendations ask for.
func (in input) demand(p *plan, d *desired, b *scale.Bounds) rightsize.Demand {
	demand := rightsize.Demand{Desired: d.Replicas, Informed: d.Informed, Max: b.Max, Recommended: in.obs.Recommended}
	if b.MinReason == scale.MinReplicas {
		demand.Min, demand.Sharing = b.Min, b.Min
		if in.policy.TunesHPA {
			// The HPA brings the others, when it does.
			demand.Sharing = in.from.Replicas
		}
	}
	if in.obs.Capacity != nil {
		demand.Largest = in.largestOfAll()
	}
	p.Past = slices.Clone(p.Past)
	for i := range d.Answers {
		facts := d.Answers[i].Metric
		if facts.Index < 0 || d.Metrics[facts.Index].Kind >= horizontal.Pods {
			continue
		}
		s := in.source(p, &d.Metrics[facts.Index], facts)
		demand.Sources = append(demand.Sources, s)
		if facts.Index == d.Source {
			demand.Bottleneck, demand.Known = s, true
		}
	}
	if demand.Known && demand.Bottleneck.Container == "" {
		demand.Used = in.used(demand.Bottleneck.Resource)
	}
	return demand
}

// source is a metric that measures a resource of the pods.
func (in input) source(p *plan, m *horizontal.Metric, facts *scale.MetricFacts) rightsize.Source {
	s := rightsize.Source{Resource: m.Resource}
	s.Container, _ = containerOf(m, in.from.Containers)
	if m.Type == scale.Utilization {
		s.Percent = int32(m.Band.High / scale.Thousand)
	}
	request := in.request(s.Container, m.Resource)
	if facts.Known && facts.Headroom == nil && request > 0 {
		applied := request.Times(int64(in.from.Replicas))
		need := p.Past.Stabilize(&in.policy.Limit, limit.Total{
			At: in.obs.At, Container: s.Container, Resource: m.Resource,
			Desired: applied.Share(int64(facts.Value), int64(m.Band.High)), Applied: applied,
		})
		if in.measuredSince(in.memory.LastEventAt) {
			s.Need, s.Busiest = need, in.busiest(s.Container, m.Resource)
		}
	}
	return s
}

// unrecommended leaves a step behind that says why there is nothing to size the
// pods by.
func (p *plan) unrecommended(in input) {
	p.Steps = append(p.Steps, in.note(scale.Step{
		Stage: scale.StageCombine, Reason: scale.NoData, Limit: in.from.Replicas, Problem: in.obs.Unrecommended,
	}))
}

// waitsForRecommendations leaves a step behind that names what is to be sized by
// recommendations and has none. Its request stays meanwhile, however full the
// pods are. It keeps nothing back, so it comes before the steps that do.
func (p *plan) waitsForRecommendations(in input, follows func(i int, res scale.Resource) bool) {
	if in.from.Replicas == 0 {
		return
	}
	var names []string
	for i := range in.from.Containers {
		container := in.from.Containers[i].Name
		for _, res := range scale.EveryResource {
			if _, total := in.recommended(container, res); total <= 0 && follows(i, res) {
				names = append(names, res.String()+" of "+container)
			}
		}
	}
	if names != nil {
		p.Steps = append(p.Steps, in.note(scale.Step{
			Stage: scale.StageCombine, Reason: scale.Unrecommended, Limit: in.from.Replicas,
			Resources: strings.Join(names, ", "), Problem: in.obs.Unrecommended,
		}))
	}
}
