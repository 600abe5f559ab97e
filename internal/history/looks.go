package history

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// maxLooks is how many looks are kept: metrics older than the time they span
// are not believed to be the newest.
const maxLooks = 32

// looks are what the last observations saw of the workload's size. A
// measurement that arrives late belongs to the size of its own moment, not to
// the size of now.
type looks struct {
	ring []Look
}

// Look is the size of a workload at one moment.
type Look struct {
	// at is in Unix milliseconds.
	at int64
	// Ready is how many pods served, Limit what each of them could use at most,
	// 0 where there was no limit.
	Ready int32
	Limit scale.Amount
	// Request is what each of them requested in force. It is not kept: 0 is unknown.
	Request scale.Amount
}

// NoteLook notes the size that an observation saw. Only later ones count.
func (g *Growth) NoteLook(at time.Time, seen Look) {
	now := at.UnixMilli()
	if !plausible(at) || now <= g.looks.newest() {
		return
	}
	if len(g.looks.ring) == maxLooks {
		copy(g.looks.ring, g.looks.ring[1:])
		g.looks.ring = g.looks.ring[:maxLooks-1]
	}
	g.looks.ring = append(g.looks.ring, Look{at: now, Ready: max(seen.Ready, 0), Limit: max(seen.Limit, 0), Request: max(seen.Request, 0)})
}

func (l *looks) newest() int64 {
	if len(l.ring) == 0 {
		return 0
	}
	return l.ring[len(l.ring)-1].at
}

// After returns the first look after a moment: what a decision changes at a
// moment, only the next look sees. It reports false when there was none.
func (g *Growth) After(at time.Time) (seen Look, when time.Time, ok bool) {
	for _, look := range g.looks.ring {
		if look.at > at.UnixMilli() {
			return look, time.UnixMilli(look.at), true
		}
	}
	return Look{}, time.Time{}, false
}

// Before returns the last look not after a moment. It reports false when there was
// none.
func (g *Growth) Before(at time.Time) (seen Look, ok bool) {
	for _, look := range slices.Backward(g.looks.ring) {
		if look.at <= at.UnixMilli() {
			return look, true
		}
	}
	return Look{}, false
}
