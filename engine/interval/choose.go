package interval

import "github.com/tidemark/tidemark/scale"

// Choice is the size the totals ask for, and why.
type Choice struct {
	Fit
	Reason scale.Reason
	// Postponed is set when a step in waits; then no request has shrunk, and the
	// count is the current one.
	Postponed bool
}

// Choose looks the totals up and sizes the pods.
func (r *Rules) Choose(from scale.Size, totals Totals) Choice {
	n := r.Replicas(from, totals)
	c := Choice{Fit: r.Sized(from, totals, n), Reason: scale.WithinInterval}
	switch {
	case n > from.Replicas:
		c.Reason = scale.NextInterval
	case n < from.Replicas:
		c.Reason = scale.PreviousInterval
		if r.Postponed(from, totals, c.Size) {
			c.Postponed, c.Fit = true, r.waiting(from, totals)
		}
	}
	return c
}
