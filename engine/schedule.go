package engine

import (
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/schedule"
	"github.com/tidemark/tidemark/scale"
)

// frozen are the directions that a schedule forbids, and the bounds that were
// stated, which no schedule leaves.
type frozen struct {
	schedule.Freeze
	By     *schedule.Window
	Stated scale.Bounds
}

// schedule narrows the stated bounds to what schedules state for the moment.
func (in input) schedule(l *learned) {
	stated := l.Bounds
	now := in.policy.Schedule.At(in.obs.At, stated, in.startUp())
	l.Bounds = now.Bounds
	if now.Freeze != 0 {
		l.Frozen = &frozen{Freeze: now.Freeze, By: now.Frozen, Stated: stated}
	}
	if now.Min != nil && now.Bounds.MinReason == scale.ScheduledMin {
		facts := now.Min.Facts(in.obs.At, now.Early)
		facts.Count = *now.Min.Min
		l.scheduled(in, scale.ScheduledMin, now.Bounds.Min, facts)
	}
	if now.Max != nil && now.Bounds.MaxReason == scale.ScheduledMax {
		facts := now.Max.Facts(in.obs.At, 0)
		facts.Count = *now.Max.Max
		l.scheduled(in, scale.ScheduledMax, now.Bounds.Max, facts)
	}
}

// scheduled leaves a step of the stage behind.
func (l *learned) scheduled(in input, reason scale.Reason, bound int32, facts *scale.Schedule) {
	s := in.note(scale.Step{Stage: scale.StageSchedule, Reason: reason, Limit: bound, When: &scale.When{Schedule: facts}})
	l.Steps = append(l.Steps, s)
}

// startUp is how long before a schedule starts its pods are started.
func (in input) startUp() time.Duration {
	if in.obs.Learned == nil {
		return 0
	}
	return in.obs.Learned.StartUp
}

// onlyScheduled tells that nothing but schedules can say how many pods there
// should be: there is no metric, nobody asks for a count, and it does not follow
// from the pods' sizes.
func (in input) onlyScheduled() bool {
	p := in.policy
	return p.Schedule != nil && len(p.Horizontal.Metrics) == 0 && in.obs.Requested == nil && p.Interval == nil && !p.TunesHPA
}

// desireLeast makes the smallest count the desired one. It is an answer like that of
// a metric, about the pods as they are.
func (in input) desireLeast(d *desired, b *scale.Bounds) {
	d.Desired = horizontal.Desired{Replicas: b.Min, Reason: b.MinReason, Informed: true, Source: -1}
	d.Steps = append(d.Steps, scale.Step{
		Stage: scale.StageHorizontal, Reason: b.MinReason, In: *in.from, Out: in.from.WithReplicas(b.Min), Limit: b.Min,
		Metric: &scale.MetricFacts{Index: -1, Name: "schedules", Value: scale.Amount(b.Min) * scale.Thousand, Known: true},
	})
}

// freeze keeps a change back that a schedule forbids. The stated bounds still
// hold, and an emergency passes: whoever declares it wants more pods whatever the
// hour.
func (in input) freeze(d *scale.Decision, f *frozen) {
	if f == nil {
		return
	}
	side := in.sideTo(d.Proposed)
	forbidden := map[scale.Direction]schedule.Freeze{scale.Up: schedule.FreezeUp, scale.Down: schedule.FreezeDown}[side]
	if f.Freeze&forbidden == 0 || side == scale.Up && d.Bounds.MinReason == scale.Emergency {
		return
	}
	outer := in.policy.Learn.Bounds(f.Stated, nil)
	if h := &in.policy.Horizontal; h.Activates {
		outer.Min = min(outer.Min, h.Idle) // a workload that sleeps goes on sleeping
	}
	kept := d.From.WithReplicas(outer.Clamp(d.From.Replicas))
	if kept.Equal(d.Proposed) {
		return
	}
	facts := f.By.Facts(in.obs.At, 0)
	step(d, scale.Step{
		Reason: scale.ScheduledFreeze, In: d.Proposed, Out: kept, Limit: kept.Replicas, When: &scale.When{Schedule: facts}, Wait: facts.Until.Sub(in.obs.At),
	})
	d.Proposed = kept
}
