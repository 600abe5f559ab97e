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
	// Totals are the totals that can still be needed: each is larger than every
	// later one. Their name in the status is an older word: memories that were
	// written with it must stay readable.
	Totals []TimedTotal `json:"wishes,omitempty"`
	// Waited is what it has cost so far, in core-seconds, that the total was not
	// changed to this side, and WeighedAt when that was last added up. Only prices
	// need them.
	Waited    scale.Amount    `json:"waited,omitempty"`
	Side      scale.Direction `json:"side,omitempty"`
	WeighedAt time.Time       `json:"weighedAt,omitzero"`
	// Each and Pods are the size in which the total was decided. While pods start,
	// the others have more than their part of it.
	Each scale.Amount `json:"each,omitempty"`
	Pods int32        `json:"pods,omitempty"`
	// StuckAt is when most pods were last found to be of a size that their nodes will
	// never have room for.
	StuckAt time.Time `json:"stuckAt,omitzero"`
	// Usual is the usual size of a pod, where nobody states one.
	Usual scale.Amount `json:"usual,omitempty"`
}

// TimedTotal is a total that was needed at a moment.
type TimedTotal struct {
	At    time.Time    `json:"at"`
	Total scale.Amount `json:"total"`
}

// Bounds of Past.
const (
	// memory is how long a total is remembered. Whatever was needed within it
	// counts, but nothing is held longer for that.
	memory    = time.Hour
	maxTotals = 64
)

// Recalled returns the past as seen at a moment. Totals from the future, left
// behind by a clock that was set back, count as made just now. The caller's past
// is not changed.
func (p Past) Recalled(at time.Time) Past {
	p.Ceiling = p.Ceiling.recalled(at)
	p.WeighedAt, p.StuckAt = scale.Earlier(p.WeighedAt, at), scale.Earlier(p.StuckAt, at)
	if slices.ContainsFunc(p.Totals, func(w TimedTotal) bool { return w.At.After(at) }) {
		p.Totals = slices.Clone(p.Totals)
		for i := range p.Totals {
			p.Totals[i].At = scale.Earlier(p.Totals[i].At, at)
		}
	}
	return p
}

// Needed is the total that was last needed.
func (p *Past) Needed() scale.Amount {
	if len(p.Totals) == 0 {
		return 0
	}
	return p.Totals[len(p.Totals)-1].Total
}

// push remembers a total. Older ones that it outdoes can never matter again.
// Beyond the bound the two that are closest become one, the larger of them at
// the later time: that holds longer, never shorter.
func (p *Past) push(w TimedTotal) {
	for len(p.Totals) > 0 && p.Totals[len(p.Totals)-1].Total <= w.Total {
		p.Totals = p.Totals[:len(p.Totals)-1]
	}
	p.Totals = append(p.Totals, w)
	for w.At.Sub(p.Totals[0].At) > memory {
		p.Totals = p.Totals[1:]
	}
	if len(p.Totals) <= maxTotals {
		return
	}
	closest := 0
	for i := 1; i+1 < len(p.Totals); i++ {
		if p.Totals[i].Total-p.Totals[i+1].Total < p.Totals[closest].Total-p.Totals[closest+1].Total {
			closest = i
		}
	}
	p.Totals[closest].At = p.Totals[closest+1].At
	p.Totals = slices.Delete(p.Totals, closest+1, closest+2)
}
