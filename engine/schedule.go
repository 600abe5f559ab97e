package engine

import (
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/schedule"
	"github.com/tidemark/tidemark/scale"
)

// scheduled is what the bounds become by schedules.
type scheduled struct {
	// Stated are the bounds that no schedule leaves.
	Stated scale.Bounds
	Bounds scale.Bounds
	// Freeze are the directions that are forbidden, by the schedule Frozen.
	Freeze schedule.Freeze
	Frozen *schedule.Window
	Steps  []scale.Step
}

// schedule narrows the bounds to what schedules state for the moment.
func (in input) schedule(steps []scale.Step) (s scheduled) {
	s.Stated = in.outerBounds()
	s.Bounds, s.Steps = s.Stated, steps
	if in.policy.Schedule == nil {
		return s
	}
	now := in.policy.Schedule.At(in.obs.At, s.Stated, in.startUp())
	s.Bounds, s.Freeze, s.Frozen = now.Bounds, now.Freeze, now.Frozen
	if now.Min != nil && s.Bounds.MinReason == scale.ScheduledMin {
		s.note(in, scale.Step{Reason: scale.ScheduledMin, Limit: s.Bounds.Min, Schedule: now.Min.Facts(in.obs.At, now.Early)})
	}
	if now.Max != nil && s.Bounds.MaxReason == scale.ScheduledMax {
		s.note(in, scale.Step{Reason: scale.ScheduledMax, Limit: s.Bounds.Max, Schedule: now.Max.Facts(in.obs.At, 0)})
	}
	return s
}

// note leaves a step of the stage behind.
func (s *scheduled) note(in input, step scale.Step) {
	step.Stage = scale.StageSchedule
	s.Steps = append(s.Steps, in.note(step))
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

// leastOf is the smallest count as the desired one.
func (in input) leastOf(b *scale.Bounds) horizontal.Desired {
	return horizontal.Desired{Replicas: b.Min, Reason: b.MinReason, Informed: true, Source: -1}
}

// freeze keeps a change back that a schedule forbids. The stated bounds still
// hold, and an emergency passes: whoever declares it wants more pods whatever the
// hour.
func (in input) freeze(d *scale.Decision, s *scheduled) {
	if s.Freeze == 0 {
		return
	}
	side := in.sideTo(d.Proposed)
	forbidden := map[scale.Direction]schedule.Freeze{scale.Up: schedule.FreezeUp, scale.Down: schedule.FreezeDown}[side]
	if s.Freeze&forbidden == 0 || side == scale.Up && d.Bounds.MinReason == scale.Emergency {
		return
	}
	outer := in.policy.Learn.Bounds(s.Stated, nil)
	kept := d.From.WithReplicas(outer.Clamp(d.From.Replicas))
	if kept.Equal(d.Proposed) {
		return
	}
	facts := s.Frozen.Facts(in.obs.At, 0)
	step(d, scale.Step{
		Reason: scale.ScheduledFreeze, In: d.Proposed, Out: kept, Limit: kept.Replicas, Schedule: facts, Wait: facts.Until.Sub(in.obs.At),
	})
	d.Proposed = kept
}
