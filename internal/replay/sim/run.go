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
	// Ready is how many pods serve, Capacity what they can do together.
	Ready    int32
	Capacity scale.Amount
	// Decision is valid until the next one.
	Decision scale.Decision
}

// moment is the plant as it is when a decision is made.
func (p *Plant) moment(d scale.Decision) Moment {
	w := p.workload
	return Moment{At: p.now, Demand: p.demand.value(), Ready: w.Ready(p.now), Capacity: w.capacity(p.now), Decision: d}
}

// Run lets a controller scale a plant over its whole demand. Each, where it is
// not nil, is told every decision before it is carried out; it may return false
// to end the run.
func Run(s Settings, c Controller, each func(Moment) bool) Score {
	p := NewPlant(s)
	warming := s.WarmUp > 0
	for at := s.Demand.Start(); at.Before(s.Demand.End()); at = at.Add(s.Sync) {
		if from := s.Demand.Start().Add(s.WarmUp); warming && !at.Before(from) {
			p.advance(from)
			p.forget()
			warming = false
		}
		p.advance(at)
		d := c.Decide(p)
		p.score.Decisions++
		if each != nil && !each(p.moment(d)) {
			return p.finish()
		}
		p.apply(d.Want)
	}
	p.advance(s.Demand.End())
	return p.finish()
}
