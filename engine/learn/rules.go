package learn

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Tune says what becomes of what self-tuning finds.
type Tune uint8

// What is found is forgotten, followed, or kept as it was last.
const (
	TuneOff Tune = iota
	TuneNightly
	TuneFrozen
)

// Rules is the compiled policy of the stage.
type Rules struct {
	// Targets lets targets be learned. TargetsOff leaves those alone that an
	// observation brings along.
	Targets, TargetsOff bool
	// MinStated and MaxStated tell that the user stated that bound.
	MinStated, MaxStated bool
	// AdminMin and AdminMax are the administrator's bounds for everyone; 0 is
	// no bound.
	AdminMin, AdminMax int32
	// Floor, Ceiling and MaxRaise bound a learned target, in whole percent.
	Floor, Ceiling, MaxRaise int32
	// Tune says what becomes of what self-tuning finds.
	Tune Tune
	// Emergency runs the workload at its maximum.
	Emergency bool
	// BlindFor is how long every source may be blind before an emergency is
	// declared; 0 is forever.
	BlindFor time.Duration
}

// Bounds joins the user's bounds with what was learned. What was stated wins
// over that, and the administrator's bounds over both; the minimum is never
// above the maximum.
func (r *Rules) Bounds(stated scale.Bounds, learned *scale.Learned) scale.Bounds {
	b := stated
	if r.AdminMax > 0 && r.AdminMax < b.Max {
		b.Max, b.MaxReason = r.AdminMax, scale.MaxReplicas
	}
	if r.AdminMin > b.Min {
		b.Min, b.MinReason = r.AdminMin, scale.MinReplicas
	}
	if learned != nil {
		if learned.Max > 0 && learned.Max < b.Max {
			b.Max, b.MaxReason = min(b.Max, max(learned.Max, stated.Min, 1)), scale.LearnedMax
		}
		if learned.Min > b.Min {
			b.Min, b.MinReason = learned.Min, scale.LearnedMin
		}
	}
	if least := r.least(); least > b.Max {
		b.Max, b.MaxReason = least, scale.MaxReplicas
	}
	if b.Min > b.Max {
		b.Min, b.MinReason = b.Max, b.MaxReason
	}
	return b
}

// least is the administrator's minimum.
func (r *Rules) least() int32 {
	if r.AdminMax > 0 {
		return min(r.AdminMin, r.AdminMax)
	}
	return r.AdminMin
}
