package sim

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// wild is a plant where anything may happen.
func wild(r *rapid.T, t testing.TB) Settings {
	s := drawn(r, t)
	share := func(name string) int64 { return rapid.Int64Range(0, scale.Parts).Draw(r, name) }
	amount := func(name string, most int64) scale.Amount {
		return scale.Amount(rapid.Int64Range(0, most).Draw(r, name))
	}
	length := func(name string) time.Duration { return time.Duration(rapid.IntRange(0, 90).Draw(r, name)) * second }
	s.Requests = s.Requests.With(scale.Memory, 1000+amount("memory", 10_000))
	s.Crashes, s.Lost, s.Queue = share("crashes"), share("lost"), amount("queue", 100_000)
	s.Window, s.Resolution, s.Phase = length("window"), length("resolution"), length("phase")
	if rapid.Bool().Draw(r, "waits at pods") {
		s.Waiting = Waiting{Most: second + length("longest wait"), Service: 10 * time.Millisecond, Late: second, Fixed: rapid.Bool().Draw(r, "fixed")}
	}
	if s.Uneven = share("uneven") / 2; s.atPods() {
		s.Queue = 0
	}
	if rapid.Bool().Draw(r, "has tenants") {
		s.Tenants, s.Reserve = Tenants{Use: share("use"), Correlation: share("correlation")}, 0
	}
	s.Resize = Resizing{
		Update: rapid.SampledFrom([]plan.Update{"", plan.InPlace, plan.Recreate, plan.Initial}).Draw(r, "update"), Delay: length("delay of resizes"),
		Deferred: share("deferred") / 2, Infeasible: share("infeasible") / 2, DeferredFor: length("deferred for"),
		Restarts: rapid.Bool().Draw(r, "restarts"), TemplateSized: rapid.Bool().Draw(r, "template sized"),
	}
	s.Ceiling = amount("ceiling", 3000)
	if rapid.Bool().Draw(r, "has memory") {
		s.Memory = MemoryUse{Base: amount("base", 5000), PerCore: amount("per core", 5000), Leak: amount("leak", 1_000_000)}
	}
	if rapid.Bool().Draw(r, "has nodes") {
		s.Nodes = Nodes{Count: rapid.Int32Range(1, 5).Draw(r, "nodes"), CPU: amount("node cpu", 10_000), Memory: amount("node memory", 50_000)}
	}
	return s
}

// fickle wants another size at each decision.
type fickle struct{ sizes []scale.Size }

func (f *fickle) Decide(p *Plant) scale.Decision {
	p.Observe(nil)
	next := f.sizes[int(p.score.Decisions)%len(f.sizes)]
	return scale.Decision{From: p.Size(), Want: next}
}

// TestAnythingMayHappen: no work is lost or made, nothing that was promised to
// a node is forgotten, and the same settings give the same score.
func TestAnythingMayHappen(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		s := wild(r, t)
		f := &fickle{}
		for range rapid.IntRange(1, 5).Draw(r, "sizes") {
			f.sizes = append(f.sizes, sized(rapid.Int32Range(0, 12).Draw(r, "replicas"), scale.Amount(rapid.Int64Range(100, 4000).Draw(r, "cpu"))))
		}
		got := Run(s, f, nil)
		if got.Served.add(got.Unserved) != got.Demand || got.Demand != s.Demand.Work() || got.Length != s.Demand.Length() {
			r.Fatalf("served %+v and unserved %+v of %+v, in all %+v", got.Served, got.Unserved, got.Demand, s.Demand.Work())
		}
		if got.Served.less(got.Late) || got.Billed.less(got.Cores) || got.Billed.less(got.Served) {
			r.Fatalf("late %+v of %+v, billed %+v for %+v", got.Late, got.Served, got.Billed, got.Cores)
		}
		if got.Violations > got.Minutes || got.Slack > scale.Parts || got.Wait50 > got.Wait99 || got.Wait99 > s.Waiting.Most {
			r.Fatalf("%+v", got)
		}
		if got.LongestStarved > got.Starved || got.OutOfMemory > got.Restarts {
			r.Fatalf("%+v", got)
		}
		if again := Run(s, f, nil); again != got {
			r.Fatalf("again\n%+v, before\n%+v", again, got)
		}
		p := NewPlant(s)
		for range 20 {
			p.advance(p.now.Add(s.Sync))
			p.apply(f.Decide(p).Want)
			p.score.Decisions++
		}
		p.apply(sized(0, 100))
		if p.workload.resizer.olds != 0 {
			r.Fatalf("%d pods of none are old", p.workload.resizer.olds)
		}
		if n := p.workload.nodes; n != nil {
			for i, free := range n.free {
				if free != newNodes(s.Nodes).free[i] {
					r.Fatalf("node %d has %+v free, empty", i, free)
				}
			}
		}
	})
}
