package schedule

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Rules is the compiled policy of the stage. Of two windows that hold, the later
// in the list wins.
type Rules struct {
	Windows []Window
}

// State is what schedules state for a moment.
type State struct {
	Bounds scale.Bounds
	Freeze Freeze
	// Min, Max and Frozen are the windows behind it; nil where none is, and where a
	// bound only makes room for the other.
	Min, Max, Frozen *Window
	// Early is how long before its start the minimum holds already.
	Early time.Duration
}

// At narrows the stated bounds, which stay the outer ones, to what holds at a
// moment. Pods take a time to start: they are started so long ahead.
func (r *Rules) At(at time.Time, stated scale.Bounds, ahead time.Duration) State {
	now := r.inForce(at, stated)
	if ahead <= 0 {
		return now
	}
	coming := r.inForce(at.Add(ahead), stated)
	if coming.Bounds.Min <= now.Bounds.Min {
		return now
	}
	now.Bounds.Min, now.Bounds.MinReason, now.Min = coming.Bounds.Min, coming.Bounds.MinReason, coming.Min
	if now.Bounds.Min > now.Bounds.Max {
		now.Bounds.Max, now.Max = now.Bounds.Min, nil
	}
	if now.Min != nil && !now.Min.holds(at) {
		now.Early = now.Min.begins(at).Sub(at)
	}
	return now
}

// inForce are the windows of a moment, one over the other.
func (r *Rules) inForce(at time.Time, stated scale.Bounds) State {
	s := State{Bounds: stated}
	for i := range r.Windows {
		w := &r.Windows[i]
		if !w.holds(at) {
			continue
		}
		if w.Min != nil {
			s.Bounds.Min, s.Min = stated.Clamp(*w.Min), w
			if s.Bounds.Min > s.Bounds.Max {
				s.Bounds.Max, s.Max = s.Bounds.Min, nil
			}
		}
		if w.Max != nil {
			s.Bounds.Max, s.Max = stated.Clamp(*w.Max), w
			if s.Bounds.Min > s.Bounds.Max {
				s.Bounds.Min, s.Min = s.Bounds.Max, nil
			}
		}
		if w.Freeze != 0 {
			s.Freeze, s.Frozen = w.Freeze, w
		}
	}
	if s.Bounds.Min != stated.Min {
		s.Bounds.MinReason = scale.ScheduledMin
	}
	if s.Bounds.Max != stated.Max {
		s.Bounds.MaxReason = scale.ScheduledMax
	}
	return s
}

// Wait is how long it takes until some window begins or ends, or pods have to be
// started for one; it is the longest wait where that is later.
func (r *Rules) Wait(at time.Time, ahead, longest time.Duration) time.Duration {
	for i := range r.Windows {
		w := &r.Windows[i]
		for _, from := range [...]time.Time{at, at.Add(max(ahead, 0))} {
			if next := w.changes(from); next.After(from) {
				longest = min(longest, next.Sub(from))
			}
		}
	}
	return longest
}

// Facts are what a step tells of a window that is in force, or about to be.
func (w *Window) Facts(at time.Time, early time.Duration) *scale.Schedule {
	return &scale.Schedule{Name: w.Name, Early: early, Until: w.ends(at.Add(early))}
}
