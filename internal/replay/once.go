package replay

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Score replays one policy and returns its score alone.
func (r *Replay) Score(p Policy) (Score, error) {
	s := r.settings()
	c, err := p.controller(&s)
	if err != nil {
		return Score{}, err
	}
	out := scoreOf(sim.Run(s, c, nil))
	out.OracleCoreHours = hours(r.oracle(), perCore)
	return out, nil
}

// oracle is what the oracle costs. It is worked out once.
func (r *Replay) oracle() sim.Work {
	r.oracleOnce.Do(func() {
		s := r.settings()
		knowing := oracle(&s)
		r.oracleCost = sim.Run(s, knowing, nil).Cores
	})
	return r.oracleCost
}

// Hours is how long the scored part of the demand lasts.
func (r *Replay) Hours() float64 { return (r.demand.Length() - r.plant.WarmUp).Hours() }

// DemandCoreHours is the work that arrives in the scored part.
func (r *Replay) DemandCoreHours() float64 {
	return hours(r.demand.WorkFrom(r.demand.Start().Add(r.plant.WarmUp)), perCore)
}

// Peak is how many pods the demand needs at its peak.
func (r *Replay) Peak() int32 {
	s := r.settings()
	return s.Needed(r.demand.Peak(r.demand.Start(), r.demand.End()))
}

// Split returns the first part of a replay, and the whole of it with that part
// as its warm-up: so the score of the second is of the last part alone, by
// policies that lived through the first. Share is how much the last part is of
// the whole.
func (r *Replay) Split(share float64) (first, last *Replay, err error) {
	scored := r.demand.Length() - r.plant.WarmUp
	part := time.Duration((1 - share) * float64(scored)).Truncate(r.plant.Sync)
	// The longest start-up and a few decisions are the least that says anything.
	if least := r.plant.StartUp + r.plant.Jitter + 4*r.plant.Sync; part < least || scored-part < least {
		return nil, nil, fmt.Errorf("a demand of %s is too short to hold out %.0f%% of it", scored, share*100)
	}
	first, last = &Replay{plant: r.plant}, &Replay{plant: r.plant, demand: r.demand}
	first.demand = r.demand.Until(r.demand.Start().Add(r.plant.WarmUp + part))
	last.plant.WarmUp += part
	return first, last, nil
}
