package policy

import (
	"fmt"
	"testing"
	"time"

	"github.com/robfig/cron/v3"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// field draws one field of cron.
func field(least, most int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		low := rapid.IntRange(least, most).Draw(t, "low")
		high := rapid.IntRange(low, most).Draw(t, "high")
		return rapid.SampledFrom([]string{
			"*", fmt.Sprint(low), fmt.Sprintf("%d-%d", low, high), fmt.Sprintf("%d,%d", low, high),
			fmt.Sprintf("*/%d", rapid.IntRange(1, most).Draw(t, "step")), fmt.Sprintf("%d-%d/2", low, high),
		}).Draw(t, "form")
	})
}

func expression(t *rapid.T, label string) string {
	return fmt.Sprintf("%s %s %s %s %s", field(0, 59).Draw(t, label), field(0, 23).Draw(t, label), field(1, 28).Draw(t, label),
		field(1, 12).Draw(t, label), field(0, 6).Draw(t, label))
}

// TestSchedulesAgreeWithTheirParser: what began last decides whether a schedule
// holds, and the library that reads the expressions says when that was, by a way
// of its own: it walks forward.
func TestSchedulesAgreeWithTheirParser(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		start, end := expression(t, "start"), expression(t, "end")
		spec := v1alpha1.WorkloadAutoscalerSpec{Replicas: v1alpha1.ReplicaSpec{Max: new(int32(9))}, Schedules: []v1alpha1.Schedule{
			{Start: start, End: end, Replicas: &v1alpha1.ScheduledReplicas{Min: new(int32(5))}},
		}}
		compiled, err := Compile(spec, v1alpha1.AdminSettings{})
		if err != nil {
			t.Skip("refused, such as two expressions that are the same")
		}
		at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(rapid.IntRange(0, 3*365*24*60*60).Draw(t, "at")) * time.Second)
		bounds := compiled.Schedule.At(at, scale.Bounds{Min: 1, Max: 9}, 0).Bounds
		began, ended := last(t, start, at), last(t, end, at)
		if holds := !began.IsZero() && !began.Before(ended); holds != (bounds.Min == 5) {
			t.Fatalf("at %s, %q began at %s and %q at %s, and the minimum is %d", at, start, began, end, ended, bounds.Min)
		}
	})
}

// last is when an expression was last due, by walking forward from ever earlier
// moments.
func last(t *rapid.T, text string, at time.Time) (found time.Time) {
	schedule, err := cron.ParseStandard(text)
	if err != nil {
		t.Fatal(err)
	}
	for back := time.Hour; back < 9*366*24*time.Hour; back *= 2 {
		for next := schedule.Next(at.Add(-back)); !next.IsZero() && !next.After(at); next = schedule.Next(next) {
			found = next
		}
		if !found.IsZero() {
			return found
		}
	}
	return found
}
