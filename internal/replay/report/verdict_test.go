package report

import (
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
)

// TestVerdict: a reader takes a sentence away. The figures are worked out by hand:
// 60 of 100 core-hours are 40 % fewer, and 4 in ten days are 12 in a month.
func TestVerdict(t *testing.T) {
	tenDays := &replay.Course{Step: 24 * time.Hour, Demand: replay.Envelope{Min: make([]float64, 10)}}
	result := func(name string, billed, total, unserved, money float64) replay.Result {
		return replay.Result{Policy: name, Course: tenDays, Score: replay.Score{
			BilledCoreHours: billed, CoreHours: billed, OracleCoreHours: 50, Total: total, UnservedPercent: unserved, Money: money}}
	}
	for name, c := range map[string]struct {
		report Report
		want   []string
	}{
		"one is better": {
			Report{Results: []replay.Result{result("hpa:60", 100, 100, 0, 10), result("ours", 60, 61, 0, 6), result(oracle, 1, 1, 0, 0)}},
			[]string{"ours does best: all in all it costs 61 core-hours, and hpa:60, which comes next, 100.", "It has 40 % fewer core-hours billed",
				"as much of the work unserved, 0.00 %", "That saves 4.00 in money, about 12 a month."},
		},
		"it costs more and loses less": {
			Report{Results: []replay.Result{result("lean", 100, 150, 1, 10), result("safe", 110, 111, 0, 11)}},
			[]string{"safe does best", "10 % more core-hours billed", "0.00 % of the work unserved where the other has 1.00 %",
				"That costs 1.00 in money, about 3 a month more."},
		},
		"as good as each other": {
			Report{Results: []replay.Result{result("a", 100, 100, 0, 0), result("b", 101, 101, 0, 0)}},
			[]string{"a and b are as good as each other: all in all they cost 100 and 101 core-hours.", "about as many core-hours billed"},
		},
		"alone": {
			Report{Results: []replay.Result{result("a", 100, 100, 0.5, 0), result(oracle, 50, 50, 0, 0)}},
			[]string{"a had 100 core-hours billed, 2.00 times what knowing the future would need; 0.50 % of the work was not served"},
		},
		"someone else's": {Report{Verdict: "Keep it.", Results: []replay.Result{result("a", 1, 1, 0, 0)}}, []string{"Keep it."}},
	} {
		t.Run(name, func(t *testing.T) {
			got := verdictOf(c.report)
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		})
	}
	if got := verdictOf(Report{Results: []replay.Result{result(oracle, 1, 1, 0, 0)}}); got != "" {
		t.Errorf("of nobody: %q", got)
	}
}
