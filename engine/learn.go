package engine

import (
	"slices"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/scale"
)

// learn lets what history knows change the bounds and the targets of this
// decision.
func (d *draft) learn() {
	rules, bounds := &d.policy.Learn, &d.policy.Limit
	b := rules.Bounds(learn.Bounds{Min: bounds.Min, Max: bounds.Max, MinReason: scale.MinReplicas, MaxReason: scale.MaxReplicas}, d.seen.Learned)
	d.setBounds(b)
	for _, learned := range [...]struct {
		reason scale.Reason
		bound  int32
	}{{b.MinReason, b.Min}, {b.MaxReason, b.Max}} {
		if learned.reason == scale.LearnedMin || learned.reason == scale.LearnedMax {
			d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLearn, Reason: learned.reason, In: d.From, Out: d.From, Limit: learned.bound})
		}
	}
	if rules.Targets || (d.seen.Learned != nil && len(d.seen.Learned.Targets) > 0) {
		d.learnTargets()
	}
}

func (d *draft) setBounds(b learn.Bounds) {
	bounds := &d.policy.Limit
	bounds.Min, bounds.Max, bounds.MinReason, bounds.MaxReason = b.Min, b.Max, b.MinReason, b.MaxReason
}

// learnTargets replaces the targets of metrics that have a learned one. The
// caller's policy is shared with other decisions, so its metrics are copied.
func (d *draft) learnTargets() {
	metrics := slices.Clone(d.policy.Horizontal.Metrics)
	for i := range metrics {
		m := &metrics[i]
		if m.Type != scale.Utilization || !m.Band.Single() || m.Kind == horizontal.Pods {
			continue
		}
		container, ok := d.containerOf(m)
		if !ok {
			continue
		}
		if percent := d.targetFor(container, m); percent > 0 {
			d.targets = append(d.targets, scale.LearnedTarget{Container: container, Resource: m.Resource, Percent: percent})
			mark := scale.Amount(percent) * scale.Thousand
			if mark != m.Band.High {
				m.Band = scale.Band{Low: mark, High: mark}
				d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLearn, Reason: scale.TargetLearned, In: d.From, Out: d.From, Limit: percent})
			}
		}
	}
	d.policy.Horizontal.Metrics = metrics
}

// containerOf is the container a metric speaks of: the one it names, or the
// only one there is.
func (d *draft) containerOf(m *horizontal.Metric) (string, bool) {
	if m.Kind == horizontal.ContainerResource {
		return m.Container, true
	}
	if len(d.From.Containers) == 1 {
		return d.From.Containers[0].Name, true
	}
	return "", false
}

// targetFor is the learned target of a container's resource: what history
// says, or what follows from the recommendation; 0 when neither knows.
func (d *draft) targetFor(container string, m *horizontal.Metric) int32 {
	rules := &d.policy.Learn
	if d.seen.Learned != nil {
		for _, t := range d.seen.Learned.Targets {
			if t.Container == container && t.Resource == m.Resource {
				return rules.Clamp(t.Percent)
			}
		}
	}
	if !rules.Targets {
		return 0
	}
	recommended, request := d.recommendation(container).perPod(m.Resource), d.request(container, m.Resource)
	past := &d.memory.Learned
	i := slices.IndexFunc(past.Targets, func(t learn.Target) bool { return t.Container == container && t.Resource == m.Resource.String() })
	if i < 0 {
		i = len(past.Targets)
		past.Targets = append(past.Targets, learn.Target{
			Container: container, Resource: m.Resource.String(), Percent: int32(m.Band.High / scale.Thousand),
		})
	}
	past.Targets[i] = rules.Next(past.Targets[i], d.seen.At, recommended, request)
	return past.Targets[i].Percent
}

// tune leaves the scaling to an existing HPA: what is proposed is not applied,
// but the bounds and targets behind it are.
func (d *draft) tune() {
	d.Tuning = &scale.Tuning{Min: d.policy.Limit.Min, Max: d.policy.Limit.Max, Targets: d.targets}
	if !d.Want.Equal(d.From) {
		d.step(scale.Step{Reason: scale.LeftToHPA, In: d.Want, Out: d.From})
		d.Want = d.From
	}
}
