package sim

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/scale"
)

// sixty is a policy with a target of 60 percent and the usual limits.
func sixty() engine.Policy {
	return engine.Policy{
		Horizontal: horizontal.Rules{
			Metrics: []horizontal.Metric{{
				Name: "cpu", Kind: horizontal.Resource, Type: scale.Utilization, Band: scale.Band{Low: 60_000, High: 60_000},
			}},
			ToleranceUp: scale.Parts / 10, ToleranceDown: scale.Parts / 10, Step: 1,
			CPUInitialization: 5 * time.Minute, InitialReadiness: 30 * time.Second, StaleAfter: 5 * time.Minute,
		},
		Limit: limit.Rules{Min: 1, Max: 1000, Step: 1, Plain: true, Doubling: true, Down: limit.Direction{Window: 5 * time.Minute}},
		Sync:  15 * time.Second,
	}
}

func autoscaler(t testing.TB, p engine.Policy, plan *learner.Plan) *Autoscaler {
	t.Helper()
	if plan == nil {
		return NewAutoscaler(p, nil)
	}
	l, err := learner.New(*plan)
	if err != nil {
		t.Fatal(err)
	}
	return NewAutoscaler(p, l)
}

// drawn is a plant under a random demand.
func drawn(t *rapid.T, tb testing.TB) Settings {
	values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) scale.Amount {
		return scale.Amount(rapid.Int64Range(0, 30_000).Draw(t, "value"))
	}), 2, 60).Draw(t, "demand")
	length := func(name string, least int64) time.Duration {
		return time.Duration(rapid.Int64Range(least, 90).Draw(t, name)) * second
	}
	return Settings{
		Demand:   demandOf(tb, length("step", 1), values...),
		Requests: scale.Resources{}.With(scale.CPU, scale.Amount(rapid.Int64Range(100, 4000).Draw(t, "request"))),
		StartUp:  length("startUp", 0), Jitter: length("jitter", 0), Seed: rapid.Uint64().Draw(t, "seed"),
		MetricDelay: length("delay", 0), Sync: length("sync", 1),
		Replicas: rapid.Int32Range(0, 20).Draw(t, "replicas"),
	}
}

// TestConservation: whatever happens, what was served and what was not add up
// to the demand, and running again gives the same score.
func TestConservation(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		s := drawn(r, t)
		got := Run(s, autoscaler(t, sixty(), nil), nil)
		if got.Served.add(got.Unserved) != got.Demand || got.Demand != s.Demand.Work() {
			r.Fatalf("served %+v and unserved %+v of %+v, in all %+v", got.Served, got.Unserved, got.Demand, s.Demand.Work())
		}
		if got.Length != s.Demand.Length() {
			r.Fatalf("ran for %s of %s", got.Length, s.Demand.Length())
		}
		if again := Run(s, autoscaler(t, sixty(), nil), nil); again != got {
			r.Fatalf("again\n%+v, before\n%+v", again, got)
		}
	})
}

// TestOracleNeverStarves: it begins with what it foresees, so there is not even
// a first start-up to wait for. Enough static pods never starve either, and are
// never cheaper.
func TestOracleNeverStarves(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		s := drawn(r, t)
		s.Replicas = s.Foreseen()
		oracle := Run(s, Oracle{}, nil)
		if oracle.Starved != 0 || oracle.Unserved != (Work{}) {
			r.Fatalf("the oracle starved for %s", oracle.Starved)
		}
		s.Replicas = s.Needed(s.Demand.Peak(s.Demand.Start(), s.Demand.End()))
		static := Run(s, Static(s.Replicas), nil)
		if static.Starved != 0 || static.Changes != 0 || static.PodStarts != 0 {
			r.Fatalf("enough pods: %+v", static)
		}
		if static.Cores.Hi < oracle.Cores.Hi || static.Cores.Hi == oracle.Cores.Hi && static.Cores.Lo < oracle.Cores.Lo {
			r.Fatalf("static costs %+v, the oracle %+v", static.Cores, oracle.Cores)
		}
	})
}

// TestOracleStartsInTime: for the step of 60 s the pods start at 15 s, the last
// decision whose successor would be too late.
func TestOracleStartsInTime(t *testing.T) {
	s := stepDemand(t)
	s.Replicas = s.Foreseen()
	got := Run(s, Oracle{}, nil)
	if s.Replicas != 1 || got.Cores != coreSeconds(1*30+4*150) {
		t.Errorf("begins with %d, costs %+v", s.Replicas, got.Cores)
	}
}

// TestMemoryIsCarried: after a peak the count waits for the stabilization
// window, which only a carried memory knows of.
func TestMemoryIsCarried(t *testing.T) {
	s := stepDemand(t)
	s.Demand = demandOf(t, time.Minute, 6000, 600, 600, 600, 600, 600, 600, 600, 600)
	s.Replicas = 10
	var fell time.Duration
	Run(s, autoscaler(t, sixty(), nil), func(m Moment) bool {
		fell = m.At.Sub(monday)
		return m.Decision.Want.Replicas >= 10
	})
	if fell <= 5*time.Minute || fell > 7*time.Minute {
		t.Errorf("scaled down after %s", fell)
	}
}

