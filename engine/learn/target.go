package learn

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// MaxTargets bounds the targets that are remembered.
const MaxTargets = 64

// Target is a target utilization in force, and what is remembered of how it
// came about.
type Target struct {
	Container string `json:"container"`
	Resource  string `json:"resource"`
	Percent   int32  `json:"percent"`
	// Stated is what the policy stated when learning began; 0 where an HPA's own
	// target is in force.
	Stated   int32     `json:"stated,omitempty"`
	RaisedAt time.Time `json:"raisedAt,omitzero"`
	// MovedAt is when the target last became another; zero when that was not
	// seen, so that it counts as long ago.
	MovedAt time.Time `json:"movedAt,omitzero"`
	// Before is the largest target that usage may still come from which was seen
	// shortly after the move.
	Before int32 `json:"before,omitempty"`
}

const (
	// raiseEvery is how long a raised target stays before it may rise again.
	raiseEvery = 24 * time.Hour
	// settledAfter is how long a source that cannot be cut, such as a VPA with
	// its half-life of a day, takes to speak of the present target.
	settledAfter = 48 * time.Hour
	// worthRaising is the least raise of a target that has moved before: a point
	// to and fro is rounding.
	worthRaising = 2
)

// Busy is how busy pods are at their busiest.
type Busy struct {
	// Percent is the usage in percent of the request; 0 is unknown.
	Percent int64
	// Cut is set where only usage under the present target counts. Then Days is
	// how many whole days of it there are.
	Cut  bool
	Days int32
}

// BusyAt is a recommended request as such a usage. Rounding it up errs toward
// more room.
func BusyAt(recommended, request scale.Amount) Busy {
	if recommended <= 0 || request <= 0 {
		return Busy{}
	}
	return Busy{Percent: int64(recommended.Share(100, int64(request)))}
}

// BusyOf is a peak as such a usage. One that was seen under another target says
// nothing of the present one.
func BusyOf(peak scale.LearnedPeak, present int32) Busy {
	if peak.Under != present {
		return Busy{Cut: true}
	}
	return Busy{Percent: int64(peak.Percent), Cut: true, Days: peak.Days}
}

// Clamp keeps a target within what the administrator allows.
func (r *Rules) Clamp(percent int32) int32 { return max(r.Floor, min(r.Ceiling, percent)) }

// fitting is 100 - (P - target): it leaves just the room that the pods need at
// their busiest while new ones start.
func (r *Rules) fitting(busy Busy, target int32) int32 {
	return r.Clamp(int32(max(0, min(1000, 100-(busy.Percent-int64(target))))))
}

// Next returns the target that fits how busy the pods were under the present
// one. Lowering is immediate, because it adds room; raising takes it away, so
// it goes a few points a day.
//
// The formula counts once for what was seen under a target: applied again to the
// same usage it would go on forever. So a usage that may come from before the
// last move counts for less until that is settled: it only lowers the target,
// and only as far as it would have under the target before. The second result
// tells that the target would have moved otherwise.
func (r *Rules) Next(now Target, at time.Time, busy Busy) (Target, bool) {
	if busy.Percent <= 0 {
		return now, false
	}
	want, before := r.fitting(busy, now.Percent), now.Percent
	if !busy.Cut && !now.MovedAt.IsZero() && at.Sub(now.MovedAt) < settledAfter {
		before = max(now.Percent, now.Before)
		sure := r.fitting(busy, before)
		if sure >= now.Percent {
			return now, want != now.Percent
		}
		want = sure
	}
	if want > now.Percent {
		if !r.mayRaise(&now, at, busy, want) {
			return now, false
		}
		want, now.RaisedAt = min(want, now.Percent+r.MaxRaise), at
	}
	if want != now.Percent {
		now.Percent, now.MovedAt, now.Before = want, at, before
	}
	return now, false
}

// mayRaise tells whether a target may rise: not twice within a day, and not
// before there was a day to look at.
func (r *Rules) mayRaise(now *Target, at time.Time, busy Busy, want int32) bool {
	switch {
	case !now.RaisedAt.IsZero() && at.Sub(now.RaisedAt) < raiseEvery:
		return false
	case busy.Cut && busy.Days < 1:
		return false
	}
	return now.MovedAt.IsZero() || want-now.Percent >= worthRaising
}

// Found returns what is remembered of a target that is found in force. One that
// is not what was left behind was moved by someone else, just now as far as
// anyone knows.
func (t Target) Found(percent int32, at time.Time) Target {
	if t.Percent != percent {
		t.Percent, t.MovedAt, t.Before, t.RaisedAt = percent, at, t.Percent, time.Time{}
	}
	return t
}
