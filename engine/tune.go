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
func TargetsInForce(p Policy, seen scale.Observation, past Memory) []scale.LearnedTarget {
	if !p.Learn.Targets {
		return nil
	}
	var out []scale.LearnedTarget
	for _, t := range targetsInForce(&p, &seen, &past) {
		resource, _ := scale.ParseResource(t.Resource)
		out = append(out, scale.LearnedTarget{Container: t.Container, Resource: resource, Percent: t.Percent})
	}
	return out
}

// targetsInForce are the targets that may be learned: those in the list of the
// HPA that is tuned, or else of the policy's own metrics.
func targetsInForce(p *Policy, seen *scale.Observation, past *Memory) []learn.Target {
	remembered := func(container string, res scale.Resource) (learn.Target, bool) {
		i := slices.IndexFunc(past.Learned.Targets, func(t learn.Target) bool { return t.Container == container && t.Resource == res.String() })
		if i < 0 {
			return learn.Target{Container: container, Resource: res.String()}, false
		}
		return past.Learned.Targets[i], true
	}
	var out []learn.Target
	if p.TunesHPA && seen.HPA != nil {
		for _, own := range seen.HPA.Targets {
			t, known := remembered(own.Container, own.Resource)
			if !known {
				t.Percent = own.Percent
			}
			out = append(out, t.Found(own.Percent, seen.At))
		}
		return out
	}
	for i := range p.Horizontal.Metrics {
		m := &p.Horizontal.Metrics[i]
		container, ok := learnable(m, seen.Target.Containers)
		if !ok || slices.ContainsFunc(out, func(t learn.Target) bool { return t.Container == container && t.Resource == m.Resource.String() }) {
			continue
		}
		stated := int32(m.Band.High / scale.Thousand)
		t, known := remembered(container, m.Resource)
		switch {
		case !known:
			t.Percent = stated
		case t.Stated != 0 && t.Stated != stated:
			t = t.Found(stated, seen.At)
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

// withMetricsOf gives a policy without metrics those of the HPA that it tunes.
// The HPA scales by them, and pods are sized by what it wishes for.
func withMetricsOf(p Policy, seen *scale.Observation) Policy {
	if seen.HPA == nil || len(p.Horizontal.Metrics) > 0 {
		return p
	}
	for _, t := range seen.HPA.Targets {
		mark := scale.Amount(t.Percent) * scale.Thousand
		p.Horizontal.Metrics = append(p.Horizontal.Metrics, horizontal.Metric{
			Kind: horizontal.ContainerResource, Name: t.Resource.String() + " of " + t.Container, Type: scale.Utilization,
			Resource: t.Resource, Container: t.Container, Band: scale.Band{Low: mark, High: mark},
		})
	}
	return p
}

// onlyTheHPAKnows tells that the HPA scales by metrics that are not ours to read.
// That there is nothing to go by here is no lack of data then.
func (d *draft) onlyTheHPAKnows() bool {
	return d.policy.TunesHPA && d.seen.HPA != nil && len(d.policy.Horizontal.Metrics) == 0 && d.seen.Requested == nil
}

// outerBounds are the bounds that nothing learned may leave. Where an HPA is
// tuned, a bound that nobody stated is the HPA's own while nothing is known, and
// none once something is.
func (d *draft) outerBounds() learn.Bounds {
	limits, rules, own := &d.policy.Limit, &d.policy.Learn, d.seen.HPA
	b := learn.Bounds{Min: limits.Min, Max: limits.Max, MinReason: scale.MinReplicas, MaxReason: scale.MaxReplicas}
	if !d.policy.TunesHPA {
		return b
	}
	switch {
	case rules.MaxStated:
	case d.seen.Learned != nil && d.seen.Learned.Max > 0:
		b.Max = math.MaxInt32
	case own != nil:
		b.Max = max(own.Max, 1)
	}
	if rules.MinStated {
		b.Min = min(b.Min, b.Max)
	}
	if !rules.MinStated && own != nil && (d.seen.Learned == nil || d.seen.Learned.Min <= 0) {
		b.Min = min(max(own.Min, 0), b.Max)
	}
	return b
}

// tune leaves the count to an existing HPA: what is proposed for it is not
// applied, but the bounds and targets behind it are. Pods may be sized beside.
func (d *draft) tune() {
	limits := &d.policy.Limit
	d.Tuning = &scale.Tuning{Targets: d.targets}
	least, most := d.opinions()
	if least {
		d.Tuning.Min = new(limits.Min)
	}
	if most {
		d.Tuning.Max = new(limits.Max)
	}
	if len(d.From.Containers) == 1 {
		d.Tuning.Alone = d.From.Containers[0].Name
	}
	if own := d.seen.HPA; own != nil && d.policy.Learn.Targets && len(own.Targets) == 0 {
		d.Tuning.Untuned = append([]string{"none of its metrics can be tuned"}, own.Untuned...)
	}
	if d.Want.Replicas != d.From.Replicas {
		left := d.Want.WithReplicas(d.From.Replicas)
		d.step(scale.Step{Reason: scale.LeftToHPA, In: d.Want, Out: left})
		d.Want = left
	}
}

// tunes tells whether the tuning differs from what the HPA's owner gave it.
func (d *draft) tunes() bool {
	t, own := d.Tuning, d.seen.HPA
	if t == nil || own == nil {
		return false
	}
	return (t.Min != nil && *t.Min != own.Min) || (t.Max != nil && *t.Max != own.Max) ||
		slices.ContainsFunc(t.Targets, func(to scale.LearnedTarget) bool { return !slices.Contains(own.Targets, to) })
}

// opinions tells which of the bounds were stated or learned. In an emergency the
// minimum is the maximum, whoever's that is.
func (d *draft) opinions() (least, most bool) {
	rules, learned := &d.policy.Learn, scale.Learned{}
	if d.seen.Learned != nil {
		learned = *d.seen.Learned
	}
	most = rules.MaxStated || learned.Max > 0
	least = rules.MinStated || learned.Min > 0
	own := d.seen.HPA
	if d.policy.Limit.MinReason == scale.Emergency {
		least = most || own != nil
	}
	// Where the administrator's minimum leaves no other count, it is the reason for
	// both bounds.
	b := &d.policy.Limit
	least = least || (most && b.Min == b.Max && b.Min == rules.AdminMin)
	// Only the administrator's minimum passes the HPA's own maximum, which then
	// has to make room for it.
	most = most || (least && own != nil && d.policy.Limit.Min > own.Max)
	return least, most
}

// cut says that a stated minimum is above the maximum that the HPA's owner gave
// it, and nobody asked for another.
func (d *draft) cut(stated int32) {
	own, now := d.seen.HPA, &d.policy.Limit
	if d.policy.TunesHPA && own != nil && d.policy.Learn.MinStated && stated > now.Min && now.Max == own.Max {
		why := fmt.Sprintf("maxReplicas of %d stays as it is, and the minimum of %d is cut to it: state replicas.max as well", own.Max, stated)
		d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLearn, Reason: scale.NotTuned, In: d.From, Out: d.From, Problem: why})
	}
}

// untuned says which of the HPA's metrics keep their targets although targets
// are learned.
func (d *draft) untuned() {
	if !d.policy.TunesHPA || d.seen.HPA == nil || !d.policy.Learn.Targets {
		return
	}
	for _, why := range d.seen.HPA.Untuned {
		d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLearn, Reason: scale.NotTuned, In: d.From, Out: d.From, Problem: why})
	}
}
