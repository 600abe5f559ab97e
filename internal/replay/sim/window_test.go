package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// TestWindow is worked out by hand. Two pods use half a core for a minute, and
// a whole one from then on. With a delay of 30 s, usage is measured each 30 s
// over the minute before. The pod of 90 s is ready at 120 s, and has run for a
// whole window at 150 s, half of it idle.
func TestWindow(t *testing.T) {
	s := stepDemand(t)
	s.Demand = demandOf(t, time.Minute, 1000, 4000, 4000, 4000, 4000)
	s.Window, s.Resolution = time.Minute, 30*second
	p := NewPlant(s)
	for _, c := range []struct {
		at, measured time.Duration
		usage        []scale.Amount // -1 is unknown
		demand       scale.Amount
	}{
		{0, -30 * second, []scale.Amount{500, 500}, 1000},
		{90 * second, 60 * second, []scale.Amount{500, 500}, 1000},
		{105 * second, 60 * second, []scale.Amount{500, 500, -1}, 1000},
		{120 * second, 90 * second, []scale.Amount{750, 750, -1}, 2500},
		{135 * second, 90 * second, []scale.Amount{750, 750, -1}, 2500},
		{150 * second, 120 * second, []scale.Amount{1000, 1000, -1}, 4000},
		{180 * second, 150 * second, []scale.Amount{1000, 1000, 500}, 4000},
		{210 * second, 180 * second, []scale.Amount{1000, 1000, 1000}, 4000},
	} {
		t.Run(c.at.String(), func(t *testing.T) {
			p.advance(monday.Add(c.at))
			obs := p.Observe([]horizontal.Metric{{Kind: horizontal.External}})
			for i, want := range c.usage {
				got, known := obs.Pods[i].Containers[0].Usage.Get(scale.CPU)
				if known != (want >= 0) || known && got != want {
					t.Errorf("at %s pod %d uses %d (%v), want %d", c.at, i, got, known, want)
				}
			}
			if pod := obs.Pods[0]; !pod.UsageAt.Equal(monday.Add(c.measured)) || pod.UsageWindow != time.Minute {
				t.Errorf("at %s the usage is of %s over %s", c.at, pod.UsageAt.Sub(monday), pod.UsageWindow)
			}
			if got := obs.Samples[0].Series[0]; got != c.demand {
				t.Errorf("at %s the metric says %d, want %d", c.at, got, c.demand)
			}
			if c.at == 90*second {
				p.apply(p.Size().WithReplicas(3))
			}
		})
	}
}

// TestLostSamples: all are lost, none, or about the share that is asked for,
// and the same ones each time.
func TestLostSamples(t *testing.T) {
	for chance, bounds := range map[int64][2]int{0: {1000, 1000}, scale.Parts: {0, 0}, scale.Parts / 4: {700, 800}} {
		s := stepDemand(t)
		s.Lost, s.Replicas = chance, 1000
		p := NewPlant(s)
		known, names := 0, [2]string{}
		for round := range names {
			known = 0
			for _, pod := range p.Observe(nil).Pods {
				if _, ok := pod.Containers[0].Usage.Get(scale.CPU); ok {
					known++
					names[round] += pod.Name + " "
				}
			}
		}
		if known < bounds[0] || known > bounds[1] || names[0] != names[1] {
			t.Errorf("a chance of %d leaves %d of 1000", chance, known)
		}
		sample := p.Observe([]horizontal.Metric{{Kind: horizontal.External}}).Samples[0]
		if lost := sample.Problem != ""; chance%scale.Parts == 0 && lost != (chance > 0) {
			t.Errorf("a chance of %d: %+v", chance, sample)
		}
	}
}
