package rivals

import (
	"math"
	"slices"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
)

// weights are the prices of Autopilot's second recommender, beside a price of 1
// for a share of samples below the limit: for one above it, for a change of the
// limit and for a change of the model.
type weights struct{ above, limit, model float64 }

// The weights that are tried on the first half of a demand. The paper has tuned
// them once for all jobs and does not publish them.
var tried = func() (out []weights) {
	for _, above := range []float64{1, 3, 10, 30, 100} {
		for _, change := range []float64{0.001, 0.01} {
			out = append(out, weights{above: above, limit: change, model: change})
		}
	}
	return out
}()

// The ensemble is every pair of these: how fast a model forgets, and how much it
// adds. The paper names neither.
var (
	modelLives   = []time.Duration{time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour}
	modelMargins = []float64{0, 0.05, 0.10, 0.20}
)

// mlTraining is the most that weights are tuned on.
const mlTraining = 14 * 24 * time.Hour

// LearnedAutopilot returns Autopilot's recommender that chooses among models, with
// the weights that would have cost least in the first half of the demand, or its
// first two weeks.
func LearnedAutopilot(s *sim.Settings) sim.Controller {
	start := func(w weights) func(*sim.Settings) sim.Controller {
		return func(s *sim.Settings) sim.Controller { return vertical(s, newEnsemble(w)) }
	}
	var candidates []func(*sim.Settings) sim.Controller
	for _, w := range tried {
		candidates = append(candidates, start(w))
	}
	return candidates[cheapest(*s, min(s.Demand.Length()/2, mlTraining), candidates)](s)
}

// ensemble chooses the model whose limits have cost least.
type ensemble struct {
	weights
	models []model
	best   int
	limit  float64
}

// model is one way to choose a limit.
type model struct {
	keep, margin float64
	// past is the usage as this model remembers it: each share of samples is a
	// moving average.
	past histogram
	// bucket is the limit without its margin, and limit what it proposes.
	bucket int
	limit  float64
	cost   float64
}

func newEnsemble(w weights) *ensemble {
	e := &ensemble{weights: w, best: -1}
	for _, life := range modelLives {
		for _, margin := range modelMargins {
			keep := math.Exp2(-float64(autopilotStep) / float64(life))
			e.models = append(e.models, model{keep: keep, margin: margin, bucket: -1})
		}
	}
	return e
}

// keepCost is how much of what a model has cost is remembered: half after twelve
// hours, as for usage.
var keepCost = math.Exp2(-float64(autopilotStep) / float64(autopilotHalfLife))

func (e *ensemble) recommend(now *histogram) float64 {
	share := *now
	share.decay(1 / max(now.total(), 1))
	choice, least := 0, math.Inf(1)
	for i := range e.models {
		m := &e.models[i]
		first := m.bucket < 0
		before := m.limit
		m.learn(&share, e.weights)
		m.cost = keepCost*m.cost + (1-keepCost)*(e.over(&share, m.limit)+changed(!first && m.limit != before, e.weights.limit))
		cost := m.cost + changed(e.best >= 0 && i != e.best, e.weights.model) + changed(e.best >= 0 && m.limit != e.limit, e.weights.limit)
		if cost < least {
			choice, least = i, cost
		}
	}
	e.best, e.limit = choice, e.models[choice].limit
	return e.limit
}

// over is what a limit costs with so much usage above it and so much below.
func (e *ensemble) over(h *histogram, limit float64) float64 {
	above, below := 0.0, 0.0
	for k, w := range h {
		switch {
		case bounds[k] > limit:
			above += w
		case bounds[k] < limit:
			below += w
		}
	}
	return e.above*above + below
}

// learn adds the newest usage, and chooses the limit of least cost by it.
func (m *model) learn(share *histogram, w weights) {
	if m.bucket < 0 {
		m.past = *share
	} else {
		m.past.decay(m.keep)
		part := *share
		part.decay(1 - m.keep)
		m.past.add(&part)
	}
	var costs [buckets]float64
	below, total := 0.0, m.past.total()
	for k := range costs {
		costs[k] = w.above*(total-below-m.past[k]) + below + changed(m.bucket >= 0 && k != m.bucket, w.limit)
		below += m.past[k]
	}
	m.bucket = slices.Index(costs[:], slices.Min(costs[:]))
	m.limit = bounds[m.bucket] * (1 + m.margin)
}

// changed is the price of a change, where there is one.
func changed(is bool, price float64) float64 {
	if is {
		return price
	}
	return 0
}
