package engine

import (
	"slices"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/scale"
)

// learned is what the policy becomes by what history knows.
type learned struct {
	Bounds scale.Bounds
	// Frozen is what a schedule forbids; nil where none does.
	Frozen *frozen
	// Metrics are the policy's, with the targets that count now.
	Metrics []horizontal.Metric
	// Targets are those of them that were learned, and Past what is remembered.
	Targets []scale.LearnedTarget
	Past    learn.Past
	Steps   []scale.Step
}

// learn lets what schedules state change the bounds of this decision, and then what
// history knows them and the targets.
func (in input) learn(steps []scale.Step) (l learned) {
	rules := &in.policy.Learn
	l.Bounds, l.Metrics, l.Past, l.Steps = in.outerBounds(), in.policy.Horizontal.Metrics, in.memory.Learned, steps
	if in.policy.Schedule != nil {
		in.schedule(&l)
	}
	l.Bounds = rules.Bounds(l.Bounds, in.obs.Learned)
	if why := in.cut(&l.Bounds); why != "" {
		l.note(in, scale.Step{Reason: scale.NotTuned, Problem: why})
	}
	if l.Bounds.MinReason == scale.LearnedMin || l.Bounds.MinReason == scale.LearnedMax {
		l.note(in, scale.Step{Reason: l.Bounds.MinReason, Limit: l.Bounds.Min})
	}
	if l.Bounds.MaxReason == scale.LearnedMax {
		l.note(in, scale.Step{Reason: scale.LearnedMax, Limit: l.Bounds.Max})
	}
	brought := in.obs.Learned != nil && len(in.obs.Learned.Targets) > 0 && !rules.TargetsOff
	if rules.Targets || brought {
		in.learnTargets(&l)
	}
	if t := in.memory.Learned.Tuned; t != nil {
		l.note(in, scale.Step{Reason: scale.SelfTuned, Tuned: t})
	}
	if in.tunes() && rules.Targets {
		for _, why := range in.obs.HPA.Untuned {
			l.note(in, scale.Step{Reason: scale.NotTuned, Problem: why})
		}
	}
	return l
}

// note leaves a step of the stage behind.
func (l *learned) note(in input, s scale.Step) {
	s.Stage = scale.StageLearn
	l.Steps = append(l.Steps, in.note(s))
}

// learnTargets replaces the targets of metrics that have a learned one. The
// caller's policy is shared with other decisions, so its metrics are copied.
func (in input) learnTargets(l *learned) {
	present := targetsInForce(in.policy, in.obs, in.memory)
	if len(present) == 0 {
		return // what is remembered stays, for when there is something again
	}
	kept := make([]learn.Target, 0, len(present))
	l.Metrics, l.Targets = slices.Clone(l.Metrics), make([]scale.LearnedTarget, 0, len(present))
	// A target that is only proposed is not in force, so it has not moved.
	proposed := in.policy.TunesHPA && in.still() != ""
	for _, now := range present {
		to, next, waits := in.targetFor(now)
		if proposed {
			next = now
		}
		if in.policy.Learn.Targets && len(kept) < learn.MaxTargets {
			kept = append(kept, next)
		}
		if to.Percent <= 0 {
			continue
		}
		l.Targets = append(l.Targets, to)
		last := &l.Targets[len(l.Targets)-1]
		if waits {
			l.note(in, scale.Step{Reason: scale.TargetKept, Target: last})
		}
		if retarget(l.Metrics, to, in.from.Containers) || (in.tunes() && to.Percent != now.Percent) {
			l.note(in, scale.Step{Reason: scale.TargetLearned, Target: last})
		}
	}
	l.Past.Targets = kept
}

// retarget gives the metrics of a container's resource its target, and tells
// whether that is another than they had.
func retarget(metrics []horizontal.Metric, to scale.LearnedTarget, containers []scale.Container) bool {
	changed := false
	mark := scale.Amount(to.Percent) * scale.Thousand
	for i := range metrics {
		m := &metrics[i]
		container, ok := learnable(m, containers)
		if ok && container == to.Container && m.Resource == to.Resource && mark != m.Band.High {
			m.Band, changed = scale.Band{Low: mark, High: mark}, true
		}
	}
	return changed
}

// targetFor is the target that a container's resource should have, and what to
// remember of it: what an observation brings along, or what follows from how
// busy the pods are. It is 0 where nobody has an opinion. Waits tells that it
// stays until more was seen.
func (in input) targetFor(now learn.Target) (to scale.LearnedTarget, next learn.Target, waits bool) {
	rules, known := &in.policy.Learn, in.obs.Learned
	to.Container = now.Container
	to.Resource, _ = scale.ParseResource(now.Resource)
	if known != nil && !rules.TargetsOff {
		for _, t := range known.Targets {
			if t.Container == to.Container && t.Resource == to.Resource {
				to.Percent = rules.Clamp(t.Percent)
				return to, now, false
			}
		}
	}
	if !rules.Targets {
		return to, now, false
	}
	recommended, _ := in.recommended(to.Container, to.Resource)
	busy := learn.BusyAt(recommended, in.request(to.Container, to.Resource))
	if known != nil {
		for _, p := range known.Peaks {
			if p.Container == to.Container && p.Resource == to.Resource {
				busy = learn.BusyOf(p, now.Percent)
			}
		}
	}
	next, waits = rules.Next(now, in.obs.At, busy)
	to.Percent = next.Percent
	return to, next, waits
}
