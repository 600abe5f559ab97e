package engine

import (
	"slices"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// learn lets what history knows change the bounds and the targets of this
// decision.
func (d *draft) learn() {
	rules, stated := &d.policy.Learn, d.policy.Limit.Min
	b := rules.Bounds(d.outerBounds(), d.seen.Learned)
	d.setBounds(b)
	d.cut(stated)
	for _, learned := range [...]struct {
		reason scale.Reason
		bound  int32
	}{{b.MinReason, b.Min}, {b.MaxReason, b.Max}} {
		if learned.reason == scale.LearnedMin || learned.reason == scale.LearnedMax {
			d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLearn, Reason: learned.reason, In: d.From, Out: d.From, Limit: learned.bound})
		}
	}
	brought := d.seen.Learned != nil && len(d.seen.Learned.Targets) > 0 && !rules.TargetsOff
	if rules.Targets || brought {
		d.learnTargets()
	}
	d.untuned()
}

func (d *draft) setBounds(b learn.Bounds) {
	bounds := &d.policy.Limit
	bounds.Min, bounds.Max, bounds.MinReason, bounds.MaxReason = b.Min, b.Max, b.MinReason, b.MaxReason
}

// learnTargets replaces the targets of metrics that have a learned one. The
// caller's policy is shared with other decisions, so its metrics are copied.
func (d *draft) learnTargets() {
	present := targetsInForce(&d.policy, &d.seen, &d.memory)
	if len(present) == 0 {
		return // what is remembered stays, for when there is something again
	}
	kept := make([]learn.Target, 0, len(present))
	metrics := slices.Clone(d.policy.Horizontal.Metrics)
	for _, now := range present {
		resource, _ := scale.ParseResource(now.Resource)
		percent, next := d.targetFor(now, resource)
		if d.policy.Learn.Targets && len(kept) < learn.MaxTargets {
			kept = append(kept, d.remembered(now, next))
		}
		if percent <= 0 {
			continue
		}
		to := scale.LearnedTarget{Container: now.Container, Resource: resource, Percent: percent}
		d.targets = append(d.targets, to)
		if d.retarget(metrics, to) || (d.seen.HPA != nil && d.policy.TunesHPA && percent != now.Percent) {
			d.learned(scale.TargetLearned, percent)
		}
	}
	d.memory.Learned.Targets = kept
	d.policy.Horizontal.Metrics = metrics
}

// retarget gives the metrics of a container's resource its target, and tells
// whether that is another than they had.
func (d *draft) retarget(metrics []horizontal.Metric, to scale.LearnedTarget) bool {
	changed := false
	mark := scale.Amount(to.Percent) * scale.Thousand
	for i := range metrics {
		m := &metrics[i]
		container, ok := learnable(m, d.From.Containers)
		if ok && container == to.Container && m.Resource == to.Resource && mark != m.Band.High {
			m.Band, changed = scale.Band{Low: mark, High: mark}, true
		}
	}
	return changed
}

// learned leaves a step of the stage behind.
func (d *draft) learned(reason scale.Reason, percent int32) {
	d.Steps = append(d.Steps, scale.Step{Stage: scale.StageLearn, Reason: reason, In: d.From, Out: d.From, Limit: percent})
}

// containerOf is the container a metric speaks of: the one it names, or the
// only one there is.
func (d *draft) containerOf(m *horizontal.Metric) (string, bool) {
	return containerOf(m, d.From.Containers)
}

func containerOf(m *horizontal.Metric, containers []scale.Container) (string, bool) {
	if m.Kind == horizontal.ContainerResource {
		return m.Container, true
	}
	if len(containers) == 1 {
		return containers[0].Name, true
	}
	return "", false
}

// targetFor is the target that a container's resource should have, and what to
// remember of it: what an observation brings along, or what follows from how
// busy the pods are. It is 0 where nobody has an opinion.
func (d *draft) targetFor(now learn.Target, resource scale.Resource) (int32, learn.Target) {
	rules, learned := &d.policy.Learn, d.seen.Learned
	if learned != nil && !rules.TargetsOff {
		for _, t := range learned.Targets {
			if t.Container == now.Container && t.Resource == resource {
				return rules.Clamp(t.Percent), now
			}
		}
	}
	if !rules.Targets {
		return 0, now
	}
	busy := learn.BusyAt(d.recommendation(now.Container).perPod(resource), d.request(now.Container, resource))
	if learned != nil {
		for _, p := range learned.Peaks {
			if p.Container == now.Container && p.Resource == resource {
				busy = learn.BusyOf(p, now.Percent)
			}
		}
	}
	next, waits := rules.Next(now, d.seen.At, busy)
	if waits {
		d.learned(scale.TargetKept, now.Percent)
	}
	return next.Percent, next
}

// remembered is what to keep of a target. One that is only proposed is not in
// force, so it has not moved.
func (d *draft) remembered(now, next learn.Target) learn.Target {
	if d.policy.TunesHPA && limit.UnderMode(&d.policy.Limit) != "" {
		return now
	}
	return next
}
