package interval

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// bounded gives the container a minimum and a maximum, or not.
func (s *spec) bounded(t *rapid.T, resources []scale.Resource) {
	for _, res := range resources {
		r := &s.rules.Default.Resources[res]
		if rapid.Bool().Draw(t, "has a minimum") {
			r.Min = unitOf(res).Times(rapid.Int64Range(1, 300).Draw(t, "minimum"))
		}
		if rapid.Bool().Draw(t, "has a maximum") {
			r.Max = max(r.Min, s.rules.Table.Rows[0].Edges[res].PerPod)
		}
	}
}

// TestEnough: after every decision of a random walk, replicas x request is not
// below the total, unless a maximum caps it, which the choice says.
func TestEnough(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		res := rapid.SampledFrom(both).Draw(t, "resource")
		resources := []scale.Resource{res}
		s := specs(resources, growing).Draw(t, "spec")
		s.bounded(t, resources)
		size := sizeOf(s.first, resources, func(scale.Resource) scale.Amount { return max(unitOf(res), s.rules.Default.Resources[res].Min) })
		for range rapid.IntRange(1, 20).Draw(t, "decisions") {
			total := s.total(t, res)
			c := s.rules.Choose(size, Totals{scale.Resources{}.With(res, total)})
			size = c.Size
			if have := appliedOf(size, res); have < total && !c.AtMax {
				t.Fatalf("%d x %d is less than %d: %+v", size.Replicas, requestOf(size, res), total, c)
			}
			if size.Replicas < s.first || size.Replicas > s.rules.Table.Last() {
				t.Fatalf("%d replicas have no interval", size.Replicas)
			}
		}
	})
}

// TestMoreGetsMore: of two totals that both rise from the same size the larger
// one never gets less in all, but for what rounding adds to the smaller one.
// (Pinned pods have more than they need, so they are no measure for others.)
func TestMoreGetsMore(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(both, growing).Draw(t, "spec")
		s.bounded(t, both)
		less, more := Totals{{}}, Totals{{}}
		n := rapid.Int32Range(s.first, s.rules.Table.Last()).Draw(t, "replicas")
		from := sizeOf(n, both, func(res scale.Resource) scale.Amount {
			a, b := s.total(t, res), s.total(t, res)
			less[0], more[0] = less[0].With(res, min(a, b)), more[0].With(res, max(a, b))
			return unitOf(res).Times(rapid.Int64Range(0, int64(min(a, b)/unitOf(res))/int64(n)).Draw(t, "request"))
		})
		small, large := s.rules.Sized(from, less, s.grown(from, less)).Size, s.rules.Sized(from, more, s.grown(from, more)).Size
		for _, res := range both {
			rounding := unitOf(res).Times(int64(small.Replicas))
			if appliedOf(large, res)+rounding <= appliedOf(small, res) {
				t.Fatalf("%s from %d x %d: %v gives %d x %d, %v gives %d x %d", res, n, requestOf(from, res),
					less, small.Replicas, requestOf(small, res), more, large.Replicas, requestOf(large, res))
			}
		}
	})
}

// grown is the count the totals ask for when nothing falls.
func (s *spec) grown(from scale.Size, totals Totals) int32 {
	return max(from.Replicas, s.rules.Replicas(from, totals))
}

// TestBaseOnlyAtAnotherCount: base usage changes nothing within a count.
func TestBaseOnlyAtAnotherCount(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(both, everyExtrapolation).Draw(t, "spec")
		n := rapid.Int32Range(s.first, s.rules.Table.Last()).Draw(t, "replicas")
		totals := Totals{scale.Resources{}.With(scale.CPU, s.total(t, scale.CPU)).With(scale.Memory, s.total(t, scale.Memory))}
		from := sizeOf(n, both, func(res scale.Resource) scale.Amount { return s.total(t, res).Share(1, int64(n)) })
		plain := s.rules.Sized(from, totals, n)
		for _, res := range both {
			s.rules.Base[res] = scale.Share{Value: unitOf(res).Times(rapid.Int64Range(0, 500).Draw(t, "base")), Percent: rapid.Int32Range(0, 100).Draw(t, "percent")}
		}
		if got := s.rules.Sized(from, totals, n); !got.Size.Equal(plain.Size) {
			t.Fatalf("%v with a base, %v without", got.Size, plain.Size)
		}
	})
}
