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
}

// Recalled returns a past that can be changed without changing the caller's.
// Moments from the future, left behind by a clock that was set back, count as
// now.
func (p Past) Recalled(at time.Time) Past {
	if p.BlindSince.After(at) {
		p.BlindSince = at
	}
	p.Targets = slices.Clone(p.Targets)
	for i := range p.Targets {
		for _, moment := range []*time.Time{&p.Targets[i].RaisedAt, &p.Targets[i].MovedAt} {
			if moment.After(at) {
				*moment = at
			}
		}
	}
	return p
}

// Floored applies an emergency to the bounds: the minimum becomes the maximum
// at once. After it, the minimum comes back by a twentieth a decision, so that
// the capacity the emergency gave is not taken away in one step.
func (r *Rules) Floored(b Bounds, past *Past, at time.Time) Bounds {
	blind := r.BlindFor > 0 && !past.BlindSince.IsZero() && at.Sub(past.BlindSince) >= r.BlindFor
	if r.Emergency || blind {
		past.Floor = b.Max
		b.Min, b.MinReason = b.Max, scale.Emergency
		return b
	}
	if past.Floor > 0 {
		past.Floor = min(past.Floor, b.Max)
		past.Floor -= max(1, past.Floor/20)
	}
	if past.Floor <= b.Min {
		past.Floor = 0
		return b
	}
	b.Min, b.MinReason = past.Floor, scale.Emergency
	return b
}

// Saw notes whether any source could be used, where that matters.
func (r *Rules) Saw(past *Past, at time.Time, informed bool) {
	switch {
	case informed || r.BlindFor == 0:
		past.BlindSince = time.Time{}
	case past.BlindSince.IsZero():
		past.BlindSince = at
	}
}
