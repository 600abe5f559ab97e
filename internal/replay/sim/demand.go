package sim

import (
	"errors"
	"sort"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Demand is the work that arrives each second, in cores, over time. Between two
// points of the recording the value holds, across gaps as well: a plant cannot
// be stopped.
type Demand struct {
	points []trace.Point
	end    time.Time
}

// ErrTooFewPoints is for a recording that has no length.
var ErrTooFewPoints = errors.New("a demand needs at least two points in time")

// NewDemand returns the demand that a trace recorded.
func NewDemand(t trace.Trace) (Demand, error) {
	if len(t.Points) < 2 {
		return Demand{}, ErrTooFewPoints
	}
	return Demand{points: t.Points, end: t.Points[len(t.Points)-1].At.Add(t.Step)}, nil
}

// Start is the first moment.
func (d Demand) Start() time.Time { return d.points[0].At }

// End is the moment after the last.
func (d Demand) End() time.Time { return d.end }

// Length is how long the demand lasts.
func (d Demand) Length() time.Duration { return d.end.Sub(d.Start()) }

// Until is the demand before a moment, which must be later than its first two
// points.
func (d Demand) Until(end time.Time) Demand {
	return Demand{points: d.points[:d.Points(end.Sub(d.Start()))], end: end}
}

// Between is the demand from a moment until before another, which must be later
// than it.
func (d Demand) Between(from, until time.Time) Demand {
	first := d.index(from)
	out := Demand{points: append([]trace.Point(nil), d.points[first:]...), end: d.end}
	if out.points[0].At.Before(from) {
		out.points[0].At = from
	}
	if until.Before(d.end) {
		out = out.Until(until)
	}
	return out
}

// Points is how many points there are in the first part.
func (d Demand) Points(part time.Duration) int {
	end := d.Start().Add(part)
	return sort.Search(len(d.points), func(i int) bool { return !d.points[i].At.Before(end) })
}

// index is the point that holds at a moment; before the start it is the first.
func (d Demand) index(at time.Time) int {
	later := sort.Search(len(d.points), func(i int) bool { return d.points[i].At.After(at) })
	return max(later-1, 0)
}

// At is the demand at a moment.
func (d Demand) At(at time.Time) scale.Amount { return d.points[d.index(at)].Value }

// Peak is the largest demand from a moment on, until before another.
func (d Demand) Peak(from, until time.Time) scale.Amount {
	c := cursor{Demand: d, at: d.index(from)}
	return c.peak(until)
}

// Work is all the work that arrives.
func (d Demand) Work() Work { return d.WorkFrom(d.Start()) }

// Mean is what arrives each second, on average.
func (d Demand) Mean() scale.Amount { return d.Work().over(d.Length()) }

// WorkFrom is the work that arrives from a moment on.
func (d Demand) WorkFrom(from time.Time) Work {
	var sum Work
	for i, p := range d.points {
		begin, until := p.At, d.end
		if i+1 < len(d.points) {
			until = d.points[i+1].At
		}
		if begin.Before(from) {
			begin = from
		}
		sum = sum.Plus(p.Value, until.Sub(begin))
	}
	return sum
}

// cursor walks along a demand.
type cursor struct {
	Demand
	at int
}

// moveTo goes on to a moment that is not earlier than the last one.
func (c *cursor) moveTo(at time.Time) {
	for c.at+1 < len(c.points) && !c.points[c.at+1].At.After(at) {
		c.at++
	}
}

// peak is the largest value from now on, until before a moment.
func (c *cursor) peak(until time.Time) scale.Amount {
	peak := c.value()
	for _, p := range c.points[c.at+1:] {
		if !p.At.Before(until) {
			break
		}
		peak = max(peak, p.Value)
	}
	return peak
}

func (c *cursor) value() scale.Amount { return c.points[c.at].Value }

// change is when the value changes next; the end when it does not.
func (c *cursor) change() time.Time {
	if c.at+1 < len(c.points) {
		return c.points[c.at+1].At
	}
	return c.end
}
