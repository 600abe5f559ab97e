package checker

import (
	"cmp"
	"strconv"
	"time"

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
	// fresh is how old a decision may be when it is carried out, beside the time for
	// which its controller was paused: whoever is cut off for longer no longer leads.
	fresh = 30 * time.Second
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
	if ch.look = c.decisionBehind(o, ch, r); ch.look == nil {
		c.violated(Explained, o.name, ch.at, "%s brought the count from %d to %d, and wrote no such decision down in the last %s", r.Who, ch.before, ch.after, fresh)
		return
	}
	ch.look.carriedOut = true
}

// decisionBehind is the newest decision that a request can have carried out: for the
// workload of this epoch, not too old, and not carried out before. No decision is
// carried out twice: its request goes by the version that was read for it.
func (c *Checker) decisionBehind(o *object, ch *change, r *trail.Request) (found *look) {
	late := lag
	if ch.epoch > 0 {
		late = believed // what a restored etcd has is read before it is noted
	}
	since := o.era(ch).Add(-late)
	for _, l := range o.looks {
		if l.carriedOut || l.who != r.Who || l.from != ch.before || l.want != ch.after {
			continue
		}
		if l.seen.Before(since) || l.seen.After(r.Began.Add(lag)) || r.Began.Sub(l.seen) > fresh+c.paused(r.Who, l.seen, r.Began) {
			continue
		}
		// One that was noted late may have been made before the request, and one that
		// was made after it only stands in for it where no other does.
		if found == nil || !l.made().After(r.Began) {
			found = l
		}
	}
	return found
}

// paused is for how long a controller was paused between two moments.
func (c *Checker) paused(who string, from, to time.Time) (long time.Duration) {
	var since time.Time
	for _, p := range c.processes {
		switch {
		case p.is.Who != who:
		case p.is.What == trail.Paused:
			since = p.at
		case !since.IsZero():
			long += overlap(since, p.at, from, to)
			since = time.Time{}
		}
	}
	return long
}

// overlap is for how long two times last at once.
func overlap(began, ended, from, to time.Time) time.Duration {
	if began.Before(from) {
		began = from
	}
	if ended.After(to) {
		ended = to
	}
	return max(0, ended.Sub(began))
}

// made is when a decision was begun, by its own clock as far as that is right.
func (l *look) made() time.Time {
	if wrong := l.at.Sub(l.seen); wrong > clockStep || wrong < -clockStep {
		return l.seen
	}
	return l.at
}

// writeOf is the request that made a change. The answer to one whose connection
// broke is not known, and it may have been carried out.
func writeOf(ch *change, writes []*trail.Request) *trail.Request {
	var surely, perhaps *trail.Request
	for _, r := range writes {
		if r.Resource != scales || r.Injected || r.Replicas == nil || *r.Replicas != ch.after {
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
