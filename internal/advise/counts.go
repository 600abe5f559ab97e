package advise

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
)

// span is how long a trace lasts.
func span(t trace.Trace) time.Duration {
	if len(t.Points) == 0 {
		return 0
	}
	return t.Points[len(t.Points)-1].At.Sub(t.Points[0].At) + t.Step
}

// counts are the counts of pods that a workload had.
type counts struct{ least, most, last int32 }

func countsOf(t trace.Trace) counts {
	var out counts
	for i, p := range t.Points {
		n := sim.Pods(p.Value)
		if i == 0 || n < out.least {
			out.least = n
		}
		out.most, out.last = max(out.most, n), n
	}
	return out
}

// cursor finds the value of a trace at moments that come in order.
type cursor struct {
	points []trace.Point
	at     int
}

// pods are those that there were at a moment; false before the first.
func (c *cursor) pods(at time.Time) (int32, bool) {
	if len(c.points) == 0 || at.Before(c.points[0].At) {
		return 0, false
	}
	for c.at+1 < len(c.points) && !c.points[c.at+1].At.After(at) {
		c.at++
	}
	return sim.Pods(c.points[c.at].Value), true
}

// means are over decisions: of pods, and of what one of them requests.
type means struct{ n, pods, cores float64 }

func (m *means) add(one replay.Moment) {
	m.n++
	m.pods += float64(one.Replicas)
	m.cores += float64(one.Replicas) * one.CPU
}

func (m *means) of() (pods, cpu float64) {
	if m.n == 0 || m.pods == 0 {
		return 0, 0
	}
	return m.pods / m.n, m.cores / m.pods
}

// meanCount is the mean of recorded counts from a moment on.
func meanCount(t trace.Trace, from time.Time) float64 {
	sum, n := 0.0, 0.0
	for _, p := range t.Points {
		if !p.At.Before(from) {
			sum, n = sum+float64(sim.Pods(p.Value)), n+1
		}
	}
	return sum / max(n, 1)
}

// mismatch is how far the replay of what runs now is from what the replicas
// really did.
type mismatch struct {
	recorded   cursor
	apart, all float64
}

func (m *mismatch) add(one replay.Moment) {
	n, known := m.recorded.pods(one.At)
	if !known {
		return
	}
	m.apart += max(float64(one.Want-n), float64(n-one.Want))
	m.all += float64(n)
}

// share is the mean difference, as a share of the mean count. It is false where
// nothing can be compared.
func (m *mismatch) share() (float64, bool) {
	if m.all == 0 {
		return 0, false
	}
	return m.apart / m.all, true
}

// censored is the share of time in which pods were so near to their limit that
// nobody knows what they would have used without it. Without a limit it is none.
func censored(past *Past, limit float64) float64 {
	if limit <= 0 || len(past.Demand.Points) == 0 {
		return 0
	}
	c := cursor{points: past.Replicas.Points}
	full := 0
	for _, p := range past.Demand.Points {
		if n, known := c.pods(p.At); known && n > 0 && inUnits(p.Value) >= nearLimit*limit*float64(n) {
			full++
		}
	}
	return float64(full) / float64(len(past.Demand.Points))
}
