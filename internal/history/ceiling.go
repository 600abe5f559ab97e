package history

import "github.com/tidemark/tidemark/scale"

// How an application's ceiling is found. Either pods that were full use as much as
// before, to fullPercent, after they were given grownPercent of it. Or they request
// more than they use, by sparePercent, and what differs in most samples, by the
// share differed, does not any more, but for the share alike that measuring may add:
// what the pods use, and what the busiest uses from sample to sample. Each has to be
// so in some samples in a row. Demand that changes in steps is alike in most samples.
const (
	fullPercent  = 98
	grownPercent = 120
	sparePercent = 105
	// roomPercent is the same where pods count on the room of their nodes, which is
	// not known as well: pods that have used it up are all alike, too.
	roomPercent    = 125
	ceilingSamples = 2
	pinnedSamples  = 3
	alike          = scale.Parts / 50
	differed       = scale.Parts / 30
	// mostOver is over how many samples it is known what most of them are like.
	mostOver = 16
)

// PodUse is what the pods used at a moment in Unix milliseconds: the busiest, and
// on average. Limit is what each might have used, and Request what it requested in
// force; 0 where there is none, or it is not known.
type PodUse struct {
	At             int64
	Most, Mean     scale.Amount
	Limit, Request scale.Amount
	// Bursts is set where pods are given less than they use, as long as nodes have
	// room. Then they are taken to differ until they are seen not to: a ceiling that
	// they begin at would show too late.
	Bursts bool
}

// ceiling is what is known of the most that one pod's application uses. It is
// not kept: a decision that has been told remembers it.
type ceiling struct {
	at int64
	// used and limit are those of a pod when it was last full, and hits how often
	// it has used no more since.
	used, limit scale.Amount
	hits        int
	// last is what the busiest pod used in the last sample, lively the share of
	// samples that differ, in billionths, and pinned in how many nothing has since.
	last   scale.Amount
	lively int64
	pinned int
	found  scale.Amount
}

// Ceiling takes a sample of what pods used. It returns the most that the application
// of a pod uses, although it may use more; 0 while that is not known to be so.
func (g *Growth) Ceiling(u PodUse) scale.Amount {
	c := &g.ceiling
	if c.at != 0 && u.At <= c.at || u.Most <= 0 {
		return c.found
	}
	c.at = u.At
	if c.found > 0 && u.Most > c.found.Share(2*100-fullPercent, 100) {
		c.found = 0 // It does use more.
	}
	if !u.Bursts {
		// The room of nodes comes and goes: pods that use no more after they were full
		// need not have been given more.
		c.afterFull(u)
	}
	c.whilePinned(u)
	return c.found
}

// afterFull looks at pods that were full and were given more.
func (c *ceiling) afterFull(u PodUse) {
	switch {
	case u.Limit <= 0:
	case u.Most >= u.Limit.Share(fullPercent, 100):
		c.used, c.limit, c.hits, c.found = u.Most, u.Limit, 0, 0
	case c.used == 0:
	case u.Most > c.used.Share(2*100-fullPercent, 100):
		c.used, c.limit, c.hits = 0, 0, 0
	case u.Most < c.used.Share(fullPercent, 100), u.Limit < c.limit.Share(grownPercent, 100):
		c.hits = 0
	default:
		if c.hits++; c.hits >= ceilingSamples {
			c.found = max(c.used, u.Most)
		}
	}
}

// whilePinned looks at pods that request more than they use. Demand reaches them
// unevenly and changes; only what they cannot exceed is the same for all of them,
// and all the time.
func (c *ceiling) whilePinned(u PodUse) {
	differs := max(apart(u.Mean, u.Most), apart(c.last, u.Most), apart(u.Most, c.last))
	spare := int64(sparePercent)
	if u.Bursts {
		spare = roomPercent
	}
	first := c.last == 0
	c.last = u.Most
	switch {
	case first:
		if u.Bursts {
			c.lively = scale.Parts
		}
		return
	case differs > alike || u.Request < u.Most.Share(spare, 100):
		c.pinned = 0
	default:
		if c.pinned++; c.pinned >= pinnedSamples && c.lively >= scale.Parts/2 {
			c.found = u.Most
		}
	}
	now := int64(0)
	if differs >= differed {
		now = scale.Parts
	}
	c.lively += (now - c.lively) / mostOver
}

// apart is by how much one amount is below another, in billionths of that.
func apart(a, b scale.Amount) int64 {
	if a >= b {
		return 0
	}
	return int64((b - a).Share(scale.Parts, int64(b)))
}
