package elastic

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Past is what the stage remembers from one decision to the next.
type Past struct {
	// Total is what the pods should have in all; 0 is nothing yet.
	Total scale.Amount `json:"total,omitempty"`
	// Guessed is set while the total is a guess, because the pods were full.
	Guessed bool    `json:"guessed,omitempty"`
	Ceiling Ceiling `json:"ceiling,omitzero"`
	// Wishes are the totals that can still be needed: each is larger than every
	// later one.
	Wishes []Wish `json:"wishes,omitempty"`
}

// Wish is a total that was needed at a moment.
type Wish struct {
	At    time.Time    `json:"at"`
	Total scale.Amount `json:"total"`
}

// Bounds of Past.
const (
	// memory is how long a total is remembered. Whatever was needed within it
	// counts, but nothing is held longer for that.
	memory    = time.Hour
	maxWishes = 64
)

// Recalled returns the past as seen at a moment. Totals from the future, left
// behind by a clock that was set back, count as made just now. The caller's past
// is not changed.
func (p Past) Recalled(at time.Time) Past {
	p.Ceiling = p.Ceiling.recalled(at)
	if slices.ContainsFunc(p.Wishes, func(w Wish) bool { return w.At.After(at) }) {
		p.Wishes = slices.Clone(p.Wishes)
		for i := range p.Wishes {
			p.Wishes[i].At = scale.Earlier(p.Wishes[i].At, at)
		}
	}
	return p
}

// Needed is the total that was last needed.
func (p *Past) Needed() scale.Amount {
	if len(p.Wishes) == 0 {
		return 0
	}
	return p.Wishes[len(p.Wishes)-1].Total
}

// push remembers a total. Older ones that it outdoes can never matter again.
// Beyond the bound the two that are closest become one, the larger of them at
// the later time: that holds longer, never shorter.
func (p *Past) push(w Wish) {
	for len(p.Wishes) > 0 && p.Wishes[len(p.Wishes)-1].Total <= w.Total {
		p.Wishes = p.Wishes[:len(p.Wishes)-1]
	}
	p.Wishes = append(p.Wishes, w)
	for w.At.Sub(p.Wishes[0].At) > memory {
		p.Wishes = p.Wishes[1:]
	}
	if len(p.Wishes) <= maxWishes {
		return
	}
	closest := 0
	for i := 1; i+1 < len(p.Wishes); i++ {
		if p.Wishes[i].Total-p.Wishes[i+1].Total < p.Wishes[closest].Total-p.Wishes[closest+1].Total {
			closest = i
		}
	}
	p.Wishes[closest].At = p.Wishes[closest+1].At
	p.Wishes = slices.Delete(p.Wishes, closest+1, closest+2)
}
