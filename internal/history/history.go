package history

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// History is everything that is remembered of one workload.
type History struct {
	Slots   *Slots
	Usage   *Usage
	Growth  *Growth
	Demand  *Demand
	StartUp *StartUp
	// Resizes is how long resizes in place took, kept as start-ups are.
	Resizes  *StartUp
	resizing resizing
	Peaks    *Peaks
	// Bumps are what containers need that run out of memory. They are the object's to
	// say, and not kept.
	Bumps Bumps
	// sampled is when Observe last took the usage of pods, in Unix seconds.
	sampled int64
	// settled is a moment before which every start is known already, in Unix
	// seconds. It saves work and is not kept: to note a start again is harmless.
	settled int64
}

// New returns a history that knows nothing yet.
func New(settings Settings) (*History, error) {
	slots, err := NewSlots(settings)
	if err != nil {
		return nil, err
	}
	return &History{
		Slots: slots, Usage: NewUsage(), Growth: NewGrowth(), Demand: NewDemand(), StartUp: NewStartUp(), Resizes: NewStartUp(), Peaks: NewPeaks(),
	}, nil
}

// Newest returns the latest moment anything was learned for. A caller whose
// clock is well behind it holds a history that was kept by a wrong clock: its
// half-lives would ignore everything for as long, so it is better begun anew.
func (h *History) Newest() time.Time {
	newest := max(h.sampled, h.Growth.last/1000, h.Demand.last/1000)
	for _, c := range h.Usage.containers {
		newest = max(newest, c.last())
	}
	for _, one := range h.StartUp.starts {
		newest = max(newest, one.at)
	}
	if newest == 0 {
		return time.Time{}
	}
	return time.Unix(newest, 0).UTC()
}

// Learned sums the slots up for a decision, or returns nil when they have no
// opinion. Ahead is how long before a peak its pods are wanted.
func (h *History) Learned(at time.Time, ahead time.Duration, f Factors) *scale.Learned {
	b, known := h.Slots.BoundsAhead(at, ahead, f)
	if !known {
		return nil
	}
	out := &scale.Learned{Min: b.Min, Max: b.Max}
	if b.Max == Unbounded {
		out.Max = 0
	}
	return out
}
