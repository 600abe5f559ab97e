package replay

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// TestCourseKeepsPeaks: however long the demand is, a spike of one decision is
// in the course, and so is every change.
func TestCourseKeepsPeaks(t *testing.T) {
	long := trace.Trace{Step: time.Minute}
	for i := range 14 * 24 * 60 {
		value := scale.Amount(4000)
		if i == 5005 {
			value = 77_000
		}
		long.Points = append(long.Points, trace.Point{At: monday.Add(time.Duration(i) * time.Minute), Value: value})
	}
	results, err := newReplay(t, long, usual()).Run(named(t, "hpa:60", "oracle"), Options{Course: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		c := r.Course
		if n := len(c.Demand.Max); n > courseColumns || int64(len(c.Decisions)) != r.Score.Changes || c.LeftOut != 0 {
			t.Errorf("%s: %d columns, %d decisions of %d", r.Policy, n, len(c.Decisions), r.Score.Changes)
		}
		columns := 0
		for i, v := range c.Demand.Max {
			if v != c.Demand.Min[i] {
				columns++
			}
		}
		if peak := slices.Max(c.Demand.Max); peak != 77 || columns != 1 {
			t.Errorf("%s: the peak is %v, in %d columns", r.Policy, peak, columns)
		}
	}
	checkDecisions(t, results[0].Course, results[1].Course)
}

// checkDecisions: what was decided is explained, and what is only known is not.
func checkDecisions(t *testing.T, hpa, oracle *Course) {
	t.Helper()
	if first := hpa.Decisions[0]; !strings.HasPrefix(first.Headline, "4 -> 7: AboveTarget") || !strings.Contains(first.Text, "horizontal") {
		t.Errorf("%+v", first)
	}
	if !hpa.Percent || hpa.Metric != "cpu" || hpa.High.Max[10] != 60 || hpa.CPU.Max[10] != 1 || hpa.Memory.Max[10] != 1 {
		t.Errorf("metric %q, %v, %v", hpa.Metric, hpa.High.Max[10], hpa.CPU.Max[10])
	}
	if first := oracle.Decisions[0]; first.Text != "" || first.Headline != "4 -> 77" || !math.IsNaN(oracle.Value.Max[10]) {
		t.Errorf("%+v", first)
	}
}

// TestCourseIsBounded: decisions beyond the bound are counted.
func TestCourseIsBounded(t *testing.T) {
	saw := trace.Trace{Step: time.Minute}
	for i := range 3 * 24 * 60 {
		saw.Points = append(saw.Points, trace.Point{At: monday.Add(time.Duration(i) * time.Minute), Value: scale.Amount(1000 + i%2*9000)})
	}
	results, err := newReplay(t, saw, usual()).Run(named(t, "oracle"), Options{Course: true})
	if err != nil {
		t.Fatal(err)
	}
	c := results[0].Course
	if len(c.Decisions) != courseDecisions || int64(len(c.Decisions)+c.LeftOut) != results[0].Score.Changes {
		t.Errorf("%d decisions and %d more, %d changes", len(c.Decisions), c.LeftOut, results[0].Score.Changes)
	}
}
