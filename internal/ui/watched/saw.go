package watched

import (
	"math"
	"time"

	"github.com/tidemark/tidemark/internal/podsum"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/ui/decided"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/scale"
)

// fresh is for how long what a look saw is taken to go on until the next.
const fresh = 3 * time.Minute

// open tells whether someone has the object open.
func (o *object) open(now time.Time) bool { return now.Sub(o.asked) < openFor }

// due is when the next look is due.
func (o *object) due(now time.Time) time.Time {
	every := inTurn
	if o.open(now) {
		every = closely
		if o.news {
			every = 0
		}
	}
	if at := o.looks.Add(every); at.After(o.retry) {
		return at
	}
	return o.retry
}

// saw takes what a look saw: what is asked of the pods, what they can do, and what
// each metric shows. Why the workload has its size is what the status says.
func (o *object) saw(call *record.Call, d *scale.Decision, now time.Time) {
	at := call.Observation.At
	sum := podsum.Of(call.Observation.Pods)
	m := feed.MomentOf(feed.Seen{At: at, Ready: sum.Ready}, d)
	m.Values[feed.Demand], m.Values[feed.Capacity] = shown(sum)
	m.Changed, m.Headline, m.Marks = false, "", o.killed(call.Observation.Pods, at)
	if call.Observation.Pods == nil {
		m.Values[feed.Ready] = unknown
		o.calls = nil
	}
	if o.partly(call) {
		o.unlearned(&m)
	}
	if s := &o.said; s.because[0] != "" {
		m.Reason, m.LimitedBy, m.Values[feed.Want] = s.because[0], s.because[1], float32(s.want)
		if s.cpu > 0 {
			m.Values[feed.CPU], m.Values[feed.Memory] = s.cpu, s.memory
		}
	}
	o.history.Add(m)
	if o.row.Ready = -1; call.Observation.Pods != nil {
		o.row.Ready = sum.Ready
	}
	if d.Bounds.Max > 0 && !o.partly(call) {
		o.row.Min, o.row.Max = d.Bounds.Min, d.Bounds.Max
	}
	addDay(&o.row, o.history.Day(), *o.prices)
	if o.pods = nil; o.open(now) {
		o.pods = decided.Pods(call)
	}
}

// partly tells whether a look did not read what was learned, although that counts:
// of objects that nobody has open it is not read.
func (o *object) partly(call *record.Call) bool { return o.known == nil && call.Spec.Learn != nil }

// unlearned takes back what such a look cannot know: the bounds stay as they were seen
// last.
func (o *object) unlearned(m *feed.Moment) {
	last, _ := o.history.Last()
	m.Values[feed.Expected], m.Values[feed.Room] = unknown, unknown
	if !last.At.IsZero() {
		m.Values[feed.Min], m.Values[feed.Max] = last.Values[feed.Min], last.Values[feed.Max]
		m.MinReason, m.MaxReason = last.MinReason, last.MaxReason
	}
}

// addDay adds what happened in the last day. Whether work waited is not seen from
// outside: pods may use more than they request.
func addDay(row *feed.Row, day feed.Day, p feed.Prices) {
	row.AddDay(day, p)
	row.Starved = -1
}

var unknown = float32(math.NaN())

// shown are the demand and the capacity of pods, as far as they are known.
func shown(sum podsum.Sum) (demand, capacity float32) {
	demand, capacity = unknown, unknown
	if sum.Measured {
		demand = cores(sum.Used)
	}
	if sum.Known && (sum.Requested > 0 || sum.Ready == 0) {
		capacity = cores(sum.Requested)
	}
	return demand, capacity
}

func cores(a scale.Amount) float32 { return float32(float64(a) / float64(scale.Thousand)) }

// killed are the containers that ran out of memory since the last look.
func (o *object) killed(pods []scale.Pod, at time.Time) (marks []feed.Mark) {
	newest := o.oom
	for i := range pods {
		if when := pods[i].OutOfMemoryAt; when.After(o.oom) {
			if newest = later(newest, when); !o.oom.IsZero() {
				marks = append(marks, feed.Mark{At: when.UnixMilli(), Kind: feed.OutOfMemory, Words: pods[i].Name + " ran out of memory"})
			}
		}
	}
	if o.oom.IsZero() {
		newest = later(newest, at)
	}
	o.oom = newest
	return marks
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
