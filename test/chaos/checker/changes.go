package checker

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

const (
	// reach is how long after a request something it did may be noted.
	reach = time.Minute
	// lag is how much later than it was made a decision may be noted.
	lag = 3 * time.Second
	// clockStep is the smallest difference between two clocks that is one, and no
	// delay of a busy machine.
	clockStep = 2 * time.Minute
)

// change is one of the count of a workload.
type change struct {
	at            time.Time
	epoch         int
	revision      int64
	uid           string
	before, after int32
	// who made it, and by which decision; nobody where it was made by hand.
	who  string
	look *look
}

// explain finds the decision behind each change of the count.
func (c *Checker) explain(o *object, writes []*trail.Request) {
	var before *count
	for i := range o.counts {
		now := &o.counts[i]
		if before != nil && before.epoch == now.epoch && before.uid == now.uid && !now.deleted && !before.deleted && now.replicas != before.replicas {
			ch := &change{at: now.at, epoch: now.epoch, revision: now.revision, uid: now.uid, before: before.replicas, after: now.replicas}
			o.changes = append(o.changes, ch)
			c.explainChange(o, ch, writes)
		}
		before = now
	}
}

func (c *Checker) explainChange(o *object, ch *change, writes []*trail.Request) {
	c.judged[Explained]++
	r := writeOf(ch, writes)
	if r == nil {
		for _, hand := range o.byHand {
			if age := ch.at.Sub(hand.at); hand.is == ch.after && age > -lag && age < reach {
				return
			}
		}
		c.violated(Explained, o.name, ch.at, "the count went from %d to %d, and nobody asked for that", ch.before, ch.after)
		return
	}
	ch.who = r.Who
	for _, l := range o.looks {
		if l.who == r.Who && l.from == ch.before && l.want == ch.after && !l.seen.After(r.Began.Add(lag)) {
			ch.look = l
		}
	}
	if ch.look == nil {
		c.violated(Explained, o.name, ch.at, "%s brought the count from %d to %d, and wrote no such decision down", r.Who, ch.before, ch.after)
	}
}

// writeOf is the request that made a change. The answer to one whose connection
// broke is not known, and it may have been carried out.
func writeOf(ch *change, writes []*trail.Request) *trail.Request {
	var surely, perhaps *trail.Request
	for _, r := range writes {
		if r.Resource != "deployments/scale" || r.Injected || r.Replicas == nil || *r.Replicas != ch.after {
			continue
		}
		// After a restore of etcd the same versions come again.
		age := ch.at.Sub(r.Began)
		if age < -lag || age > reach {
			continue
		}
		switch r.Version {
		case strconv.FormatInt(ch.revision, 10):
			surely = r
		case "":
			perhaps = r
		}
	}
	return cmp.Or(surely, perhaps)
}

// judgeChanges holds every change of ours against the rules of its policy.
func (c *Checker) judgeChanges(o *object) {
	for i, ch := range o.changes {
		if ch.look == nil {
			continue
		}
		c.judgeBounds(o, ch)
		if ch.before > ch.look.limits.Max || ch.before < ch.look.limits.Min {
			continue // back into the bounds, which waits for nothing
		}
		c.judgeData(o, ch)
		c.judgeVelocity(o, ch, o.changes[:i])
		c.judgeForbidden(o, ch, o.changes[:i])
		c.judgeStabilization(o, ch)
		c.judgeDelay(o, ch)
	}
}

func (c *Checker) judgeBounds(o *object, ch *change) {
	c.judged[Bounds]++
	rules := &ch.look.limits
	switch {
	case ch.after < ch.before && ch.after < rules.Min:
		c.violated(Bounds, o.name, ch.at, "%s went from %d to %d, below the minimum %d", ch.who, ch.before, ch.after, rules.Min)
	case ch.after > ch.before && ch.after > rules.Max:
		c.violated(Bounds, o.name, ch.at, "%s went from %d to %d, above the maximum %d", ch.who, ch.before, ch.after, rules.Max)
	case ch.look.mode != limit.Auto:
		c.violated(Bounds, o.name, ch.at, "%s went from %d to %d, and was not to change anything", ch.who, ch.before, ch.after)
	}
}

// direction is what limits a change of its kind.
func (ch *change) direction() *limit.Direction {
	if ch.after > ch.before {
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

// judgeVelocity adds up what was changed within each policy's period. What others
// changed counts only where it allows more: when the controller came to know of it
// is not known here.
func (c *Checker) judgeVelocity(o *object, ch *change, before []*change) {
	d := ch.direction()
	if len(d.Policies) == 0 || d.Select == limit.Disabled {
		return
	}
	c.judged[Velocity]++
	up := ch.after > ch.before
	widest := int64(ch.before)
	for _, p := range d.Policies {
		if p.Percent {
			return // of what, depends on when others' changes were noticed
		}
		start := int64(ch.before)
		for _, old := range before {
			same := (old.after > old.before) == up
			if same && (!c.known(o, old, ch) || !within(old.look.at, ch.look.at, p.Period)) {
				continue
			}
			if !same && ch.at.Sub(old.at) > p.Period+reach {
				continue
			}
			start -= int64(old.after - old.before)
		}
		allowed := start + int64(p.Value)
		if !up {
			allowed = start - int64(p.Value)
		}
		if (allowed > widest) == up {
			widest = allowed
		}
	}
	if up && int64(ch.after) > widest || !up && int64(ch.after) < widest {
		c.violated(Velocity, o.name, ch.at, "%s went from %d to %d, and the policies allow %d", ch.who, ch.before, ch.after, widest)
	}
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
