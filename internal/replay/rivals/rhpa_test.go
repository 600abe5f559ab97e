package rivals

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// fifty is an HPA with a target of 50 percent, without limits of its speed.
func fifty(more ...horizontal.Metric) engine.Policy {
	return engine.Policy{
		Horizontal: horizontal.Rules{
			Metrics: append([]horizontal.Metric{{
				Name: "cpu", Kind: horizontal.Resource, Type: scale.Utilization, Band: scale.Band{Low: 50_000, High: 50_000},
			}}, more...),
			ToleranceUp: scale.Parts / 10, ToleranceDown: scale.Parts / 10, Step: 1, StaleAfter: 5 * time.Minute,
		},
		Limit: limit.Rules{Min: 1, Max: 1000, Step: 1, Plain: true},
		Sync:  15 * time.Second,
	}
}

// TestRHPA: by hand, with a target of 50 percent and pods of one core.
func TestRHPA(t *testing.T) {
	r := &rhpa{hpa: sim.NewAutoscaler(fifty(), nil), usual: 1000, imagined: 4}
	v := &fake{size: sizeOf(4, 1000), ready: 4}
	for i, c := range []struct {
		name      string
		served    scale.Amount
		ready     int32
		replicas  int32
		cpu       scale.Amount
		isLost    bool
		isApplied bool
	}{
		{name: "within the tolerance", served: 2100, ready: 4, replicas: 4, cpu: 1000},
		{name: "eight pods' worth to four", served: 4000, ready: 4, replicas: 4, cpu: 2000, isApplied: true},
		{name: "one does not serve", served: 4000, ready: 3, replicas: 4, cpu: 2667},
		{name: "a lost sample changes nothing", served: 9000, ready: 4, replicas: 4, cpu: 2000, isLost: true},
		// Twenty are more than four times four, so pods are started.
		{name: "twenty are too many for four", served: 10_000, ready: 4, replicas: 20, cpu: 4000, isApplied: true},
		{name: "until they serve", served: 10_000, ready: 20, replicas: 20, cpu: 1000, isApplied: true},
		{name: "half the load is half the size", served: 5000, ready: 20, replicas: 20, cpu: 500, isApplied: true},
		{name: "and less is fewer pods", served: 4000, ready: 20, replicas: 8, cpu: 1000, isApplied: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			v.now = monday.Add(time.Duration(i) * 15 * time.Second)
			v.ready, v.lost, v.metered = c.ready, c.isLost, sim.Usage{At: v.now, Served: c.served}
			d := r.decide(v)
			if cpu, limit := cpuOf(d.Want); d.Want.Replicas != c.replicas || cpu != c.cpu || limit != cpu {
				t.Errorf("%d pods of %d, want %d of %d", d.Want.Replicas, cpu, c.replicas, c.cpu)
			}
			if c.isApplied {
				v.size = d.Want
			}
		})
	}
}

// told is a forecaster that is told what to expect.
type told struct {
	noted    []scale.Amount
	expected scale.Amount
}

func (f *told) every() time.Duration             { return time.Minute }
func (f *told) note(_ time.Time, a scale.Amount) { f.noted = append(f.noted, a) }
func (f *told) expect(time.Time) scale.Amount    { return f.expected }

// flat is a plant under a demand that never changes.
func flat(t *testing.T, cores scale.Amount, minutes int) sim.Settings {
	t.Helper()
	demand, err := sim.NewDemand(trace.Trace{Step: time.Minute, Points: []trace.Point{
		{At: monday, Value: cores}, {At: monday.Add(time.Minute), Value: cores},
		{At: monday.Add(time.Duration(minutes-1) * time.Minute), Value: cores},
	}})
	if err != nil {
		t.Fatal(err)
	}
	each := scale.Resources{}.With(scale.CPU, 1000)
	return sim.Settings{Demand: demand, Requests: each, Limits: each, Sync: 15 * time.Second, Replicas: 4}
}

// TestForesighted: with two cores of work at 50 percent an HPA keeps four pods. A
// forecast of three cores makes it six, one of one core makes no difference.
func TestForesighted(t *testing.T) {
	for expected, want := range map[scale.Amount]int32{0: 4, 1000: 4, 3000: 6} {
		s, f, got := flat(t, 2000, 10), &told{expected: expected}, int32(0)
		c := newForesighted(&s, f, func(l sim.Learner) *sim.Autoscaler {
			return sim.NewAutoscaler(fifty(horizontal.Metric{
				Name: "forecast", Kind: horizontal.External, Type: scale.AverageValue, Band: scale.Band{Low: 500, High: 500},
			}), l)
		})
		sim.Run(s, c, func(m sim.Moment) bool {
			got = m.Decision.Want.Replicas
			return true
		})
		if got != want || len(f.noted) != 9 || f.noted[0] != 2000 {
			t.Errorf("a forecast of %d: %d pods, %v", expected, got, f.noted)
		}
	}
}

// TestCheapest: by hand, over five minutes of two cores. One pod drops half of the
// work, which costs 50 × 1/12 core-hours; two cost 2/12, three 3/12.
func TestCheapest(t *testing.T) {
	s := flat(t, 2000, 10)
	static := func(n int32) func(*sim.Settings) sim.Controller {
		return func(s *sim.Settings) sim.Controller {
			s.Replicas = n
			return sim.Static(n)
		}
	}
	all := []func(*sim.Settings) sim.Controller{static(1), static(3), static(2)}
	if got := cheapest(s, 5*time.Minute, all); got != 2 {
		t.Errorf("candidate %d", got)
	}
	if got := cheapest(s, 30*time.Second, all); got != 0 {
		t.Errorf("of too short a part it is candidate %d", got)
	}
	if s.Demand.Length() != 10*time.Minute || s.Replicas != 4 {
		t.Error("it changes the plant")
	}
}
