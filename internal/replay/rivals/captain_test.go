package rivals

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// TestCaptain: the limits, each third of 72 seconds, are what the public code of
// Autothrottle (CaptainScaler of worker-daemon.py) gives for the same usage: a
// sawtooth whose height changes each six seconds, up and down, and once right after
// the limit was lowered, so that this is taken back.
func TestCaptain(t *testing.T) {
	heights := []float64{1, 3, 1, 3, 2, 1, 0.3, 0.9, 2.5, 0.6, 0.55, 1.2}
	for target, want := range map[float64][]float64{
		0.02: {
			1, 1, 1.9096, 2.176944, 2.176944, 1.370816, 2.094059, 2.177822, 2.177822, 2.177822, 2.177822, 1.431134,
			1.431134, 0.414545, 0.81525, 0.81525, 1.68235, 1.81963, 1.81963, 0.936205, 0.936205, 0.936205, 0.936205, 0.936205,
		},
		0.10: {
			1, 1, 1.56, 1.716, 1.716, 1.288749, 1.559386, 1.715324, 1.715324, 1.715324, 1.715324, 1.306306,
			1.306306, 0.348317, 0.729184, 0.729184, 1.232322, 1.355554, 1.355554, 0.798297, 0.798297, 0.676928, 0.676928, 0.676928,
		},
	} {
		c := newCaptain(target, 1, time.Second)
		for i := range 720 {
			comes := float64(i*37%101*6+100) * heights[i/60] / 1000
			c.step(min(comes, c.limit), comes > c.limit)
			if k := (i + 1) / 30; (i+1)%30 == 0 && math.Abs(c.limit-want[k-1]) > 1e-6 {
				t.Errorf("target %v, second %d: the limit is %.6f, want %.6f", target, 3*k, c.limit, want[k-1])
			}
		}
	}
}

// TestCaptainActs: it caps the pods there are, asks for the periods since it last
// asked, and waits while most pods have not what it decided.
func TestCaptainActs(t *testing.T) {
	c := newCaptain(0.1, 1, time.Second)
	v := &fake{now: monday, size: sizeOf(3, 1000), ready: 3}
	asked := 0
	v.periods = func(from, until time.Time) []sim.Period {
		asked++
		if until.Sub(from) != time.Second {
			t.Errorf("it asks for %s", until.Sub(from))
		}
		out := make([]sim.Period, 10)
		for i := range out {
			out[i] = sim.Period{Used: 1000, Throttled: true}
		}
		return out
	}
	for i, want := range []struct {
		short   int32
		request scale.Amount
		asked   int
	}{
		{0, 1000, 0}, // There is nothing to go by yet.
		{0, 1700, 1}, // All periods are throttled: 1 × (1 + 1 − 0.3).
		{2, 1700, 1}, // Not in force.
		{1, 2890, 2}, // In force for most: 1.7 × 1.7.
	} {
		t.Run(fmt.Sprintf("second %d", i), func(t *testing.T) {
			v.now, v.short = monday.Add(time.Duration(i)*time.Second), want.short
			d := c.decide(v)
			if request, limit := cpuOf(d.Want); request != want.request || limit != want.request || d.Want.Replicas != 3 || asked != want.asked {
				t.Errorf("%+v, asked %d times", d.Want, asked)
			}
		})
	}
}
