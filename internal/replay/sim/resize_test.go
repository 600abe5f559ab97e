package sim

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// doubled runs four pods of one core under a demand of eight for 150 s, wanting
// two cores for each from the first moment on. Each 15 s there is a round.
func doubled(t *testing.T, change func(*Settings)) Score {
	t.Helper()
	s := stepDemand(t)
	s.Demand, s.Replicas = demandOf(t, 75*second, 8000, 8000), 4
	change(&s)
	p := NewPlant(s)
	for at := s.Demand.Start(); at.Before(s.Demand.End()); at = at.Add(15 * second) {
		p.advance(at)
		p.apply(sized(4, 2000))
	}
	p.advance(s.Demand.End())
	return p.finish()
}

func sized(replicas int32, cpu scale.Amount) scale.Size {
	return scale.Size{Replicas: replicas, Containers: []scale.Container{{Name: ContainerName, Requests: scale.Resources{}.With(scale.CPU, cpu)}}}
}

// TestResize is worked out by hand. Replaced or restarted one after the other,
// with a start-up of 30 s, the pods can do 3, 4, 5, 6 and then 8 cores, 30 s
// each, and request 5, 6, 7, 8 and 8.
func TestResize(t *testing.T) {
	for name, c := range map[string]struct {
		change       func(*Settings)
		served, cost int64
		restarts     int64
	}{
		"in place at once": {func(*Settings) {}, 8 * 150, 8 * 150, 0},
		"in place in 20 s": {func(s *Settings) { s.Resize.Delay = 20 * second }, 4*20 + 8*130, 4*20 + 8*130, 0},
		"by eviction":      {func(s *Settings) { s.Resize.Update = plan.Recreate }, (3 + 4 + 5 + 6 + 8) * 30, (5 + 6 + 7 + 8 + 8) * 30, 4},
		"of too few":       {func(s *Settings) { s.Resize.Update, s.Resize.MinReplicas = plan.Recreate, 5 }, 4 * 150, 4 * 150, 0},
		"only for less": {func(s *Settings) {
			s.Resize.Update, s.Resize.Requirements = plan.Recreate, []scale.EvictionRequirement{{Resources: []scale.Resource{scale.CPU}, Lower: true}}
		}, 4 * 150, 4 * 150, 0},
		"for more": {func(s *Settings) {
			s.Resize.Update, s.Resize.Requirements = plan.Recreate, []scale.EvictionRequirement{{Resources: []scale.Resource{scale.CPU}}}
		}, (3 + 4 + 5 + 6 + 8) * 30, (5 + 6 + 7 + 8 + 8) * 30, 4},
		"by restarts": {func(s *Settings) { s.Resize.Restarts = true }, (3 + 4 + 5 + 6 + 8) * 30, (5 + 6 + 7 + 8 + 8) * 30, 4},
		"deferred for a minute": {func(s *Settings) {
			s.Resize.Deferred, s.Resize.DeferredFor = scale.Parts, 60*second
		}, 4*60 + 8*90, 4*60 + 8*90, 0},
		"never, and nobody may be replaced": {func(s *Settings) {
			s.Resize.Infeasible, s.Resize.Update = scale.Parts, plan.InPlace
		}, 4 * 150, 4 * 150, 0},
		// The first round asks, the second begins to replace.
		"never, so they are replaced":     {func(s *Settings) { s.Resize.Infeasible = scale.Parts }, 4*15 + (3+4+5+6)*30 + 8*15, 4*15 + (5+6+7+8)*30 + 8*15, 4},
		"given to one that cannot use it": {func(s *Settings) { s.Ceiling = 1500 }, 6 * 150, 8 * 150, 0},
	} {
		t.Run(name, func(t *testing.T) {
			got := doubled(t, c.change)
			if got.Served != coreSeconds(c.served) || got.Cores != coreSeconds(c.cost) || got.Restarts != c.restarts || got.Changes != 1 {
				t.Errorf("%s: %+v", name, got)
			}
		})
	}
}

