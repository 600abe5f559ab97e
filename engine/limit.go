package engine

import (
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// limit holds a plan back where it must be, and makes the decision.
func (in input) limit(l *learned, a *desired, p *plan, w *watched) (d scale.Decision) {
	d = scale.Decision{
		From: *in.from, Proposed: p.Size, Steps: p.Steps, Reason: p.Reason, LimitedBy: p.LimitedBy, Bounds: w.Bounds,
	}
	if c := in.change(p, &w.Bounds, w.Sides); !in.policy.upstream() || p.Informed || w.Bounds.MinReason == scale.Emergency {
		var stuck *scale.PodNames
		if c.Desired > c.Current && !in.policy.upstream() {
			c.Stuck, stuck = in.stuck(a)
		}
		room := in.roomFor(&c, &p.Size)
		counts, gates := limit.Count(&c), limit.Gate(&c)
		hold(&d, counts[:])
		if stuck != nil {
			nameStuck(&d, c.Stuck.Reason(), stuck)
		}
		nameQuota(&d, room)
		in.refit(&d, a, p)
		in.fit(&d)
		hold(&d, gates[:])
		in.freeze(&d, l.Frozen)
	}
	d.Want = d.Proposed
	if in.policy.TunesHPA {
		d.Tuning = in.tuning(l.Targets, &w.Bounds)
		if d.Want.Replicas != d.From.Replicas {
			want(&d, scale.LeftToHPA, d.Want.WithReplicas(d.From.Replicas))
		}
	}
	d.RecheckAfter = in.policy.Sync
	in.stop(&d)
	in.boost(&d)
	in.emptiest(&d)
	last := in.memory.LastEventAt
	if !d.Want.Equal(d.From) {
		last = in.obs.At // this decision begins a window
	}
	d.Countdown = in.policy.Limit.Countdown(last, in.obs.At)
	if s := in.policy.Schedule; s != nil {
		d.RecheckAfter = s.Wait(in.obs.At, in.startUp(), d.RecheckAfter)
	}
	for i := range d.Steps {
		if wait := d.Steps[i].Wait; wait > 0 {
			d.RecheckAfter = min(d.RecheckAfter, wait)
		}
	}
	return d
}

// hold applies what limits say to the size proposed so far.
func hold(d *scale.Decision, verdicts []limit.Verdict) {
	for i := range verdicts {
		v := &verdicts[i]
		if v.Reason == "" {
			continue
		}
		next := d.Proposed.WithReplicas(v.Count)
		switch {
		case v.Hold:
			next = d.From.WithReplicas(v.Count)
		case v.Reason == scale.OutOfMemory:
			next = d.Proposed
		}
		step(d, scale.Step{Reason: v.Reason, In: d.Proposed, Out: next, Limit: v.Count, Wait: v.Wait})
		d.Proposed = next
	}
}

// nameStuck names the pods that keep the count from growing.
func nameStuck(d *scale.Decision, reason scale.Reason, pods *scale.PodNames) {
	for i := range d.Steps {
		if s := &d.Steps[i]; s.Stage == scale.StageLimit && s.Reason == reason {
			s.Pods = pods
		}
	}
}

// want changes what is wanted, and leaves what is proposed as it is.
func want(d *scale.Decision, reason scale.Reason, size scale.Size) {
	step(d, scale.Step{Reason: reason, In: d.Want, Out: size})
	d.Want = size
}

// step leaves a step of the stage behind.
func step(d *scale.Decision, s scale.Step) {
	s.Stage = scale.StageLimit
	d.Steps = append(d.Steps, s)
	if s.Reason != scale.OutOfMemory {
		d.LimitedBy = s.Reason
	}
}

// refit makes the pods fit the totals again when a limit changed the count.
func (in input) refit(d *scale.Decision, a *desired, p *plan) {
	if d.Proposed.Replicas == p.Size.Replicas || d.Bounds.MinReason == scale.Emergency {
		return
	}
	size, atMax := in.sizedFor(d.Proposed.Replicas, a, p)
	if atMax {
		step(d, scale.Step{Reason: scale.MaximumResource, In: d.Proposed, Out: size, Limit: size.Replicas})
	}
	d.Proposed = size
}
