package replay

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Score replays one policy and returns its score alone.
func (r *Replay) Score(p Policy) (Score, error) {
	s, c, err := r.start(p)
	if err != nil {
		return Score{}, err
	}
	out, err := r.scoreOf(sim.Run(s, c, nil))
	out.OracleCoreHours = hours(r.oracle(), perCore)
	return out, err
}

// oracle is what the oracle costs. It is worked out once.
func (r *Replay) oracle() sim.Work {
	r.oracleOnce.Do(func() {
		s := r.Settings()
		s.Replicas = s.Foreseen()
		r.oracleCost = sim.Run(s, sim.Oracle{}, nil).Cores
	})
	return r.oracleCost
}

// Hours is how long the scored part of the demand lasts.
func (r *Replay) Hours() float64 { return (r.plant.Demand.Length() - r.plant.WarmUp).Hours() }

// DemandCoreHours is the work that arrives in the scored part.
func (r *Replay) DemandCoreHours() float64 {
	return hours(r.plant.Demand.WorkFrom(r.plant.Demand.Start().Add(r.plant.WarmUp)), perCore)
}

// Peak is how many pods the demand needs at its peak.
func (r *Replay) Peak() int32 {
	s := r.Settings()
	return s.Needed(r.plant.Demand.Peak(r.plant.Demand.Start(), r.plant.Demand.End()))
}

// Split returns the first part of a replay, and the whole of it with that part
// as its warm-up: so the score of the second is of the last part alone, by
// policies that lived through the first. Share is how much the last part is of
// the whole.
func (r *Replay) Split(share float64) (first, last *Replay, err error) {
	scored := r.plant.Demand.Length() - r.plant.WarmUp
	part := time.Duration((1 - share) * float64(scored)).Truncate(r.plant.Sync)
	// The longest start-up and a few decisions are the least that says anything.
	if least := r.plant.StartUp + r.plant.Jitter + 4*r.plant.Sync; part < least || scored-part < least {
		return nil, nil, fmt.Errorf("a demand of %s is too short to hold out %.0f%% of it", scored, share*100)
	}
	first, last = &Replay{plant: r.plant}, &Replay{plant: r.plant}
	first.plant.Demand = r.plant.Demand.Until(r.plant.Demand.Start().Add(r.plant.WarmUp + part))
	last.plant.WarmUp += part
	return first, last, nil
}
