package twin

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// plant is the workload in virtual time, without what happens to it.
func (s *Scenario) plant() sim.Settings {
	w := &s.Workload
	return sim.Settings{
		Container: "app", Requests: w.Requests.amounts(), Limits: w.Limits.amounts(), Replicas: w.Replicas, Age: w.age(),
		StartUp: time.Duration(w.StartSeconds) * time.Second, MetricDelay: served, Window: Window, Resolution: Window, Sync: Sync,
		Memory: sim.MemoryUse{Base: fakeMemory}, Overload: w.Overload, Resize: s.resizing(), Nodes: w.nodes(),
	}
}

// all is the share of everything, in billionths.
const all = 1_000_000_000

// resizing is what becomes of resizes.
func (s *Scenario) resizing() sim.Resizing {
	w := &s.Workload
	r := sim.Resizing{Delay: time.Duration(w.ResizeSeconds) * time.Second}
	if v := s.Policy.Vertical; v != nil {
		r.Update = plan.Update(v.Update)
	}
	switch w.Resize {
	case "deferred":
		r.Deferred, r.DeferredFor = all, s.Length()
	case "infeasible":
		r.Infeasible = all
	}
	return r
}

// nodes is the workload's own node, if it has one.
func (w *Workload) nodes() sim.Nodes {
	if w.Node == nil {
		return sim.Nodes{}
	}
	room := w.Node.amounts()
	cpu, _ := room.Get(scale.CPU)
	memory, _ := room.Get(scale.Memory)
	return sim.Nodes{Count: 1, CPU: cpu, Memory: memory}
}

// The pods of a live run have been running for a while when it begins, or are
// made to look older.
const (
	young = 4*Window + Sync
	aged  = time.Hour
)

func (w *Workload) age() time.Duration {
	if w.Aged {
		return aged
	}
	return young
}

// events are what happens to the pods.
func (s *Scenario) events(start time.Time) (all []sim.Event) {
	for i := range s.Course {
		p := &s.Course[i]
		e := sim.Event{At: start, Rollout: p.Rollout}
		if p.Crash != nil {
			e.Crash = &sim.CrashLoop{Pods: p.Crash.Pods}
			if p.Crash.CPU != nil {
				e.Crash.CPU = amount(*p.Crash.CPU)
			}
		}
		if e.Rollout || e.Crash != nil {
			all = append(all, e)
		}
		start = start.Add(p.length())
	}
	return all
}

// fakeMemory is what a fake container uses that nobody has told what to use.
const fakeMemory = 1 << 20 * scale.Thousand

func (r Resources) amounts() scale.Resources {
	var out scale.Resources
	for res, q := range map[scale.Resource]*resource.Quantity{scale.CPU: r.CPU, scale.Memory: r.Memory} {
		if q != nil {
			out = out.With(res, amount(*q))
		}
	}
	return out
}

// amount is a quantity of a scenario, which is small.
func amount(q resource.Quantity) scale.Amount {
	a, _ := quantity.Amount(q)
	return a
}

// demand is the course of the cpu that is asked for.
func (s *Scenario) demand(start time.Time, by chance) (sim.Demand, error) {
	cpu := func(at time.Duration) scale.Amount { return s.cpuAt(at).Share(by.permille, 1000) }
	t := trace.Trace{Step: rampStep, Points: []trace.Point{{At: start.Add(-by.lead), Value: cpu(0)}}}
	for at := time.Duration(0); at < s.Length(); at += rampStep {
		t.Points = append(t.Points, trace.Point{At: start.Add(at), Value: cpu(at)})
	}
	return sim.NewDemand(t)
}
