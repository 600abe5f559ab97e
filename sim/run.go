package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Moment is one decision of a run, and the plant when it was made.
type Moment struct {
	At time.Time
	// Demand is what arrives each second.
	Demand scale.Amount
	// Ready is how many pods serve.
	Ready    int32
	Decision scale.Decision
}

// Run lets a controller scale a plant over its whole demand. Each, where it is
// not nil, is told every decision before it is carried out; it may return false
// to end the run.
func Run(s Settings, c Controller, each func(Moment) bool) Score {
	p := NewPlant(s)
	for at := s.Demand.Start(); at.Before(s.Demand.End()); at = at.Add(s.Sync) {
		p.advance(at)
		d := c.Decide(p)
		p.score.Decisions++
		if each != nil && !each(Moment{At: at, Demand: p.demand.value(), Ready: p.workload.Ready(at), Decision: d}) {
			return p.score
		}
		p.apply(d.Want)
	}
	p.advance(s.Demand.End())
	return p.score
}
