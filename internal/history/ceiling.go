package history

import "github.com/tidemark/tidemark/scale"

// How an application's ceiling is found: pods that were full use as much as
// before, to fullPercent, after they were given grownPercent of it, in so many
// samples.
const (
	fullPercent    = 98
	grownPercent   = 120
	ceilingSamples = 2
)

// ceiling is what is known of the most that one pod's application uses. It is
// not kept: a decision that has been told remembers it.
type ceiling struct {
	at int64
	// used and limit are those of a pod when it was last full.
	used, limit scale.Amount
	hits        int
	found       scale.Amount
}

// Ceiling takes a sample of what one pod used, and might have used, at a moment
// in Unix milliseconds. It returns the most that the application uses, although
// it may use more; 0 while that is not known to be so.
func (g *Growth) Ceiling(at int64, used, limit scale.Amount) scale.Amount {
	c := &g.ceiling
	if c.at != 0 && at <= c.at || limit <= 0 || used <= 0 {
		return c.found
	}
	c.at = at
	switch {
	case used >= limit.Share(fullPercent, 100):
		c.used, c.limit, c.hits, c.found = used, limit, 0, 0
	case c.used == 0:
	case used > c.used.Share(2*100-fullPercent, 100):
		*c = ceiling{at: at} // It does use more.
	case used < c.used.Share(fullPercent, 100), limit < c.limit.Share(grownPercent, 100):
		c.hits = 0
	default:
		if c.hits++; c.hits >= ceilingSamples {
			c.found = max(c.used, used)
		}
	}
	return c.found
}
