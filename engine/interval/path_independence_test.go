package interval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// TestAnyRouteUp: however the totals rise, and wherever below they started, the
// same totals end at the same size: the smallest count made for them, and
// their part for each pod.
func TestAnyRouteUp(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(both, growing).Draw(t, "spec")
		stops := rapid.IntRange(1, 6).Draw(t, "stops")
		routes := map[scale.Resource][]scale.Amount{}
		for _, res := range both {
			for range stops {
				routes[res] = append(routes[res], s.total(t, res))
			}
			slices.Sort(routes[res])
		}
		at := func(i int) Totals {
			return Totals{scale.Resources{}.With(scale.CPU, routes[scale.CPU][i]).With(scale.Memory, routes[scale.Memory][i])}
		}
		first := s.smallest(at(0))
		n := rapid.Int32Range(s.first, first).Draw(t, "replicas")
		size := sizeOf(n, both, func(res scale.Resource) scale.Amount {
			return unitOf(res).Times(rapid.Int64Range(1, max(1, int64(routes[res][0]/unitOf(res))/int64(n))).Draw(t, "request"))
		})
		for i := range stops {
			size = s.rules.Choose(size, at(i)).Size
		}
		size = restsAt(t, &s.rules, size, at(stops-1))
		want := s.smallest(at(stops - 1))
		if size.Replicas != want {
			t.Fatalf("ended at %d, want %d", size.Replicas, want)
		}
		for _, res := range both {
			total := routes[res][stops-1]
			if each := res.RoundUp(total.Share(1, int64(want))); requestOf(size, res) != each {
				t.Fatalf("%s: %d each of %d in all for %d, want %d", res, requestOf(size, res), total, want, each)
			}
		}
	})
}

// smallest is the smallest count made for the totals, found the slow way.
func (s *spec) smallest(totals Totals) int32 {
	for i, row := range s.rules.Table.Rows {
		fits := true
		for _, res := range scale.EveryResource {
			if total, ok := totals[0].Get(res); ok && total > row.Edges[res].Max {
				fits = false
			}
		}
		if fits {
			return s.first + int32(i)
		}
	}
	return s.rules.Table.Last()
}

// TestAnyRouteDown: however a total falls, and wherever above it started, it
// ends at the same size, once it is below the stretch in which a step in waits
// for pods that would have to grow.
func TestAnyRouteDown(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(onlyCPU, growing).Draw(t, "spec")
		var route []scale.Amount
		for range rapid.IntRange(1, 6).Draw(t, "stops") {
			route = append(route, s.total(t, scale.CPU))
		}
		slices.Sort(route)
		slices.Reverse(route)
		total := route[len(route)-1]
		want := s.largest(total)
		each := total.Share(1, int64(want))
		if s.waits(want, each) {
			t.Skip("the total ends where a step in may wait")
		}
		size := sizeOf(s.rules.Table.Last(), onlyCPU, func(scale.Resource) scale.Amount {
			return max(s.top(scale.CPU), route[0]).Share(1, int64(s.rules.Table.Last()))
		})
		for _, total := range route {
			size = s.rules.Choose(size, Totals{scale.Resources{}.With(scale.CPU, total)}).Size
		}
		size = restsAt(t, &s.rules, size, Totals{scale.Resources{}.With(scale.CPU, total)})
		if size.Replicas != want || requestOf(size, scale.CPU) != each {
			t.Fatalf("%v ended at %d x %d, want %d x %d", route, size.Replicas, requestOf(size, scale.CPU), want, each)
		}
	})
}

// largest is the largest count that does not give way at a total.
func (s *spec) largest(total scale.Amount) int32 {
	for i := len(s.rules.Table.Rows) - 1; i > 0; i-- {
		if row := s.rules.Table.Rows[i]; total > row.Edges[scale.CPU].In {
			return max(s.first+int32(i), s.smallest(Totals{scale.Resources{}.With(scale.CPU, total)}))
		}
	}
	return s.first
}

// waits tells whether some larger count may have shrunk its pods so far that
// they would have to grow for this one.
func (s *spec) waits(n int32, each scale.Amount) bool {
	for m := n + 1; m <= s.rules.Table.Last(); m++ {
		if smallest := (s.rules.Table.row(m).Edges[scale.CPU].In + 1).Share(1, int64(m)); each > smallest {
			return true
		}
	}
	return false
}

// TestNoFlapping: a total that wavers between the ends of a count's interval,
// the overlap included, never changes that count.
func TestNoFlapping(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(onlyCPU, everyExtrapolation).Draw(t, "spec")
		n := rapid.Int32Range(s.first, s.rules.Table.Last()).Draw(t, "replicas")
		e := s.rules.Table.row(n).Edges[scale.CPU]
		least := max(1, e.In+1)
		if least > e.Max {
			t.Skip("an interval so narrow that it holds no total")
		}
		size := sizeOf(n, onlyCPU, func(scale.Resource) scale.Amount { return scale.Amount(rapid.Int64Range(1, 9000).Draw(t, "request")) })
		for range rapid.IntRange(1, 20).Draw(t, "decisions") {
			total := scale.Amount(rapid.Int64Range(int64(least), int64(e.Max)).Draw(t, "total"))
			size = s.rules.Choose(size, Totals{scale.Resources{}.With(scale.CPU, total)}).Size
			if size.Replicas != n {
				t.Fatalf("%d in all, between %d and %d, changes %d to %d", total, e.In, e.Max, n, size.Replicas)
			}
		}
	})
}
