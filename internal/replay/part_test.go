package replay

import (
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace/generate"
)

// TestBetween: a part is met as the same demand alone would be, and what is not
// there is said.
func TestBetween(t *testing.T) {
	const day = 24 * time.Hour
	demand, err := generate.Named("daily", 1, generate.Options{Length: 4 * day})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := New(demand, Ideal())
	if err != nil {
		t.Fatal(err)
	}
	start, end := whole.Span()
	part, err := whole.Between(start.Add(day+20*time.Second), start.Add(3*day))
	if err != nil {
		t.Fatal(err)
	}
	if from, until := part.Span(); !from.Equal(start.Add(day+20*time.Second)) || !until.Equal(start.Add(3*day)) {
		t.Errorf("it lasts from %s until %s", from, until)
	}
	rest, err := whole.Between(start.Add(3*day), end.Add(day))
	if err != nil {
		t.Fatal(err)
	}
	first, err := whole.Between(start, start.Add(day+20*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if sum := first.DemandCoreHours() + part.DemandCoreHours() + rest.DemandCoreHours(); sum-whole.DemandCoreHours() > 1e-5 || whole.DemandCoreHours()-sum > 1e-5 {
		t.Errorf("the parts are %f core-hours, the whole %f", sum, whole.DemandCoreHours())
	}
	if _, err := whole.Between(end.Add(-20*time.Second), end); err == nil || !strings.Contains(err.Error(), "of the demand 20s are known") {
		t.Errorf("too short: %v", err)
	}
}

// TestWatched: what is watched to its end has the score of the policy, and what is
// ended has none.
func TestWatched(t *testing.T) {
	demand, err := generate.Named("daily", 1, generate.Options{Length: 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(demand, Ideal())
	if err != nil {
		t.Fatal(err)
	}
	_, p, err := r.BestHPA(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want, err := r.Score(p)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	got, whole, err := r.Watched(p, func(sim.Moment) bool { seen++; return true })
	if err != nil || !whole || got != want || seen != 5760 {
		t.Errorf("%v, %v, %d decisions\n%+v\nwant\n%+v", whole, err, seen, got, want)
	}
	seen = 0
	if _, whole, err := r.Watched(p, func(sim.Moment) bool { seen++; return seen < 100 }); whole || err != nil || seen != 100 {
		t.Errorf("ended: %v, %v, %d decisions", whole, err, seen)
	}
	numbers := Result{Policy: p.Name, Score: got}.Numbers()
	if first, last := numbers[0], numbers[len(numbers)-1]; first.Title != "CORE-HOURS" || !first.Shown || last.Title != "MONEY" || last.Shown {
		t.Errorf("%v", numbers)
	}
}
