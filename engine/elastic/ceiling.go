package elastic

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

const (
	// ceilingFor is how long a ceiling counts before it is tried whether a pod
	// uses more by now: a new version may.
	ceilingFor = 24 * time.Hour
	// morePercent of its ceiling is what a pod uses that has none any more, and
	// beyondPercent what it may have: enough to show that.
	morePercent   = 102
	beyondPercent = 120
)

// Capped returns the rules for an application that uses no more than some amount
// in a pod, whatever it is given; found is that amount, 0 where nothing new is
// known, and used what a pod uses now. It reports whether there is a ceiling.
func (p *Past) Capped(r *Rules, at time.Time, found, used scale.Amount) (*Rules, bool) {
	switch {
	case found > 0:
		p.Ceiling, p.CeilingAt = found, at
	case p.Ceiling > 0 && (used > p.Ceiling.Share(morePercent, 100) || at.Sub(p.CeilingAt) >= ceilingFor):
		p.Ceiling, p.CeilingAt = 0, time.Time{}
	}
	if p.Ceiling <= 0 || p.Ceiling >= r.Max {
		return r, false
	}
	return &Rules{
		Usual: min(r.Usual, p.Ceiling), Min: min(r.Min, p.Ceiling), Max: min(r.Max, p.Ceiling.Share(beyondPercent, 100)), Ceiling: p.Ceiling,
	}, true
}
