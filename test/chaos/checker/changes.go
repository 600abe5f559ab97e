package checker

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// judgeChanges holds every change of ours against the rules of its policy.
func (c *Checker) judgeChanges(o *object) {
	for i, ch := range o.changes {
		if ch.look == nil {
			continue
		}
		c.judgeBounds(o, ch)
		if ch.intoBounds() {
			continue // which waits for nothing, and goes no further
		}
		c.judgeData(o, ch)
		c.judgeVelocity(o, ch, o.changes[:i])
		c.judgeForbidden(o, ch, o.changes[:i])
		c.judgeStabilization(o, ch)
		c.judgeDelay(o, ch)
	}
}

// intoBounds tells whether a change goes from outside the bounds to the nearest one.
func (ch *change) intoBounds() bool {
	b := &ch.look.bounds
	return ch.before > b.Max && ch.after == b.Max || ch.before < b.Min && ch.after == b.Min
}

// judgeBounds holds a change against what the controller says its bounds are, and
// against what was stored of them.
func (c *Checker) judgeBounds(o *object, ch *change) {
	c.judged[Bounds]++
	least, most := ch.look.limits.Min, ch.look.limits.Max
	if lowest, highest, known := o.stated(ch.look); known {
		least, most = max(least, lowest), min(most, highest)
	}
	switch {
	case ch.after < ch.before && ch.after < least:
		c.violated(Bounds, o.name, ch.at, "%s went from %d to %d, below the minimum %d", ch.who, ch.before, ch.after, least)
	case ch.after > ch.before && ch.after > most:
		c.violated(Bounds, o.name, ch.at, "%s went from %d to %d, above the maximum %d", ch.who, ch.before, ch.after, most)
	case ch.look.mode != limit.Auto:
		c.violated(Bounds, o.name, ch.at, "%s went from %d to %d, and was not to change anything", ch.who, ch.before, ch.after)
	}
}

// stated are the widest bounds of the specs that a look can have gone by; not known
// where one of them leaves the maximum to someone else.
func (o *object) stated(l *look) (least, most int32, known bool) {
	for _, s := range o.around(l) {
		if s.deleted {
			continue
		}
		if s.most == nil {
			return 0, 0, false
		}
		stated := int32(1)
		if s.least != nil {
			stated = *s.least
		}
		if !known {
			least, most = stated, *s.most
		}
		least, most, known = min(least, stated), max(most, *s.most), true
	}
	return least, most, known
}

func (ch *change) up() bool { return ch.after > ch.before }

// direction is what limits a change of its kind.
func (ch *change) direction() *limit.Direction {
	if ch.up() {
		return &ch.look.limits.Up
	}
	return &ch.look.limits.Down
}

// sameClock tells whether no clock was set between two looks. One that was ahead for
// a while has ended windows, even if it is right again.
func (c *Checker) sameClock(a, b *look) bool {
	if a.seen.After(b.seen) {
		a, b = b, a
	}
	apart := a.at.Sub(a.seen) - b.at.Sub(b.seen)
	return !c.clockSet(a.seen, b.seen) && apart < clockStep && apart > -clockStep
}

// clockSet tells whether the controllers' clock was set between two moments, or so
// shortly before or after that it may have been.
func (c *Checker) clockSet(from, to time.Time) bool {
	return slices.ContainsFunc(c.clocks, func(at time.Time) bool { return at.After(from.Add(-lag)) && at.Before(to.Add(lag)) })
}

// known tells whether whoever decided on a change could know of an earlier one:
// they made it themselves, or it stood in a status before they decided.
func (c *Checker) known(o *object, earlier, ch *change) bool {
	if earlier.look == nil || earlier.epoch != ch.epoch || earlier.uid != ch.uid || !c.sameClock(earlier.look, ch.look) {
		return false
	}
	if earlier.who == ch.who {
		return true
	}
	for i := range o.statuses {
		s := &o.statuses[i]
		if s.is.Epoch == ch.epoch && s.who == earlier.who && s.memory != nil && s.is.Revision > earlier.revision && s.at.Before(ch.look.seen.Add(-lag)) &&
			!s.memory.LastEventAt.Before(earlier.look.at) {
			return true
		}
	}
	return false
}