// weekly is a workload that learns its bounds by the hour of the day.
func weekly() *learner.Plan {
	return &learner.Plan{
		Settings: history.Settings{Period: history.Daily, SlotHours: 1, WindowWeeks: 1}, Bounds: true,
		Factors: history.Factors{Min: scale.Parts, Max: 2 * scale.Parts},
	}
}

// TestLearnedBoundsRaiseThePods: the second day begins its busy hour with the
// pods of the first.
func TestLearnedBoundsRaiseThePods(t *testing.T) {
	s := stepDemand(t)
	values := make([]scale.Amount, 48)
	for i := range values {
		values[i] = 600
		if i%24 == 9 {
			values[i] = 12_000
		}
	}
	s.Demand = demandOf(t, time.Hour, values...)
	before := monday.Add(33*time.Hour - 15*second)
	var counts [2]int32
	for i, l := range []*learner.Plan{nil, weekly()} {
		Run(s, autoscaler(t, sixty(), l), func(m Moment) bool {
			counts[i] = m.Decision.Want.Replicas
			return m.At.Before(before)
		})
	}
	if counts[0] != 1 || counts[1] < 20 {
		t.Errorf("just before the busy hour there are %d pods, having learned %d", counts[0], counts[1])
	}
}

// TestHeadroomIsUsedOnceKnown: the metric sizes by growth after enough
// reactions, and says so.
func TestHeadroomIsUsedOnceKnown(t *testing.T) {
	s := stepDemand(t)
	s.Demand = demandOf(t, time.Hour, 3000, 3000, 3000)
	s.Limits = s.Limits.With(scale.CPU, 1000)
	p := sixty()
	p.Horizontal.Metrics[0].Headroom = true
	l := &learner.Plan{Settings: history.DefaultSettings(), Headroom: true, Places: []string{""}, Risk: scale.Parts / 20}
	reasons := map[scale.Reason]bool{}
	got := Run(s, autoscaler(t, p, l), func(m Moment) bool {
		reasons[m.Decision.Reason] = true
		return true
	})
	if !reasons[scale.AboveTarget] || !reasons[scale.HeadroomAmple] || !reasons[scale.HeadroomKept] {
		t.Errorf("the reasons were %v, the score %+v", reasons, got)
	}
}

// TestSaturatedPodsTeachNothing: pods that are full do not show the demand, so
// its growth is not known after any time, whereas with room it is.
func TestSaturatedPodsTeachNothing(t *testing.T) {
	p := sixty()
	p.Horizontal.Metrics[0].Headroom = true
	p.Limit.Max = 2
	for demand, want := range map[scale.Amount]bool{1500: true, 3000: false} {
		s := stepDemand(t)
		s.Limits = s.Limits.With(scale.CPU, 1000)
		s.Demand = demandOf(t, time.Hour, demand, demand)
		a := autoscaler(t, p, &learner.Plan{Settings: history.DefaultSettings(), Headroom: true, Places: []string{""}, Risk: scale.Parts / 20})
		Run(s, a, nil)
		if got := a.learner.(*learner.Learner).History.Growth.Reactions(); got > 0 != want {
			t.Errorf("a demand of %s taught %d reactions", demand, got)
		}
	}
}

// TestWarmUpIsNotScored: the scores of a run's two parts add up to that of the
// whole, and the second part begins where the first ended.
func TestWarmUpIsNotScored(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		s := drawn(r, t)
		whole := Run(s, autoscaler(t, sixty(), nil), nil)
		s.WarmUp = time.Duration(rapid.Int64Range(0, int64(s.Demand.Length()/second)).Draw(r, "warm-up")) * second
		tail := Run(s, autoscaler(t, sixty(), nil), nil)
		if s.WarmUp > s.Demand.Length()-s.Sync {
			r.Skip("no decision is left")
		}
		head := NewPlant(s)
		c := autoscaler(t, sixty(), nil)
		for at := s.Demand.Start(); at.Before(s.Demand.Start().Add(s.WarmUp)); at = at.Add(s.Sync) {
			head.advance(at)
			head.apply(c.Decide(head).Want)
		}
		head.advance(s.Demand.Start().Add(s.WarmUp))
		first := head.finish()
		if first.Cores.add(tail.Cores) != whole.Cores || first.Unserved.add(tail.Unserved) != whole.Unserved || first.Length+tail.Length != whole.Length {
			r.Fatalf("first %+v\nthen %+v\nwhole %+v", first, tail, whole)
		}
		if first.Changes+tail.Changes != whole.Changes || first.PodStarts+tail.PodStarts != whole.PodStarts {
			r.Fatalf("first %+v\nthen %+v\nwhole %+v", first, tail, whole)
		}
	})
}
