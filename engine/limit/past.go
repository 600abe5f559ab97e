package limit

import (
	"math"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// MaxEntries bounds each list of Past. It holds an hour, the longest window, of
// decisions every 15 seconds. Beyond it two neighbors become one, in the way
// that holds changes back longer, never shorter.
const MaxEntries = 256

// Past is what the limits remember of earlier decisions.
type Past struct {
	// Highs are the counts that can still hold a scale-down back: each is
	// larger than every later one. Lows are the same for scale-ups.
	Highs []TimedValue `json:"highs,omitempty"`
	Lows  []TimedValue `json:"lows,omitempty"`
	// Totals are the same for the total of each container's resource.
	Totals Totals `json:"totals,omitempty"`
	// Events are the changes that count against a policy's period.
	Events []Event `json:"events,omitempty"`
	// LastEventAt is the last change of the count, whoever made it, or of requests by
	// a decision.
	LastEventAt time.Time `json:"lastEventAt,omitzero"`
	// IdleSince is since when zero, or the idle count, has been desired without a break.
	IdleSince time.Time `json:"idleSince,omitzero"`
	Sides     `json:",inline"`
}

// Sides tell since when what is desired has been above, or below, what there is
// without a break.
type Sides struct {
	AboveSince time.Time `json:"aboveSince,omitzero"`
	BelowSince time.Time `json:"belowSince,omitzero"`
}

// Event is a change of the replica count.
type Event struct {
	At     time.Time `json:"at"`
	Change int32     `json:"change"`
}

func (e *Event) moment() *time.Time { return &e.At }

// Recall makes the past what it is at a moment. Entries from the future, left
// behind by a clock that was set back, count as made just now: they hold
// changes back for one window and then are forgotten. Lists are shared with the
// past that this one is a copy of, and whoever changes one makes a new one.
func (p *Past) Recall(at time.Time) {
	p.Highs, p.Lows = recalled(p.Highs, at, (*TimedValue).moment), recalled(p.Lows, at, (*TimedValue).moment)
	p.Totals = p.Totals.recalled(at)
	p.Events = recalled(p.Events, at, (*Event).moment)
	p.LastEventAt = scale.Earlier(p.LastEventAt, at)
	p.IdleSince = scale.Earlier(p.IdleSince, at)
	p.AboveSince = scale.Earlier(p.AboveSince, at)
	p.BelowSince = scale.Earlier(p.BelowSince, at)
}

// recalled returns a list in which nothing is later than a moment. Where that is
// so already, as it is unless a clock was set back, it is the list itself.
func recalled[E any](list []E, now time.Time, at func(*E) *time.Time) []E {
	if !late(list, now, at) {
		return list
	}
	list = slices.Clone(list)
	for i := range list {
		*at(&list[i]) = scale.Earlier(*at(&list[i]), now)
	}
	return list
}

// late tells whether some entry is later than a moment.
func late[E any](list []E, now time.Time, at func(*E) *time.Time) bool {
	for i := range list {
		if at(&list[i]).After(now) {
			return true
		}
	}
	return false
}

// with returns a new list that has one more entry.
func with[E any](list []E, one E) []E {
	return append(append(make([]E, 0, len(list)+1), list...), one)
}

// RememberDesired remembers a count for as long as a stabilization window may
// need it.
func (p *Past) RememberDesired(r *Rules, at time.Time, replicas int32) {
	p.desired().push(r, TimedValue{At: at, Value: int64(replicas)})
}

func (p *Past) desired() monotonicWindow { return monotonicWindow{&p.Highs, &p.Lows} }

// RememberChange remembers a change of the replica count.
func (p *Past) RememberChange(r *Rules, at time.Time, change int32) {
	p.LastEventAt = at
	if r.Upstream {
		p.rememberUpstream(r, Event{At: at, Change: change})
		return
	}
	period := r.longestPeriod()
	if period == 0 {
		p.Events = nil
		return
	}
	for len(p.Events) > 0 && at.Sub(p.Events[0].At) >= period {
		p.Events = p.Events[1:]
	}
	p.Events = mergeClosest(with(p.Events, Event{At: at, Change: change}), func(e Event) time.Time { return e.At },
		func(older, younger Event) Event {
			return Event{At: younger.At, Change: saturated(int64(older.Change) + int64(younger.Change))}
		})
}

// rememberUpstream remembers a change as the HPA does: an event takes the place
// of the last one of its direction that is older than the longest period of
// that direction, even where the other direction's policies would still count
// it. How long the HPA remembers depends on this.
func (p *Past) rememberUpstream(r *Rules, e Event) {
	period := r.direction(scale.DirectionOf(0, e.Change)).longestPeriod()
	place := -1
	for i, old := range p.Events {
		if (old.Change > 0) == (e.Change > 0) && e.At.Sub(old.At) > period {
			place = i
		}
	}
	switch {
	case place >= 0:
		p.Events = slices.Clone(p.Events)
		p.Events[place] = e
	case len(p.Events) < MaxEntries:
		p.Events = with(p.Events, e)
	default:
		p.Events = with(p.Events[1:], e)
	}
}

func saturated(n int64) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, n))) }

// On returns the sides at a moment at which a change to a side is desired. Without
// data a break is assumed on the way down only, so that blindness never adds up
// to a reason for scaling down.
func (s Sides) On(side scale.Direction, at time.Time, informed bool) Sides {
	switch {
	case !informed:
		return Sides{AboveSince: s.AboveSince}
	case side == scale.Up:
		return Sides{AboveSince: since(s.AboveSince, at)}
	case side == scale.Down:
		return Sides{BelowSince: since(s.BelowSince, at)}
	}
	return Sides{}
}

func since(known, at time.Time) time.Time {
	if known.IsZero() {
		return at
	}
	return known
}

// mergeClosest keeps a list that is sorted by time within MaxEntries. It merges
// where the merged entry stands for the shortest time, so that the list thins
// out evenly. The oldest entry is never merged: it would take the time of the
// next again and again, and never expire.
func mergeClosest[E any](list []E, at func(E) time.Time, merge func(older, younger E) E) []E {
	for len(list) > MaxEntries {
		closest := 1
		for i := 2; i < len(list)-1; i++ {
			if at(list[i+1]).Sub(at(list[i-1])) < at(list[closest+1]).Sub(at(list[closest-1])) {
				closest = i
			}
		}
		list[closest] = merge(list[closest], list[closest+1])
		list = append(list[:closest+1], list[closest+2:]...)
	}
	return list
}
