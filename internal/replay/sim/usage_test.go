package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// counted is a plant of two pods of one core: a minute of 1 core, then 3 cores
// of which two are served.
func counted(t *testing.T, recall time.Duration) *Plant {
	t.Helper()
	cpu := scale.Resources{}.With(scale.CPU, scale.Thousand)
	return NewPlant(Settings{
		Demand: demandOf(t, time.Minute, 1000, 3000, 3000), Requests: cpu, Replicas: 2,
		MetricDelay: 30 * second, Window: 10 * second, Recall: recall, Seed: 1,
	})
}

// TestUsageOver: by hand, over the minute around the step half of the time is at
// 1 core and half at 2 of 3.
func TestUsageOver(t *testing.T) {
	p := counted(t, 2*time.Minute)
	start := p.Now()
	if got, want := p.UsageOver(start.Add(-time.Minute), start), (Usage{At: start, PerPod: 500, Served: 1000, Arrived: 1000}); got != want {
		t.Errorf("before anything was counted it was as it is now: %+v", got)
	}
	p.advance(start.Add(90 * second))
	end := start.Add(90 * second)
	for name, c := range map[string]struct {
		from, until time.Duration
		want        Usage
	}{
		"around the step": {30 * second, 90 * second, Usage{At: end, PerPod: 750, Served: 1500, Arrived: 2000}},
		"before it":       {0, 60 * second, Usage{At: start.Add(time.Minute), PerPod: 500, Served: 1000, Arrived: 1000}},
		"not the future":  {80 * second, 120 * second, Usage{At: end, PerPod: 1000, Served: 2000, Arrived: 3000}},
	} {
		if got := p.UsageOver(start.Add(c.from), start.Add(c.until)); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// Everyone's metrics are half a minute old: the mean of the ten seconds before
	// the step.
	if got, ok := p.Metered(); !ok || got != (Usage{At: start.Add(time.Minute), PerPod: 500, Served: 1000, Arrived: 1000}) {
		t.Errorf("metered: %+v, %t", got, ok)
	}
	if p.Ready() != 2 {
		t.Errorf("%d pods are ready", p.Ready())
	}
}

// TestPeriods: what comes in a period is the mean of three even spreads from 0 to
// 2, so 0.5 cores for a pod of one core never throttle it. 1.5 cores become the sum
// S of three spreads from 0 to 1, which is at most 1 with a probability of 1/6 and
// has the density s²/2 there: 5/6 of the periods are throttled, and the mean of
// min(S, 1) is 1 − ∫(1−s)·s²/2 = 23/24.
func TestPeriods(t *testing.T) {
	p := counted(t, 2*time.Minute)
	start := p.Now()
	p.advance(start.Add(2 * time.Minute))
	for name, c := range map[string]struct {
		from            time.Duration
		used, throttled float64
	}{
		"half full": {0, 0.5, 0},
		"too full":  {time.Minute, 23.0 / 24, 5.0 / 6},
	} {
		periods := p.Periods(nil, start.Add(c.from), start.Add(c.from+time.Minute))
		used, throttled := 0.0, 0.0
		for _, one := range periods {
			used += float64(one.Used) / 1000 / float64(len(periods))
			if one.Throttled {
				throttled += 1 / float64(len(periods))
			}
		}
		if len(periods) != 600 || used < c.used-0.03 || used > c.used+0.03 || throttled < c.throttled-0.05 || throttled > c.throttled+0.05 {
			t.Errorf("%s: %d periods, %.3f cores a pod, %.3f throttled", name, len(periods), used, throttled)
		}
	}
	// The same moment is the same, whoever asks when.
	all, later := p.Periods(nil, start, start.Add(2*time.Minute)), p.Periods(nil, start.Add(time.Minute), start.Add(2*time.Minute))
	for i := range later {
		if all[600+i] != later[i] {
			t.Fatalf("period %d differs", i)
		}
	}
}

// TestShort: pods that grow after five seconds are short until then, those that
// shrink are not.
func TestShort(t *testing.T) {
	p := counted(t, 0)
	p.workload.ResizeInRounds(Resizing{Delay: 5 * second}, nil)
	size := func(cpu scale.Amount) scale.Size {
		return scale.Size{Replicas: 2, Containers: []scale.Container{{Name: ContainerName, Requests: scale.Resources{}.With(scale.CPU, cpu)}}}
	}
	for _, c := range []struct {
		to    scale.Amount
		after time.Duration
		want  int32
	}{{1500, 0, 2}, {1500, 4 * second, 2}, {1500, 5 * second, 0}, {1000, 0, 0}} {
		t.Run(fmt.Sprint(c.to, " ", c.after), func(t *testing.T) {
			p.apply(size(c.to))
			if p.advance(p.Now().Add(c.after)); p.Short() != c.want {
				t.Errorf("%d pods are short, want %d", p.Short(), c.want)
			}
		})
	}
}

// TestRecall: what is further back than anyone may ask for is forgotten, and the
// oldest that is known stands for it.
func TestRecall(t *testing.T) {
	p := counted(t, 0)
	start := p.Now()
	p.advance(start.Add(2 * time.Minute))
	p.advance(start.Add(3 * time.Minute))
	if got := p.UsageOver(start, start.Add(time.Minute)); got.Arrived != 3000 {
		t.Errorf("%+v", got)
	}
}
