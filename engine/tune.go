package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/scale"
)

// TargetsInForce returns the target utilizations that a decision would begin
// with, for whoever has to know what usage was seen under. It is nil where none
// are learned.
func TargetsInForce(p Policy, obs scale.Observation, past Memory) []scale.LearnedTarget {
	if !p.Learn.Targets {
		return nil
	}
	var out []scale.LearnedTarget
	for _, t := range targetsInForce(&p, &obs, &past) {
		resource, _ := scale.ParseResource(t.Resource)
		out = append(out, scale.LearnedTarget{Container: t.Container, Resource: resource, Percent: t.Percent})
	}
	return out
}

// targetsInForce are the targets that may be learned: those in the list of the
// HPA that is tuned, or else of the policy's own metrics.
func targetsInForce(p *Policy, obs *scale.Observation, past *Memory) []learn.Target {
	remembered := func(container string, res scale.Resource) (learn.Target, bool) {
		i := slices.IndexFunc(past.Learned.Targets, func(t learn.Target) bool { return t.Container == container && t.Resource == res.String() })
		if i < 0 {
			return learn.Target{Container: container, Resource: res.String()}, false
		}
		return past.Learned.Targets[i], true
	}
	var out []learn.Target
	if p.TunesHPA && obs.HPA != nil {
		for _, own := range obs.HPA.Targets {
			t, known := remembered(own.Container, own.Resource)
			if !known {
				t.Percent = own.Percent
			}
			out = append(out, t.Found(own.Percent, obs.At))
		}
		return out
	}
	for i := range p.Horizontal.Metrics {
		m := &p.Horizontal.Metrics[i]
		container, ok := learnable(m, obs.Target.Containers)
		if !ok || slices.ContainsFunc(out, func(t learn.Target) bool { return t.Container == container && t.Resource == m.Resource.String() }) {
			continue
		}
		stated := int32(m.Band.High / scale.Thousand)
		t, known := remembered(container, m.Resource)
		switch {
		case !known:
			t.Percent = stated
		case t.Stated != 0 && t.Stated != stated:
			t = t.Found(stated, obs.At)
		}
		t.Stated = stated
		out = append(out, t)
	}
	return out
}

// learnable returns the container of a metric whose target can be learned: it
// is one mark, in percent of what the container requests.
func learnable(m *horizontal.Metric, containers []scale.Container) (string, bool) {
	if m.Type != scale.Utilization || !m.Band.Single() || m.Kind == horizontal.Pods {
		return "", false
	}
	return containerOf(m, containers)
}

// metricsOf are the metrics of a policy that tunes an HPA: its own or, where it has
// none, those of the HPA. That scales by them, and pods are sized by what it
// desires.
func metricsOf(p *Policy, obs *scale.Observation) []horizontal.Metric {
	metrics := p.Horizontal.Metrics
	if obs.HPA == nil || len(metrics) > 0 {
		return metrics
	}
	for _, t := range obs.HPA.Targets {
		mark := scale.Amount(t.Percent) * scale.Thousand
		metrics = append(metrics, horizontal.Metric{
			Kind: horizontal.ContainerResource, Name: t.Resource.String() + " of " + t.Container, Type: scale.Utilization,
			Resource: t.Resource, Container: t.Container, Band: scale.Band{Low: mark, High: mark},
		})
	}
	return metrics
}

// tunes tells whether there is an HPA to tune.
func (in input) tunes() bool { return in.policy.TunesHPA && in.obs.HPA != nil }

// onlyTheHPAKnows tells that the HPA scales by metrics that are not ours to read.
// That there is nothing to go by here is no lack of data then.
func (in input) onlyTheHPAKnows() bool {
	return in.tunes() && len(in.policy.Horizontal.Metrics) == 0 && in.obs.Requested == nil
}

// outerBounds are the bounds that nothing learned may leave. Where an HPA is
// tuned, a bound that nobody stated is the HPA's own while nothing is known, and
// none once something is.
func (in input) outerBounds() scale.Bounds {
	limits, rules, own := &in.policy.Limit, &in.policy.Learn, in.obs.HPA
	b := scale.Bounds{Min: limits.Min, Max: limits.Max, MinReason: scale.MinReplicas, MaxReason: scale.MaxReplicas}
	if !in.policy.TunesHPA {
		return b
	}
	switch {
	case rules.MaxStated:
	case in.obs.Learned != nil && in.obs.Learned.Max > 0:
		b.Max = math.MaxInt32
	case own != nil:
		b.Max = max(own.Max, 1)
	}
	switch {
	case rules.MinStated:
		b.Min = min(b.Min, b.Max)
	case own != nil && (in.obs.Learned == nil || in.obs.Learned.Min <= 0):
		b.Min = min(max(own.Min, 0), b.Max)
	}
	return b
}

// cut says that a stated minimum is above the maximum that the HPA's owner gave
// it, and nobody asked for another.
func (in input) cut(b *scale.Bounds) string {
	own, stated := in.obs.HPA, in.policy.Limit.Min
	if !in.tunes() || !in.policy.Learn.MinStated || stated <= b.Min || b.Max != own.Max {
		return ""
	}
	return fmt.Sprintf("maxReplicas of %d stays as it is, and the minimum of %d is cut to it: state replicas.max as well", own.Max, stated)
}

// tuning leaves the count to an existing HPA: what is proposed for it is not
// applied, but the bounds and targets behind it are. Pods may be sized beside.
func (in input) tuning(targets []scale.LearnedTarget, b *scale.Bounds) *scale.Tuning {
	t := &scale.Tuning{Targets: targets}
	least, most := in.opinions(b)
	if least {
		t.Min = new(b.Min)
	}
	if most {
		t.Max = new(b.Max)
	}
	if len(in.from.Containers) == 1 {
		t.Alone = in.from.Containers[0].Name
	}
	if own := in.obs.HPA; own != nil && in.policy.Learn.Targets && len(own.Targets) == 0 {
		t.Untuned = append([]string{"none of its metrics can be tuned"}, own.Untuned...)
	}
	return t
}

// retunes tells whether a tuning differs from what the HPA's owner gave it.
func (in input) retunes(t *scale.Tuning) bool {
	own := in.obs.HPA
	if t == nil || own == nil {
		return false
	}
	return (t.Min != nil && *t.Min != own.Min) || (t.Max != nil && *t.Max != own.Max) ||
		slices.ContainsFunc(t.Targets, func(to scale.LearnedTarget) bool { return !slices.Contains(own.Targets, to) })
}

// opinions tells which of the bounds were stated or learned. In an emergency the
// minimum is the maximum, whoever's that is.
func (in input) opinions(b *scale.Bounds) (least, most bool) {
	rules, known, own := &in.policy.Learn, scale.Learned{}, in.obs.HPA
	if in.obs.Learned != nil {
		known = *in.obs.Learned
	}
	most = rules.MaxStated || known.Max > 0 || b.MaxReason == scale.ScheduledMax
	least = rules.MinStated || known.Min > 0 || b.MinReason == scale.ScheduledMin
	if b.MinReason == scale.Emergency {
		least = most || own != nil
	}
	// Where the administrator's minimum leaves no other count, it is the reason for
	// both bounds.
	least = least || (most && b.Min == b.Max && b.Min == rules.AdminMin)
	// Only the administrator's minimum passes the HPA's own maximum, which then
	// has to make room for it.
	most = most || (least && own != nil && b.Min > own.Max)
	return least, most
}