// within tells whether an earlier moment lies in the period before a later one.
func within(earlier, later time.Time, period time.Duration) bool {
	age := later.Sub(earlier)
	return age >= 0 && age < period
}

func (c *Checker) judgeForbidden(o *object, ch *change, before []*change) {
	window := ch.direction().Forbidden
	if window == 0 {
		return
	}
	c.judged[Forbidden]++
	for _, old := range before {
		if c.known(o, old, ch) && old.look != ch.look && within(old.look.at, ch.look.at, window) {
			c.violated(Forbidden, o.name, ch.at, "%s went from %d to %d, %s after %s had gone from %d to %d, and the window is %s", ch.who, ch.before, ch.after,
				ch.look.at.Sub(old.look.at), old.who, old.before, old.after, window)
		}
	}
}

// remembered tells whether whoever decided on a change could know an earlier look:
// it was their own, or its controller wrote a status after it.
func (c *Checker) remembered(o *object, l *look, ch *change) bool {
	if !c.sameClock(l, ch.look) {
		return false
	}
	if l.who == ch.who {
		return true
	}
	for i := range o.statuses {
		s := &o.statuses[i]
		if s.is.Epoch == ch.epoch && s.who == l.who && s.memory != nil && !s.decidedAt.Before(l.at.Truncate(time.Second)) &&
			s.at.After(l.seen.Add(-lag)) && s.at.Before(ch.look.seen.Add(-lag)) {
			return true
		}
	}
	return false
}

// era is since when the workload is the one that a change is of.
func (o *object) era(ch *change) (since time.Time) {
	for _, n := range o.counts {
		if n.epoch == ch.epoch && n.uid == ch.uid && (since.IsZero() || n.at.Before(since)) {
			since = n.at
		}
	}
	return since
}

// judgeStabilization: a change goes no further than any look of the window asked
// for.
func (c *Checker) judgeStabilization(o *object, ch *change) {
	window, side := ch.direction().Window, scale.DirectionOf(ch.before, ch.after)
	if window == 0 {
		return
	}
	c.judged[Stabilization]++
	since := o.era(ch)
	for _, l := range o.looks {
		if l.seen.Before(since) || !l.informed || !within(l.at, ch.look.at, window) || !c.remembered(o, l, ch) {
			continue
		}
		asked := min(l.desired, ch.look.limits.Max)
		if side == scale.Down && ch.after < min(ch.before, asked) || side == scale.Up && ch.after > max(ch.before, l.desired) {
			c.violated(Stabilization, o.name, ch.at, "%s went from %d to %d, and %s before %s asked for %d; the window is %s", ch.who, ch.before, ch.after,
				ch.look.at.Sub(l.at), l.who, l.desired, window)
			return
		}
	}
}

// judgeDelay: every look of the delay asked for a change to that side. On the way
// down, one that knew nothing is a break.
func (c *Checker) judgeDelay(o *object, ch *change) {
	delay, side := ch.direction().Delay, scale.DirectionOf(ch.before, ch.after)
	if delay == 0 {
		return
	}
	c.judged[Delay]++
	since := o.era(ch)
	for _, l := range o.looks {
		if l.seen.Before(since) || !within(l.at, ch.look.at, delay) || !c.remembered(o, l, ch) {
			continue
		}
		blind := !l.informed && side == scale.Down
		if blind || l.informed && scale.DirectionOf(l.from, l.desired) != side {
			c.violated(Delay, o.name, ch.at, "%s went from %d to %d, and %s before %s did not ask for that, at %d of %d; the delay is %s", ch.who, ch.before, ch.after,
				ch.look.at.Sub(l.at), l.who, l.from, l.desired, delay)
			return
		}
	}
}
