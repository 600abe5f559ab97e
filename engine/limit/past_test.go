package limit

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

// TestAMonotonicWindowEqualsTheWholeWindow: what is kept of the counts gives the same
// largest and smallest one of the window as keeping all of them.
func TestAMonotonicWindowEqualsTheWholeWindow(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		r := &Rules{Plain: rapid.Bool().Draw(t, "plain")}
		r.Up.Window = time.Duration(rapid.IntRange(0, 90).Draw(t, "up")) * time.Second
		r.Down.Window = time.Duration(rapid.IntRange(0, 90).Draw(t, "down")) * time.Second
		var past Past
		var all []TimedValue
		at := monday
		for range rapid.IntRange(1, 40).Draw(t, "decisions") {
			at = at.Add(time.Duration(rapid.IntRange(1, 30).Draw(t, "pause")) * time.Second)
			w := TimedValue{at, rapid.Int64Range(0, 20).Draw(t, "replicas")}
			counts := func(old TimedValue, window time.Duration) bool {
				age := at.Sub(old.At)
				return age < window || (r.Plain && age == window)
			}
			high, low := w.Value, w.Value
			for _, old := range all {
				if counts(old, r.Down.Window) {
					high = max(high, old.Value)
				}
				if counts(old, r.Up.Window) {
					low = min(low, old.Value)
				}
			}
			current := rapid.Int32Range(0, 20).Draw(t, "current")
			want := int32(min(max(int64(current), low), high))
			c := &Change{At: at, Current: current, Rules: r, Past: &past}
			if got := Stabilize(c, int32(w.Value)).Count; got != want {
				t.Fatalf("at %d desiring %d: stabilized to %d, the whole window says %d", current, w.Value, got, want)
			}
			past.RememberDesired(r, at, int32(w.Value))
			all = append(all, w)
		}
	})
}

// TestAFullListStillForgets: demand that falls for hours keeps every count alive,
// more of them than there is room for. The oldest must still leave the window
// in time.
func TestAFullListStillForgets(t *testing.T) {
	r := &Rules{Down: Direction{Window: time.Hour}}
	var past Past
	const count = 20_000
	for i := range count {
		at := monday.Add(time.Duration(i) * time.Second)
		past.RememberDesired(r, at, int32(count-i))
		if age := at.Sub(past.Highs[0].At); age > time.Hour+time.Minute {
			t.Fatalf("after %d counts the oldest is %s old", i, age)
		}
		high := past.desired()
		_, largest := high.around(r, TimedValue{At: at, Value: 0})
		// One count a second: an hour ago it was 3600 larger.
		if late := largest - int64(count-i) - 3600; late > 60 {
			t.Fatalf("after %d counts the window still holds one from %d s before it", i, late)
		}
	}
}

// TestThePastOfACallerIsNotChanged: a decision recalls the past, desires and
// changes, and whoever holds the past it began with still holds the same.
func TestThePastOfACallerIsNotChanged(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		r := &Rules{Upstream: rapid.Bool().Draw(t, "upstream")}
		r.Up.Window, r.Down.Window = time.Minute, time.Minute
		r.Up.Policies = []Policy{{Value: 4, Period: time.Minute}}
		at, past := monday, Past{}
		for range rapid.IntRange(1, 40).Draw(t, "decisions") {
			// Now and then the clock is set back.
			at = at.Add(time.Duration(rapid.IntRange(-10, 60).Draw(t, "pause")) * time.Second)
			before, err := json.Marshal(past)
			if err != nil {
				t.Fatal(err)
			}
			next := past
			next.Recall(at)
			if change := rapid.Int32Range(-3, 3).Draw(t, "change"); change != 0 {
				next.RememberChange(r, at, change)
			}
			next.RememberDesired(r, at, rapid.Int32Range(0, 20).Draw(t, "desired"))
			next.Totals = slices.Clone(next.Totals)
			next.Totals.Stabilize(r, Total{At: at, Container: "app", Desired: scale.Amount(rapid.IntRange(0, 20).Draw(t, "total")), Applied: 10})
			after, err := json.Marshal(past)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(before), string(after)); diff != "" {
				t.Fatalf("the past was changed (-before +after):\n%s", diff)
			}
			past = next
		}
	})
}
