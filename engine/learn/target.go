package learn

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Target is a learned target utilization and when it was last raised.
type Target struct {
	Container string    `json:"container"`
	Resource  string    `json:"resource"`
	Percent   int32     `json:"percent"`
	RaisedAt  time.Time `json:"raisedAt,omitzero"`
}

// raiseEvery is how long a raised target stays before it may rise again.
const raiseEvery = 24 * time.Hour

// Clamp keeps a target within what the administrator allows.
func (r *Rules) Clamp(percent int32) int32 { return max(r.Floor, min(r.Ceiling, percent)) }

// Next returns the target for the usage at the busiest: 100 - (P - target),
// where P is what is recommended in percent of the request. It leaves just the
// room the workload needs while new pods start. Lowering is immediate, because
// it adds room; raising takes it away, so it goes a few points a day.
func (r *Rules) Next(now Target, at time.Time, recommended, request scale.Amount) Target {
	if recommended <= 0 || request <= 0 {
		return now
	}
	// Rounding the usage up errs towards more room.
	usage := int64(recommended.Share(100, int64(request)))
	want := r.Clamp(int32(max(0, min(1000, 100-(usage-int64(now.Percent))))))
	switch {
	case want < now.Percent:
		now.Percent = want
	case want > now.Percent && (now.RaisedAt.IsZero() || at.Sub(now.RaisedAt) >= raiseEvery):
		now.Percent, now.RaisedAt = min(want, now.Percent+r.MaxRaise), at
	}
	return now
}
