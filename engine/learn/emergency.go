package learn

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Past is what the stage remembers of earlier decisions.
type Past struct {
	// Floor is the minimum an emergency left behind; it steps down gradually.
	Floor int32 `json:"floor,omitempty"`
	// BlindSince is since when no source has said anything usable.
	BlindSince time.Time `json:"blindSince,omitzero"`
	// Targets are the learned targets.
	Targets []Target `json:"targets,omitempty"`
	// Tuned is what self-tuning found last.
	Tuned *scale.Tuned `json:"tuned,omitempty"`
}

// Recall makes the past what it is at a moment: what is later, left behind by a
// clock that was set back, counts as now. Targets are shared with the past that this
// one is a copy of, and are not changed.
func (p *Past) Recall(at time.Time) {
	p.BlindSince = scale.Earlier(p.BlindSince, at)
	if slices.ContainsFunc(p.Targets, func(t Target) bool { return t.RaisedAt.After(at) || t.MovedAt.After(at) }) {
		p.Targets = slices.Clone(p.Targets)
		for i := range p.Targets {
			t := &p.Targets[i]
			t.RaisedAt, t.MovedAt = scale.Earlier(t.RaisedAt, at), scale.Earlier(t.MovedAt, at)
		}
	}
}

// Watched returns the bounds, and what to remember, at a moment at which some
// source was informed or none was.
//
// In an emergency the minimum becomes the maximum at once. After it, the minimum
// comes back by a twentieth a decision, so that the capacity the emergency gave
// is not taken away in one step.
func (r *Rules) Watched(b scale.Bounds, past Past, at time.Time, informed bool) (scale.Bounds, Past) {
	switch {
	case informed || r.BlindFor == 0:
		past.BlindSince = time.Time{}
	case past.BlindSince.IsZero():
		past.BlindSince = at
	}
	blind := r.BlindFor > 0 && !past.BlindSince.IsZero() && at.Sub(past.BlindSince) >= r.BlindFor
	if r.Emergency || blind {
		past.Floor = b.Max
		b.Min, b.MinReason = b.Max, scale.Emergency
		return b, past
	}
	if past.Floor > 0 {
		past.Floor = min(past.Floor, b.Max)
		past.Floor -= max(1, past.Floor/20)
	}
	if past.Floor <= b.Min {
		past.Floor = 0
		return b, past
	}
	b.Min, b.MinReason = past.Floor, scale.Emergency
	return b, past
}
