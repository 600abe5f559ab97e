package history

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Growth remembers by how much usage grows during one reaction: the time from
// a change of demand until what answers it takes effect.
//
// For each moment it is the largest usage within the next reaction, less what
// was expected at the moment, divided by the square root of the usage: demand
// made of many independent parts varies by the root of its size, so what was
// seen at one size can be used at another. What is expected is forecast in
// several ways (forecast.go), and the distribution of the errors of each is kept
// in a sketch that forgets by half-lives: no forecast has to be believed, since
// its own errors are what the room is measured by.
//
// The usage must be what is asked for, not what saturated pods could serve.
type Growth struct {
	ceiling  ceiling
	sketches [forecasts]sketch
	// pending are the moments whose reaction is not over, oldest first.
	pending []moment
	// last is when usage was last observed, and begun when a moment was last
	// begun, 0 after a gap. Both are in Unix milliseconds.
	last, begun int64
	// now and before are the last two usages, before taken ago milliseconds
	// earlier; ago is 0 while there is only one.
	now, before scale.Amount
	ago         int64
	looks       looks
}

// moment is a usage and the largest that has followed so far. Its reaction
// ends at a time in Unix milliseconds. rise is by how much usage would rise
// until then if it went on as it did before the moment; it may be negative.
type moment struct {
	end         int64
	usage, peak scale.Amount
	rise        scale.Amount
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
		g.pending, g.begun, g.ago = g.pending[:0], 0, 0
	} else {
		g.before, g.ago = g.now, now-g.last
	}
	g.last, g.now = now, usage
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
		for way := range g.sketches {
			g.sketches[way].add(now, growthOf(m.usage, expected(m.usage, m.rise, way), m.peak), m.weight)
		}
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
	g.pending = append(g.pending, moment{end: now + takes, usage: usage, peak: usage, rise: g.rise(takes), weight: weight})
	g.begun = now
}

// growthOf returns by how much a peak exceeds what was expected, in 256ths of
// the root of a thousandth. A usage that stayed below has grown by nothing.
func growthOf(usage, expected, peak scale.Amount) uint64 {
	if peak <= expected {
		return 0
	}
	return uint64(scale.NewRatio(scale.Product{int64(peak - expected), 1 << (2 * rootShift)}, scale.Product{}, scale.Product{root(int64(usage)), 1}).AmountUp())
}

// Reactions returns how many reactions the growth has seen, each counted by
// what is left of its weight.
func (g *Growth) Reactions() int64 { return int64(g.sketches[0].sum / oneReaction) }

// ReactionsNeeded returns how many reactions must have been seen before there
// is a headroom for a risk: 1/risk - 1. With fewer, even the largest growth
// seen is exceeded too often.
func ReactionsNeeded(risk int64) int64 {
	return int64(scale.Amount(scale.Parts).Share(1, max(risk, 1))) - 1
}

// Outlook is what usage may come to within one reaction.
type Outlook struct {
	// Expected is what it is likely to be, Room by how much more it may be,
	// except with the accepted risk.
	Expected, Headroom scale.Amount
}

// Outlook forecasts the usage one reaction ahead, except with this risk, in
// billionths. Of the ways to forecast it takes the one that needs the least
// room. False means that too little is known for that risk; then what is
// expected is the usage.
func (g *Growth) Outlook(usage scale.Amount, risk int64, reaction time.Duration) (Outlook, bool) {
	out, found := Outlook{Expected: max(usage, 0)}, false
	rise := g.rise(reaction.Milliseconds())
	for way := range g.sketches {
		if room, known := g.room(way, usage, risk); known && (!found || room < out.Headroom) {
			out, found = Outlook{Expected: expected(usage, rise, way), Headroom: room}, true
		}
	}
	return out, found
}

// room is the amount by which usage exceeds the forecast of one way during one
// reaction, except with this risk. The root is rounded up here and down where
// growth was measured.
func (g *Growth) room(way int, usage scale.Amount, risk int64) (scale.Amount, bool) {
	if usage <= 0 || risk <= 0 {
		return 0, false
	}
	growth, known := g.sketches[way].exceeded(min(risk, scale.Parts))
	if !known {
		return 0, false
	}
	return scale.NewRatio(scale.Product{int64(growth), root(int64(usage)) + 1}, scale.Product{}, scale.Product{1 << (2 * rootShift), 1}).AmountUp(), true
}
