package elastic

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

const (
	// ceilingFor is how long a ceiling counts before it is tried whether a pod
	// uses more by now: a new version may.
	ceilingFor = 24 * time.Hour
	// morePercent of its ceiling is what a pod uses that has none any more,
	// lessPercent what one uses that has reached it, and belowPercent what is usual:
	// some of what comes suddenly can then still be met by size.
	morePercent, lessPercent, belowPercent = 102, 98, 80
	// probeShare of the pods, and at least one, are added to see whether there is
	// a ceiling, one in so many, and probeFor is how long that may take. After one
	// that was none the next begins restFor later, and twice as late each time as
	// long as the usage stays where it is, up to mostRest.
	probeShare = 10
	probeFor   = 10 * time.Minute
	restFor    = 5 * time.Minute
	mostRest   = 30 * time.Minute
)

// Ceiling is what is remembered of the most that the application of a pod uses.
//
// Demand that is the same for a while looks like a ceiling: full pods that are
// given more use no more. So it is tried. A few more pods are started, and if
// there was work that waited for them they all use more together: then there is
// a ceiling. If they use the same there is none.
type Ceiling struct {
	// Amount is the ceiling, 0 for none, and Since when it was found.
	Amount scale.Amount `json:"amount,omitempty"`
	Since  time.Time    `json:"since,omitzero"`
	// Pods is how many pods the trial takes, 0 once it is over; Total is what
	// they used in all before, and Served since when all of them serve.
	Pods   int32        `json:"pods,omitempty"`
	Total  scale.Amount `json:"total,omitempty"`
	Served time.Time    `json:"served,omitzero"`
	// Likely is an amount that may be a ceiling: it was one, or was tried and
	// pods still use as much. Failed is how often in a row it was tried, and
	// NotBefore when that may be again.
	Likely    scale.Amount `json:"likely,omitempty"`
	Failed    int32        `json:"failed,omitempty"`
	NotBefore time.Time    `json:"notBefore,omitzero"`
}

// Use is what pods use, as far as a ceiling shows in it.
type Use struct {
	At time.Time
	// Found is what history takes for a ceiling, 0 for nothing.
	Found scale.Amount
	// Total is what all pods use, and PerPod what the busiest does.
	Total, PerPod scale.Amount
	// Serving is how many pods serve, and Within how long it takes until their
	// usage shows.
	Serving int32
	Within  time.Duration
}

// Sure tells whether there is a ceiling, and it has been tried.
func (c *Ceiling) Sure() bool { return c.Amount > 0 && c.Pods == 0 }

// Reached tells whether pods use all that they can.
func (c *Ceiling) Reached(perPod scale.Amount) bool {
	return c.Sure() && perPod >= c.Amount.Share(lessPercent, 100)
}

// Look begins, goes on with, or ends a trial.
func (c *Ceiling) Look(u Use) {
	switch known := max(c.Amount, c.Likely); {
	case known > 0 && u.PerPod > known.Share(morePercent, 100):
		*c = Ceiling{NotBefore: c.NotBefore}
	case known > 0 && u.PerPod < known.Share(lessPercent, 100):
		c.Failed = 0
	}
	switch {
	case c.Pods > 0:
		c.try(u)
	case c.Amount > 0 && u.At.Sub(c.Since) >= ceilingFor:
		*c = Ceiling{Likely: c.Amount}
	case c.Amount == 0:
		c.begin(u)
	}
}

// begin begins a trial where pods use as much as may be their ceiling.
func (c *Ceiling) begin(u Use) {
	likely := c.Likely
	if u.Found > 0 {
		likely = u.Found
	}
	reached := u.PerPod >= likely.Share(lessPercent, 100) && u.PerPod <= likely.Share(morePercent, 100)
	if likely <= 0 || !reached || u.Serving <= 0 || u.At.Before(c.NotBefore) {
		return
	}
	*c = Ceiling{Amount: likely, Since: u.At, Pods: u.Serving + max(u.Serving/probeShare, 1), Total: u.Total, Failed: c.Failed}
}

// try looks at a trial that is under way.
func (c *Ceiling) try(u Use) {
	switch {
	case u.At.Sub(c.Since) >= probeFor:
		c.end(u)
	case u.Serving < c.Pods:
		c.Served = time.Time{}
	case c.Served.IsZero():
		c.Served = u.At
	case u.At.Sub(c.Served) < u.Within:
	case u.Total > c.Total.Share(int64(2*probeShare+1), 2*probeShare):
		// More than half of what the new pods can do was waiting.
		c.Pods, c.Total, c.Served, c.Failed = 0, 0, time.Time{}, 0
	default:
		c.end(u)
	}
}

// end ends a trial that showed no ceiling.
func (c *Ceiling) end(u Use) {
	rest := min(restFor<<min(c.Failed, 8), mostRest)
	*c = Ceiling{Likely: c.Amount, Failed: c.Failed + 1, NotBefore: u.At.Add(rest)}
}

// recalled is the ceiling as seen at a moment: nothing was found in the future.
func (c Ceiling) recalled(at time.Time) Ceiling {
	c.Since, c.Served = scale.Earlier(c.Since, at), scale.Earlier(c.Served, at)
	c.NotBefore = scale.Earlier(c.NotBefore, at.Add(mostRest))
	return c
}

// Capped returns the rules under a ceiling. No pod is given what it cannot use.
// That it uses more after all shows where it may burst, and else when the ceiling
// is tried again.
func (c *Ceiling) Capped(r *Rules) *Rules {
	if !c.Sure() || c.Amount >= r.Max {
		return r
	}
	out := *r
	out.Usual, out.Min, out.Max = min(r.Usual, c.Amount.Share(belowPercent, 100)), min(r.Min, c.Amount), min(r.Max, c.Amount)
	out.Ceiling = c.Amount
	if r.Prices != nil {
		// A larger pod is of no use, so only their number is weighed.
		out.Rigid, out.Min, out.Max = true, out.Usual, out.Usual
	}
	return &out
}
