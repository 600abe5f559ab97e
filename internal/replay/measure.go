package replay

import (
	"context"
	"fmt"

	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Measure is what a policy costs in all, and what it gains of what could be
// gained. The names are API.
type Measure struct {
	// T is in core-hours: those that are billed, and what lost and late work and
	// changes cost. D is the demand itself: nobody can be cheaper.
	T float64 `json:"t"`
	D float64 `json:"d"`
	// BestHPA is the best target in hindsight, whose T is H. G is the share that
	// is gained of what lies between H and D.
	BestHPA BestHPA `json:"bestHPA"`
	G       float64 `json:"g"`
	// BestHPA2 has its window chosen in hindsight as well: H2, and G2 beside it.
	BestHPA2 BestHPA `json:"bestHPA2"`
	G2       float64 `json:"g2"`
}

// Measure measures what a run in this plant scored.
func (r *Replay) Measure(s sim.Score) (Measure, error) {
	own, demand := r.plant.Prices.total(s), r.demandCost()
	out := Measure{T: own.hours(), D: demand.hours()}
	best, h, err := r.best(context.Background(), usualOnly, nil)
	if err != nil {
		return out, err
	}
	out.BestHPA, out.G = best, gain(h, own, demand)
	out.BestHPA.DownWindowSeconds = 0 // It was not chosen.
	best, h, err = r.best(context.Background(), everyWindow, nil)
	if err != nil {
		return out, err
	}
	out.BestHPA2, out.G2 = best, gain(h, own, demand)
	return out, nil
}

// Gain is G alone, beside the best HPA: that takes a third of the replays.
func (r *Replay) Gain(s sim.Score) (g float64, beside BestHPA, err error) {
	beside, h, err := r.best(context.Background(), usualOnly, nil)
	if err != nil {
		return 0, beside, err
	}
	return gain(h, r.plant.Prices.total(s), r.demandCost()), beside, nil
}

// Unmeasured is the same replay without the measure, for what only compares.
func (r *Replay) Unmeasured() *Replay {
	out := &Replay{plant: r.plant}
	out.plant.Measured = false
	return out
}

// Measured tells whether the measure is asked for.
func (r *Replay) Measured() bool { return r.plant.Measured }

// demandCost is D.
func (r *Replay) demandCost() cost {
	return workCost(r.plant.Demand.WorkFrom(r.plant.Demand.Start().Add(r.plant.WarmUp)))
}

// Warnings are what to know before a measure is believed.
func (m *Measure) Warnings() []string {
	var out []string
	for _, b := range []BestHPA{m.BestHPA, m.BestHPA2} {
		if b.AtEnd {
			out = append(out, fmt.Sprintf("the best HPA has a target of %d%%, an end of those that were tried: one beyond it may be better", b.Target))
		}
	}
	return out
}

// add adds another demand's: what is gained is then of the sums.
func (m *Measure) add(o Measure) {
	m.T, m.D = m.T+o.T, m.D+o.D
	for _, b := range []struct {
		into *BestHPA
		of   BestHPA
		g    *float64
	}{{&m.BestHPA, o.BestHPA, &m.G}, {&m.BestHPA2, o.BestHPA2, &m.G2}} {
		before := m.D - o.D
		if m.D > 0 {
			b.into.UnservedPercent = (b.into.UnservedPercent*before + b.of.UnservedPercent*o.D) / m.D
		}
		b.into.T += b.of.T
		*b.into = BestHPA{T: b.into.T, UnservedPercent: b.into.UnservedPercent, AtEnd: b.into.AtEnd || b.of.AtEnd}
		if between := max(b.into.T-m.D, m.D/20); between > 0 {
			*b.g = (b.into.T - m.T) / between
		}
	}
}

// Plus is a measure of both together; the first may be none.
func (m *Measure) Plus(o *Measure) *Measure {
	if o == nil {
		return m
	}
	var out Measure
	if m != nil {
		out = *m
	}
	out.add(*o)
	return &out
}
