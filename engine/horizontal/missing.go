package horizontal

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// OnMissing is what a metric without a usable sample proposes.
type OnMissing struct {
	Policy MissingPolicy
	// Replicas is the count of FallBack, and of those below it.
	Replicas int32
	// After is for how long a sample has to be missing first.
	After time.Duration
}

// MissingPolicy names the ways to go on without a sample.
type MissingPolicy uint8

// The policies. Hold keeps the current count, Ignore leaves the decision to
// the other metrics, FallBack asks for at least a stated count. The others are a
// fallback that was asked for by name: a stated count, the current one, the larger
// or the smaller of the two.
const (
	Hold MissingPolicy = iota
	Ignore
	FallBack
	Static
	Current
	CurrentIfHigher
	CurrentIfLower
)

// withoutSample applies onMissing. Only a fallback that was asked for by name
// lowers the count: any other would be scaling down while blind.
func withoutSample(p proposal, on OnMissing, current int32) proposal {
	p.replicas = current
	if p.reason == "" {
		p.reason = scale.NoData
	}
	switch on.Policy {
	case FallBack:
		p.replicas, p.state = max(current, on.Replicas), fallback
	case Current:
		p.reason, p.state = scale.Fallback, fallback
	case CurrentIfHigher:
		p.replicas, p.reason, p.state = max(current, on.Replicas), scale.Fallback, fallback
	case CurrentIfLower:
		p.replicas, p.reason, p.state = min(current, on.Replicas), scale.Fallback, stated
	case Static:
		p.replicas, p.reason, p.state = on.Replicas, scale.Fallback, stated
	}
	return p
}

// Lacking knows since when metrics have had no sample.
type Lacking struct {
	// Before is what was so at the last decision, and Now what is so at this one.
	Before, Now []Lack
	// Left is, for each of Now, how long it still holds before it falls back.
	Left []time.Duration
}

// Waits tells how long a metric without a sample still holds.
func (l *Lacking) Waits(metric string) time.Duration {
	for i := range l.Now {
		if l.Now[i].Metric == metric {
			return l.Left[i]
		}
	}
	return 0
}

// Lack is a metric without a sample, and since when it has had none.
type Lack struct {
	Metric string    `json:"metric"`
	Since  time.Time `json:"since"`
}

// lacks is what a metric does that has no sample: it holds until that has been so
// for long enough.
func (r *Rules) lacks(i int, at time.Time) OnMissing {
	on := r.Metrics[i].OnMissing
	if r.Lacking == nil || on.After == 0 {
		return on
	}
	since := at
	for _, before := range r.Lacking.Before {
		if before.Metric == r.Metrics[i].Name {
			since = scale.Earlier(before.Since, at)
		}
	}
	left := max(0, on.After-at.Sub(since))
	r.Lacking.Now, r.Lacking.Left = append(r.Lacking.Now, Lack{Metric: r.Metrics[i].Name, Since: since}), append(r.Lacking.Left, left)
	if left > 0 {
		return OnMissing{}
	}
	return on
}

// FallsBack tells whether some metric falls back after a time.
func (r *Rules) FallsBack() bool {
	for i := range r.Metrics {
		if r.Metrics[i].OnMissing.After > 0 {
			return true
		}
	}
	return false
}
