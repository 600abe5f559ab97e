package interval

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// TestEnoughOfEveryResource: from any size, after every decision, both resources
// of every container have at least their total, unless a maximum caps it, which
// the choice says. A resource that waits for a step in takes nothing from one
// that rises meanwhile.
func TestEnoughOfEveryResource(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(both, everyExtrapolation).Draw(t, "spec")
		s.bounded(t, both)
		size := s.anySize(t, both)
		size.Containers = append(size.Containers, scale.Container{Name: "proxy", Requests: size.Containers[0].Requests})
		for range rapid.IntRange(1, 20).Draw(t, "decisions") {
			totals := make(Totals, len(size.Containers))
			for i := range totals {
				for _, res := range both {
					totals[i] = totals[i].With(res, s.total(t, res))
				}
			}
			c := s.rules.Choose(size, totals)
			size = c.Size
			for i := range totals {
				for _, res := range both {
					total, _ := totals[i].Get(res)
					request, _ := size.Containers[i].Requests.Get(res)
					if request.Times(int64(size.Replicas)) < total && !c.AtMax {
						t.Fatalf("%s of %s: %d x %d is less than %d: %+v", res, size.Containers[i].Name, size.Replicas, request, total, c)
					}
				}
			}
		}
	})
}

// TestBaseIsNoDeadEnd: with base usage, too, totals of next to nothing lead to
// the smallest count.
func TestBaseIsNoDeadEnd(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(both, growing).Draw(t, "spec")
		for _, res := range both {
			s.rules.Base[res] = scale.Share{Value: unitOf(res).Times(rapid.Int64Range(1, 500).Draw(t, "base")), Percent: rapid.Int32Range(0, 50).Draw(t, "percent")}
			s.overlap[res].Percent, s.overlap[res].Value = min(s.overlap[res].Percent, 90), 0
		}
		s.rules.Table, _ = Compile(s.first, s.ranges, s.overlap)
		for _, row := range s.rules.Table.Rows[1:] {
			if row.Edges[scale.CPU].In < unitOf(scale.CPU) || row.Edges[scale.Memory].In < unitOf(scale.Memory) {
				t.Skip("a boundary of less than the least total")
			}
		}
		least := Totals{scale.Resources{}.With(scale.CPU, unitOf(scale.CPU)).With(scale.Memory, unitOf(scale.Memory))}
		if size := restsAt(t, &s.rules, s.anySize(t, both), least); size.Replicas != s.first {
			t.Fatalf("rests at %d, want %d", size.Replicas, s.first)
		}
	})
}
