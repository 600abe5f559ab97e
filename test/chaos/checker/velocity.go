package checker

import (
	"math"
	"slices"
	"time"

	"github.com/tidemark/tidemark/engine/limit"
)

// judgeVelocity holds the size of a change against what its policies allow together
// with the changes before it. Rounding to steps, and the arithmetic of the HPA, have
// rules of their own, which nothing in a campaign asks for.
func (c *Checker) judgeVelocity(o *object, ch *change, before []*change) {
	rules := &ch.look.limits
	if rules.Step > 1 || rules.Upstream {
		return
	}
	most := c.mostMove(o, ch, before)
	if most == math.MaxInt64 {
		return // nothing limits it
	}
	c.judged[Velocity]++
	if move := ch.move(); move > most {
		c.violated(Velocity, o.name, ch.at, "%s went from %d to %d, %d at once, and at most %d were allowed", ch.who, ch.before, ch.after, move, most)
	}
}

// move is how many pods a change is of.
func (ch *change) move() int64 {
	move := int64(ch.after) - int64(ch.before)
	if ch.up() {
		return move
	}
	return -move
}

// mostMove is how many pods a change may be of.
func (c *Checker) mostMove(o *object, ch *change, before []*change) int64 {
	d, now, most := ch.direction(), int64(ch.before), int64(math.MaxInt64)
	if ch.look.limits.Doubling && ch.up() {
		most = max(now, 4-now)
	}
	if d.Percent != nil {
		share := now * int64(*d.Percent) / 100
		if *d.Percent > 0 {
			share = max(share, 1) // or small workloads would never change
		}
		most = min(most, share)
	}
	if d.Select == limit.Disabled {
		return 0
	}
	if len(d.Policies) == 0 {
		return most
	}
	var moves []int64
	for _, p := range d.Policies {
		moves = append(moves, allowedBy(p, ch, c.loosestStart(o, ch, before, p.Period)))
	}
	if d.Select == limit.Tightest {
		return min(most, slices.Min(moves))
	}
	return min(most, slices.Max(moves))
}

// allowedBy is how many pods a policy lets a change be of, by the count at the start of
// its period.
func allowedBy(p limit.Policy, ch *change, start int64) int64 {
	now, value := int64(ch.before), int64(p.Value)
	switch {
	case !p.Percent && ch.up():
		return max(0, start+value-now)
	case !p.Percent:
		return max(0, now-start+value)
	case ch.up():
		return max(0, upward(start*(100+value))-now, 1-now) // nothing can wake as well
	}
	return max(0, now+upward(-start*(100-value)))
}

// upward is a hundredth, rounded up.
func upward(n int64) int64 {
	out := n / 100
	if n%100 > 0 {
		out++
	}
	return out
}

// loosestStart is the count at the start of a policy's period, as it allows most: what
// certainly was remembered of changes to the same side counts, and so does what
// perhaps was of those to the other.
func (c *Checker) loosestStart(o *object, ch *change, before []*change, period time.Duration) int64 {
	start := int64(ch.before)
	for _, old := range before {
		counts := old.look != nil && c.known(o, old, ch) && within(old.look.at, ch.look.at, period)
		if old.up() != ch.up() {
			counts = c.mayCount(o, old, ch, period)
		}
		if counts {
			start -= int64(old.after) - int64(old.before)
		}
	}
	return start
}

// mayCount tells whether a change to the other side may count. Where one controller
// looked all the time, it counts from where that changed it, or came to know of it;
// else nobody knows here when that was.
func (c *Checker) mayCount(o *object, old, ch *change, period time.Duration) bool {
	if !c.watched(o, old, ch) {
		return ch.at.Sub(old.at) <= period+reach
	}
	return slices.ContainsFunc(o.looks, func(l *look) bool {
		noticed := l.past.Replicas != l.from && !l.seen.Before(old.at.Add(-lag)) && !l.seen.After(ch.look.seen)
		return (noticed || l == old.look) && within(l.at, ch.look.at, period)
	})
}

// watched tells whether the controller that decided on a change, and nobody else, has
// looked since before an earlier one, by a clock that went on.
func (c *Checker) watched(o *object, old, ch *change) bool {
	if old.epoch != ch.epoch || old.uid != ch.uid {
		return false
	}
	var first *look
	for _, l := range o.looks {
		switch {
		case l.seen.After(ch.look.seen):
		case l.seen.Before(old.at.Add(-lag)):
			first = l
		case l.who != ch.who || !l.past.Seen:
			return false
		}
	}
	return first != nil && first.who == ch.who && c.sameClock(first, ch.look)
}
