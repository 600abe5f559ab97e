package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

const second = time.Second

// demandOf returns a demand of so many millicores, a value each step.
func demandOf(t testing.TB, step time.Duration, values ...scale.Amount) Demand {
	t.Helper()
	tr := trace.Trace{Step: step}
	for i, v := range values {
		tr.Points = append(tr.Points, trace.Point{At: monday.Add(time.Duration(i) * step), Value: v})
	}
	d, err := NewDemand(tr)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// stepDemand is one core for a minute, then four for two minutes.
func stepDemand(t testing.TB) Settings {
	return Settings{
		Demand:   demandOf(t, time.Minute, 1000, 4000, 4000),
		Requests: scale.Resources{}.With(scale.CPU, 1000).With(scale.Memory, 2000),
		StartUp:  30 * second, MetricDelay: 30 * second, Sync: 15 * second, Replicas: 2,
	}
}

// scripted wants a count from a moment on, and otherwise what there is.
type scripted map[time.Duration]int32

func (s scripted) Decide(p *Plant) scale.Decision {
	if n, ok := s[p.Now().Sub(monday)]; ok {
		return resized(p, n)
	}
	return resized(p, p.Size().Replicas)
}

// coreSeconds is so many core-seconds.
func coreSeconds(n int64) Work { return Work{}.Plus(scale.Thousand, time.Duration(n)*second) }

// TestStepSaturatesUntilPodsAreReady is worked out by hand. The demand steps
// from 1 to 4 cores at 60 s. Two pods more are asked for at 75 s and ready at
// 105 s, so for 45 s two of four cores are dropped. In the first minute half of
// the capacity is asked for, in the second 240 core-seconds of 150, in the third
// all of it. Most of the time the pods are full: there is no slack.
func TestStepSaturatesUntilPodsAreReady(t *testing.T) {
	got := Run(stepDemand(t), scripted{75 * second: 4}, nil)
	want := Score{
		Cores:  coreSeconds(2*75 + 4*105),
		Memory: coreSeconds(2 * (2*75 + 4*105)),
		Demand: coreSeconds(60 + 4*120), Served: coreSeconds(60 + 2*45 + 4*75), Unserved: coreSeconds(2 * 45),
		Starved: 45 * second, LongestStarved: 45 * second, Length: 180 * second, Decisions: 12, Changes: 1, PodStarts: 2,
		Billed: coreSeconds(2*75 + 4*105), Minutes: 3, Violations: 2,
	}
	if got != want {
		t.Errorf("got\n%+v, want\n%+v", got, want)
	}
}

// TestStartUpEndsBetweenDecisions: a pod that is ready after 20 s serves from
// then on, not from the next decision on.
func TestStartUpEndsBetweenDecisions(t *testing.T) {
	s := stepDemand(t)
	s.StartUp = 20 * second
	if got := Run(s, scripted{75 * second: 4}, nil); got.Starved != 35*second || got.Unserved != coreSeconds(2*35) {
		t.Errorf("starved for %s, unserved %+v", got.Starved, got.Unserved)
	}
}

// TestLimitIsTheCapacity: pods with a limit of two cores serve all four.
func TestLimitIsTheCapacity(t *testing.T) {
	s := stepDemand(t)
	s.Limits = s.Limits.With(scale.CPU, 2000)
	if got := Run(s, scripted{}, nil); got.Starved != 0 || got.Cores != coreSeconds(2*180) {
		t.Errorf("starved for %s at a cost of %+v", got.Starved, got.Cores)
	}
}

// TestMetricsAreLate: the step of 60 s is seen at 90 s, as two full pods. The
// pods that start at 90 s have no usage at first, and are idle until they are
// ready.
func TestMetricsAreLate(t *testing.T) {
	p := NewPlant(stepDemand(t))
	metrics := []horizontal.Metric{{Kind: horizontal.Resource}, {Kind: horizontal.External}, {Kind: horizontal.Pods}}
	for _, c := range []struct {
		at          time.Duration
		usage       []scale.Amount // -1 is unknown
		demand      scale.Amount
		scaleToThis int32
	}{
		{0, []scale.Amount{500, 500}, 1000, 2},
		{75 * second, []scale.Amount{500, 500}, 1000, 2},
		{90 * second, []scale.Amount{1000, 1000}, 4000, 3},
		{105 * second, []scale.Amount{1000, 1000, -1}, 4000, 3},
		{120 * second, []scale.Amount{1000, 1000, 0}, 4000, 3},
		{150 * second, []scale.Amount{1000, 1000, 1000}, 4000, 1},
		{165 * second, []scale.Amount{1000}, 4000, 1},
	} {
		t.Run(c.at.String(), func(t *testing.T) {
			p.advance(monday.Add(c.at))
			obs := p.Observe(metrics)
			if len(obs.Pods) != len(c.usage) {
				t.Fatalf("at %s there are %d pods, want %d", c.at, len(obs.Pods), len(c.usage))
			}
			for i, want := range c.usage {
				got, known := obs.Pods[i].Containers[0].Usage.Get(scale.CPU)
				if known != (want >= 0) || known && got != want {
					t.Errorf("at %s pod %d uses %d (%v), want %d", c.at, i, got, known, want)
				}
				if v := obs.Samples[2].PerPod[i]; v.Known != known || v.Value != got {
					t.Errorf("at %s the metric of pod %d is %+v", c.at, i, v)
				}
			}
			if got := obs.Samples[1].Series[0]; got != c.demand {
				t.Errorf("at %s the metric says %d, want %d", c.at, got, c.demand)
			}
			p.apply(p.Size().WithReplicas(c.scaleToThis))
		})
	}
}

// TestYoungestLeave: after a scale-down the pods of the beginning are left.
func TestYoungestLeave(t *testing.T) {
	p := NewPlant(stepDemand(t))
	p.apply(p.Size().WithReplicas(5))
	p.advance(monday.Add(time.Minute))
	p.apply(p.Size().WithReplicas(2))
	obs := p.Observe(nil)
	if len(obs.Pods) != 2 || obs.Pods[0].Name != "app-1" || obs.Pods[1].Name != "app-2" {
		t.Errorf("left are %+v", obs.Pods)
	}
}

// TestJitterIsDrawnBySeed: the same seed gives the same start-ups, another seed
// others, and all are within the jitter.
func TestJitterIsDrawnBySeed(t *testing.T) {
	a, b := Settings{Jitter: time.Minute, Seed: 1}, Settings{Jitter: time.Minute, Seed: 2}
	differ := 0
	for pod := range 100 {
		if got := a.jitter(pod); got != a.jitter(pod) || got < 0 || got > time.Minute {
			t.Fatalf("pod %d: %s", pod, got)
		}
		if a.jitter(pod) != b.jitter(pod) {
			differ++
		}
	}
	if differ < 90 {
		t.Errorf("two seeds differ for %d of 100 pods only", differ)
	}
}

// TestWorkCarries: sums beyond 64 bits are exact.
func TestWorkCarries(t *testing.T) {
	var w Work
	for range 4 {
		w = w.Plus(1<<62, 2)
	}
	if (w != Work{Hi: 2}) {
		t.Errorf("got %+v", w)
	}
}
