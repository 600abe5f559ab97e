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
	// Score is what has happened so far. It is valid until the next decision, and
	// begins anew after the warm-up.
	Score *Score
}

// moment is the plant as it is when a decision is made.
func (p *Plant) moment(d scale.Decision) Moment {
	w := p.workload
	return Moment{At: p.now, Demand: p.demand.value(), Ready: w.Ready(p.now), Capacity: w.capacity(p.now), Decision: d, Score: &p.score}
}

// Run lets a controller scale a plant over its whole demand. Each, where it is
// not nil, is told every decision before it is carried out; it may return false
// to end the run, which then has no score.
func Run(s Settings, c Controller, each func(Moment) bool) Score {
	scores := runParts(s, c, nil, each)
	return scores[len(scores)-1]
}

// RunHalves is the same run, with a score of its own until a moment that is after
// the warm-up, and from then on. A run that was ended reports false.
func RunHalves(s Settings, c Controller, middle time.Time, each func(Moment) bool) (first, second Score, whole bool) {
	scores := runParts(s, c, []time.Time{middle}, each)
	if len(scores) < 2 {
		return first, second, false
	}
	return scores[0], scores[1], true
}

// runParts has a score for each part that ends at one of some moments, and then for
// the last. The warm-up has none: to add one up takes a while.
func runParts(s Settings, c Controller, ends []time.Time, each func(Moment) bool) (scores []Score) {
	p := NewPlant(s)
	unscored := s.WarmUp > 0
	if unscored {
		ends = append([]time.Time{s.Demand.Start().Add(s.WarmUp)}, ends...)
	}
	for at := s.Demand.Start(); at.Before(s.Demand.End()); at = at.Add(s.Sync) {
		for len(ends) > 0 && !at.Before(ends[0]) {
			p.advance(ends[0])
			if !unscored {
				scores = append(scores, p.finish())
			}
			unscored = false
			p.forget()
			ends = ends[1:]
		}
		p.advance(at)
		d := c.Decide(p)
		p.score.Decisions++
		if each != nil && !each(p.moment(d)) {
			return append(scores, Score{})
		}
		p.apply(d.Want)
	}
	p.advance(s.Demand.End())
	return append(scores, p.finish())
}