// TestUnequalPodsShare: two pods of one core and one of two share 3.6 cores as
// 1, 1 and 1.6; five cores fill them all, and one is shared evenly.
func TestUnequalPodsShare(t *testing.T) {
	w := NewWorkload(monday, 3, 3)
	w.Requests = scale.Resources{}.With(scale.CPU, 1000)
	w.resizer.byRounds, w.resizer.Delay = true, time.Minute
	w.Apply(monday, sized(3, 2000))
	w.pods[2].old, w.resizer.olds = nil, 2
	for work, want := range map[scale.Amount]scale.Amount{1000: 333, 3000: 1000, 3600: 1600, 5000: 2000} {
		t.Run(fmt.Sprint(work), func(t *testing.T) {
			if got := w.share(work, monday); got != want {
				t.Errorf("of %d each does %d, want %d", work, got, want)
			}
		})
	}
	if got := w.capacity(monday); got != 4000 {
		t.Errorf("together they can do %d", got)
	}
	if got, want := w.serves(monday), (serving{3, 4000, 4000, 4000}); got != want {
		t.Errorf("they serve with %+v, want %+v", got, want)
	}
}

// TestServesAsCapacity: pods that are looked at once can do what they can do.
func TestServesAsCapacity(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		n := rapid.Int32Range(1, 9).Draw(r, "pods")
		w := NewWorkload(monday, n, rapid.Int32Range(0, n).Draw(r, "ready"))
		w.Requests = scale.Resources{}.With(scale.CPU, scale.Amount(rapid.Int64Range(1, 5000).Draw(r, "request")))
		if rapid.Bool().Draw(r, "limited") {
			w.Limits = scale.Resources{}.With(scale.CPU, scale.Amount(rapid.Int64Range(1, 5000).Draw(r, "limit")))
		}
		w.Ceiling = scale.Amount(rapid.Int64Range(0, 3000).Draw(r, "ceiling"))
		w.shares, w.others = rapid.Bool().Draw(r, "shares"), others{room: rapid.Int64Range(0, 3*scale.Parts).Draw(r, "room")}
		w.resizer.byRounds, w.resizer.Delay = true, time.Minute
		if rapid.Bool().Draw(r, "resized") {
			w.Apply(monday, sized(n, scale.Amount(rapid.Int64Range(1, 5000).Draw(r, "to"))))
		}
		want := serving{ready: w.Ready(monday), capacity: w.capacity(monday)}
		for i := range w.pods {
			if p := &w.pods[i]; p.ready(monday) {
				cpu, _ := w.size(p).requests.Get(scale.CPU)
				want.requests += cpu
				want.limits += capacity(w.size(p).requests, w.size(p).limits)
			}
		}
		if got := w.serves(monday); got != want {
			r.Fatalf("%+v, want %+v", got, want)
		}
		a, by := scale.Amount(rapid.Int64Range(-1, int64(scale.MaxAmount)).Draw(r, "a")), rapid.Int64Range(-1, 9*scale.Parts).Draw(r, "by")
		if got, want := inBillionths(a, by), a.Share(by, scale.Parts); got != want {
			r.Fatalf("%d × %d billionths are %d, want %d", a, by, got, want)
		}
	})
}

// TestSecondResizeDuringTheFirst: pods end at the last size that was wanted,
// whatever they were at when it came.
func TestSecondResizeDuringTheFirst(t *testing.T) {
	for _, how := range []Resizing{{Delay: 10 * second}, {Restarts: true}, {TemplateSized: true}} {
		s := stepDemand(t)
		s.Resize, s.Replicas = how, 4
		p := NewPlant(s)
		p.apply(sized(4, 2000))
		for at := 5 * second; at < 175*second; at += 15 * second {
			p.advance(monday.Add(at))
			p.apply(sized(3, 3000))
		}
		p.advance(monday.Add(179 * second))
		if cpu, _ := p.workload.requested(); cpu != 9000 || p.workload.resizer.olds != 0 {
			t.Errorf("%+v: they request %d, %d are old", how, cpu, p.workload.resizer.olds)
		}
	}
}
