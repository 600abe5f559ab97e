package sim

import (
	"time"

	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/scale"
)

// Chance is a function of the seed and of what it decides about, never of what
// was drawn before: so two runs of one seed meet the same chance, even where
// their policies decide differently.

// The things that chance decides beside the jitter of start-ups.
const (
	drawCrash uint64 = iota + 1
	drawLost
	drawLostMetric
	drawInfeasible
	drawDeferred
	drawPeriod
)

// jitter is the part of a pod's start-up that chance decides: the pod's number,
// mixed with the seed, spread evenly from nothing to the most.
func (s *Settings) jitter(pod int) time.Duration {
	if s.Jitter <= 0 {
		return 0
	}
	return time.Duration(seeded.Number(s.Seed, uint64(pod)) % uint64(s.Jitter+1))
}

// resizeLuck is what becomes of a resize, by the pod's number and how often it
// was asked before.
func (s *Settings) resizeLuck(pod, asked int) scale.Resize {
	switch {
	case s.happens(s.Resize.Infeasible, drawInfeasible, uint64(pod), uint64(asked)):
		return scale.ResizeInfeasible
	case s.happens(s.Resize.Deferred, drawDeferred, uint64(pod), uint64(asked)):
		return scale.ResizeDeferred
	}
	return scale.NoResize
}

// happens tells whether something with a chance in billionths does, for a thing
// and its moment or number.
func (s *Settings) happens(chance int64, what, thing, moment uint64) bool {
	if chance <= 0 {
		return false
	}
	return seeded.Number(s.Seed, what, thing, moment)%uint64(scale.Parts) < uint64(chance)
}
