package checker

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// believed is for how long what a source said before may still count: answers on
// their way, and one more look.
const believed = 6 * time.Second

// lied tells which lie the object's source has told for long enough at a moment
// that nothing true can be known any more, and since when; empty where none.
func (o *object) lied(at time.Time) (lie string, since time.Time) {
	for _, s := range o.sources {
		if s.at.After(at) {
			break
		}
		if s.is.Lie == "" {
			lie = ""
		} else if lie == "" {
			lie, since = s.is.Lie, s.at
		}
	}
	if lie == "" || at.Sub(since) < believed {
		return "", time.Time{}
	}
	return lie, since
}

// knew tells whether a look went by what the source had said before a moment, and not
// longer ago than every look may go by.
func (l *look) knew(before, at time.Time, lie string) bool {
	return !l.sampled.IsZero() && l.sampled.Before(before) && at.Sub(l.sampled) <= l.counts(lie)
}

// counts is for how long an answer counts: for a period, and beside a source that says
// nothing at all for two of them, and at least for all the time that three requests have.
func (l *look) counts(lie string) time.Duration {
	if lie == hangs {
		return max(2*l.sync, awaited)
	}
	return max(l.sync, believed)
}

const (
	// hangs is the lie of a source that says nothing.
	hangs   = "hangs"
	awaited = 30 * time.Second
)

// sampledAt is when the oldest answer for a metric was true, by the source.
func sampledAt(obs *scale.Observation) (at time.Time) {
	for i := range obs.Samples {
		if s := &obs.Samples[i]; at.IsZero() || s.At.Before(at) {
			at = s.At
		}
	}
	return at
}

// judgeData looks at a change for fewer pods.
func (c *Checker) judgeData(o *object, ch *change) {
	if ch.after >= ch.before {
		return
	}
	c.judged[Data]++
	if ch.look.gap != "" {
		c.violated(Data, o.name, ch.at, "%s went from %d to %d, and %s", ch.who, ch.before, ch.after, ch.look.gap)
	}
	looked := ch.look.made() // a controller that was paused acts on what was true when it looked
	if lie, since := o.lied(looked); lie != "" && !ch.look.knew(since, looked, lie) {
		c.violated(Data, o.name, ch.at, "%s went from %d to %d, and all that the source has said for %s is a lie: %s", ch.who, ch.before, ch.after, believed, lie)
	}
}
