package interval

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// anySize draws a size that need not be one the engine would have chosen:
// someone else may have made it.
func (s *spec) anySize(t *rapid.T, resources []scale.Resource) scale.Size {
	n := rapid.Int32Range(s.first, s.rules.Table.Last()).Draw(t, "replicas")
	return sizeOf(n, resources, func(res scale.Resource) scale.Amount {
		return max(s.rules.Default.Resources[res].Min, res.RoundUp(s.total(t, res).Share(1, int64(n))))
	})
}

// TestNothingNeededIsTheSmallest: from any size, totals of next to nothing lead
// to the smallest count, whatever the overlap: no step in waits forever.
func TestNothingNeededIsTheSmallest(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(both, growing).Draw(t, "spec")
		s.bounded(t, both)
		for _, res := range both {
			s.overlap[res] = scale.Share{Percent: min(s.overlap[res].Percent, 99)}
		}
		s.rules.Table, _ = Compile(s.first, s.ranges, s.overlap)
		least := Totals{scale.Resources{}.With(scale.CPU, unitOf(scale.CPU)).With(scale.Memory, unitOf(scale.Memory))}
		for _, row := range s.rules.Table.Rows[1:] {
			if row.Edges[scale.CPU].In < unitOf(scale.CPU) || row.Edges[scale.Memory].In < unitOf(scale.Memory) {
				t.Skip("an overlap so wide that a count never gives way")
			}
		}
		if size := restsAt(t, &s.rules, s.anySize(t, both), least); size.Replicas != s.first {
			t.Fatalf("rests at %d, want %d", size.Replicas, s.first)
		}
	})
}

// TestMinimumIsNoDeadEnd: a source that recommends for one pod never goes below
// the minimum, so the total falls with the count and no further. The workload
// still ends at a count whose interval holds what is recommended.
func TestMinimumIsNoDeadEnd(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(both, growing).Draw(t, "spec")
		for _, res := range both {
			s.rules.Default.Resources[res].Min = unitOf(res).Times(rapid.Int64Range(1, 3000).Draw(t, "minimum"))
		}
		size := s.anySize(t, both)
		var c Choice
		for range 3 * len(s.rules.Table.Rows) {
			c = s.rules.Choose(size, s.atMinimum(size.Replicas))
			size = c.Size
		}
		if c.Postponed {
			t.Fatalf("%d replicas at their minimum wait forever", size.Replicas)
		}
		inside := size.Replicas == s.first
		for _, res := range both {
			total, _ := s.atMinimum(size.Replicas)[0].Get(res)
			inside = inside || total > s.rules.Table.row(size.Replicas).Edges[res].In
		}
		if !inside {
			t.Fatalf("rests at %d, but every total allows fewer", size.Replicas)
		}
	})
}

// atMinimum is the total when each of so many pods is recommended its minimum.
func (s *spec) atMinimum(n int32) Totals {
	out := Totals{{}}
	for _, res := range both {
		out[0] = out[0].With(res, s.rules.Default.Resources[res].Min.Times(int64(n)))
	}
	return out
}

// TestEverySizeComesToRest: a total that stays as it is leads, in a few
// decisions, to a size that stays as well. That is in the interval of its
// count, or it waits for a pod that would have to grow.
func TestEverySizeComesToRest(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(onlyCPU, growing).Draw(t, "spec")
		s.bounded(t, onlyCPU)
		total := s.total(t, scale.CPU)
		totals := Totals{scale.Resources{}.With(scale.CPU, total)}
		size := restsAt(t, &s.rules, s.anySize(t, onlyCPU), totals)
		e := s.rules.Table.row(size.Replicas).Edges[scale.CPU]
		waits := s.rules.Choose(size, totals).Postponed
		if total > e.Max && size.Replicas < s.rules.Table.Last() || total <= e.In && size.Replicas > s.first && !waits {
			t.Fatalf("%d in all rests at %d, whose interval is %d to %d", total, size.Replicas, e.In, e.Max)
		}
	})
}
