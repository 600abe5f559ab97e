package interval

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// TestIntervalsAreContiguous: whatever the ranges and their extrapolations,
// there is one interval for each count, they rise, they leave no gap, and each
// range ends where it says.
func TestIntervalsAreContiguous(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(both, everyExtrapolation).Draw(t, "spec")
		table, last := &s.rules.Table, s.ranges[len(s.ranges)-1].MaxReplicas
		if table.First != s.first || table.Last() != last {
			t.Fatalf("counts %d to %d, want %d to %d", table.First, table.Last(), s.first, last)
		}
		for _, res := range both {
			before, in := scale.Amount(0), scale.Amount(-1)
			for i, row := range table.Rows {
				e := row.Edges[res]
				if e.Max < before || e.In < in || e.In > before || (i > 0) != (e.In >= 0) {
					t.Fatalf("%s, count %d: up to %d, in at %d, after %d and %d", res, s.first+int32(i), e.Max, e.In, before, in)
				}
				before, in = e.Max, e.In
			}
			for _, rg := range s.ranges {
				perPod, _ := rg.MaxResources.Get(res)
				if got := table.row(rg.MaxReplicas).Edges[res].Max; got != perPod.Times(int64(rg.MaxReplicas)) {
					t.Fatalf("%s: %d pods of %d end at %d", res, rg.MaxReplicas, perPod, got)
				}
			}
		}
	})
}

// TestEveryTotalHasOneCount: going up a total belongs to the one count whose
// interval holds it, coming down to one that has not given way.
func TestEveryTotalHasOneCount(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		s := specs(onlyCPU, everyExtrapolation).Draw(t, "spec")
		table, total := &s.rules.Table, s.total(t, scale.CPU)
		up := table.replicas(scale.CPU, total, table.First)
		if total > table.row(up).Edges[scale.CPU].Max && up != table.Last() {
			t.Fatalf("%d is above the interval of %d", total, up)
		}
		if up > table.First && total <= table.row(up - 1).Edges[scale.CPU].Max {
			t.Fatalf("%d belongs to %d, not to %d", total, up-1, up)
		}
		down := table.replicas(scale.CPU, total, table.Last())
		if down < up {
			t.Fatalf("%d: %d coming down, but %d going up", total, down, up)
		}
		if down > up && total <= table.row(down).Edges[scale.CPU].In {
			t.Fatalf("%d: %d should have given way", total, down)
		}
	})
}

// TestExtrapolations are worked by hand: from 1 core in all to 4 x 2 = 8 cores.
func TestExtrapolations(t *testing.T) {
	for _, c := range []struct {
		by   Extrapolation
		want [4]scale.Amount
	}{
		{Linear, [4]scale.Amount{1000, 3334, 5667, 8000}},      // 7 cores in thirds, rounded up
		{Logarithmic, [4]scale.Amount{1000, 2000, 4000, 8000}}, // each twice the one before
		{Exponential, [4]scale.Amount{1000, 5000, 7000, 8000}}, // the same steps, the largest first
		{HorizontalOnly, [4]scale.Amount{1000, 4000, 6000, 8000}},
	} {
		t.Run(fmt.Sprint(c.by), func(t *testing.T) {
			table, faults := Compile(1, []Range{
				{MaxReplicas: 1, MaxResources: scale.Resources{}.With(scale.CPU, 1000)},
				{MaxReplicas: 4, MaxResources: scale.Resources{}.With(scale.CPU, 2000), Extrapolation: c.by},
			}, scale.Shares{})
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			for i, want := range c.want {
				if got := table.Rows[i].Edges[scale.CPU].Max; got != want {
					t.Errorf("extrapolation %d, count %d: up to %d, want %d", c.by, i+1, got, want)
				}
			}
		})
	}
}
