package history

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Growth remembers by how much usage grows during one reaction: the time from
// a change of demand until the pods that answer it are ready.
//
// For each moment it is the largest usage within the next reaction, less the
// usage of the moment, divided by the square root of the usage: demand made of
// many independent parts varies by the root of its size, so what was seen at
// one size can be used at another. The distribution is kept in a sketch that
// forgets by half-lives.
//
// The usage must be what is asked for, not what saturated pods could serve.
type Growth struct {
	sketch sketch
	// pending are the moments whose reaction is not over, oldest first.
	pending []moment
	// last is when usage was last observed, and begun when a moment was last
	// begun, 0 after a gap. Both are in Unix milliseconds.
	last, begun int64
}

// moment is a usage and the largest that has followed so far. Its reaction
// ends at a time in Unix milliseconds.
type moment struct {
	end         int64
	usage, peak scale.Amount
	weight      uint64
}

const (
	// MaxReaction is the longest reaction that is followed.
	MaxReaction = time.Hour
	minReaction = time.Second
	// momentsPerReaction thins out moments that come closer than this.
	momentsPerReaction = 32
	// maxPending is more than that, for reactions that get shorter.
	maxPending = 2 * momentsPerReaction
	// patience is how long usage may be missing before what is pending is
	// given up, if the reaction itself is not longer: nobody knows what was
	// between.
	patience = time.Minute
)

// NewGrowth returns a growth that knows nothing yet.
func NewGrowth() *Growth { return &Growth{} }

// Observe notes the usage of a moment, and how long a reaction takes now. It
// tells whether the observation was of use: it has to be later than the last.
func (g *Growth) Observe(at time.Time, usage scale.Amount, reaction time.Duration) bool {
	now := at.UnixMilli()
	if usage < 0 || !plausible(at) || now <= g.last {
		return false
	}
	takes := min(max(reaction, minReaction), MaxReaction).Milliseconds()
	if now-g.last > max(takes, patience.Milliseconds()) {
		g.pending, g.begun = g.pending[:0], 0
	}
	g.last = now
	g.follow(now, usage)
	g.begin(now, takes, usage)
	return true
}

// follow raises the peaks of pending moments and notes those that are over.
// The observation that ends a reaction still counts for it: usage may have
// been as high before.
func (g *Growth) follow(now int64, usage scale.Amount) {
	kept := g.pending[:0]
	for _, m := range g.pending {
		m.peak = max(m.peak, usage)
		if m.end > now {
			kept = append(kept, m)
			continue
		}
		g.sketch.add(now, growthOf(m.usage, m.peak), m.weight)
	}
	g.pending = kept
}

// begin starts to follow a moment. It weighs as much of a reaction as has
// passed since the moment before, so that moments whose reactions overlap do
// not count as if each were new evidence. Usage of nothing is left out: there
// is no telling what it grows to.
func (g *Growth) begin(now, takes int64, usage scale.Amount) {
	passed := takes / momentsPerReaction
	if g.begun != 0 {
		passed = now - g.begun
	}
	if usage == 0 || passed < takes/momentsPerReaction || len(g.pending) >= maxPending {
		return
	}
	if g.pending == nil {
		g.pending = make([]moment, 0, maxPending)
	}
	weight := uint64(oneReaction * min(passed, takes) / takes)
	g.pending = append(g.pending, moment{end: now + takes, usage: usage, peak: usage, weight: weight})
	g.begun = now
}

// growthOf returns the growth in 256ths of the root of a thousandth. A usage
// that only fell has grown by nothing.
func growthOf(usage, peak scale.Amount) uint64 {
	if peak <= usage {
		return 0
	}
	return uint64(scale.NewRatio(scale.Product{int64(peak - usage), 1 << (2 * rootShift)}, scale.Product{}, scale.Product{root(int64(usage)), 1}).AmountUp())
}

// Reactions returns how many reactions the growth has seen, each counted by
// what is left of its weight.
func (g *Growth) Reactions() int64 { return int64(g.sketch.total() / oneReaction) }

// ReactionsNeeded returns how many reactions must have been seen before there
// is a headroom for a risk: 1/risk - 1. With fewer, even the largest growth
// seen is exceeded too often.
func ReactionsNeeded(risk int64) int64 {
	return int64(scale.Amount(scale.Parts).Share(1, max(risk, 1))) - 1
}

// Headroom returns the extra amount that the growth during one reaction does
// not exceed, except with this risk, in billionths. False means that too
// little is known for that risk.
func (g *Growth) Headroom(usage scale.Amount, risk int64) (scale.Amount, bool) {
	if usage <= 0 || risk <= 0 {
		return 0, false
	}
	growth, known := g.sketch.exceeded(min(risk, scale.Parts))
	if !known {
		return 0, false
	}
	// The root is rounded up here and down where growth was measured.
	return scale.NewRatio(scale.Product{int64(growth), root(int64(usage)) + 1}, scale.Product{}, scale.Product{1 << (2 * rootShift), 1}).AmountUp(), true
}

// Quantile returns the headroom of a usage of one unit: a number to compare
// workloads by.
func (g *Growth) Quantile(risk int64) (scale.Amount, bool) { return g.Headroom(scale.Thousand, risk) }

// Merge adds what another growth knows. The pending moments are those of the
// one that has come further.
func (g *Growth) Merge(other *Growth) {
	g.sketch.merge(&other.sketch)
	if other.last > g.last {
		g.last, g.begun, g.pending = other.last, other.begun, slices.Clone(other.pending)
	}
}

// clone returns a copy that shares nothing.
func (g *Growth) clone() *Growth {
	out := *g
	out.pending = slices.Clone(g.pending)
	return &out
}
