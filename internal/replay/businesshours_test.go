package replay

import (
	"os"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// businessHours is the object of the recipe, as its page has it.
func businessHours(t *testing.T) Policy {
	t.Helper()
	page, err := os.ReadFile("../../docs/recipes/business-hours.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	for manifest := range strings.SplitSeq(text, "---\n") {
		var object v1alpha1.WorkloadAutoscaler
		if err := yaml.Unmarshal([]byte(manifest), &object); err != nil || object.Kind != v1alpha1.Kind {
			continue
		}
		out, err := FromSpec("business-hours", object.Spec)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	t.Fatal("the page has no WorkloadAutoscaler")
	return Policy{}
}

// promised are the smallest and the largest count that the page promises for an hour of
// Berlin.
func promised(at time.Time) (least, most int32) {
	closes := !at.Before(time.Date(2026, 12, 30, 21, 0, 0, 0, at.Location())) && at.Before(time.Date(2026, 12, 31, 2, 0, 0, 0, at.Location()))
	works := at.Weekday() != time.Saturday && at.Weekday() != time.Sunday && at.Hour() >= 8 && at.Hour() < 18
	least, most = 2, 30
	if works || closes {
		least = 10
	}
	if night := at.Hour() >= 22 || at.Hour() < 6; night && !closes {
		most = 4
	}
	return least, most
}

// TestBusinessHoursOverAWeek replays the recipe over the last week of 2026, once with
// next to nothing to do and once with far too much: then the count is the smallest, and
// the largest, that the page promises. Both edges of each window are looked at. Pods are
// started ahead of a minimum, within a minute, and a maximum that ends is left step by
// step.
func TestBusinessHoursOverAWeek(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	from := time.Date(2026, 12, 27, 12, 0, 0, 0, berlin) // a Sunday
	for name, tc := range map[string]struct {
		demand scale.Amount
		allows func(at time.Time, count int32) bool
	}{
		"nothing to do": {10, func(at time.Time, count int32) bool {
			now, _ := promised(at)
			soon, _ := promised(at.Add(time.Minute))
			return count == now || count == soon && soon > now
		}},
		"far too much to do": {100_000, func(at time.Time, count int32) bool {
			_, now := promised(at)
			_, before := promised(at.Add(-5 * time.Minute))
			// Pods that are full ask for two thirds more, once they are all ready.
			return count == now || count > before && before < now
		}},
	} {
		t.Run(name, func(t *testing.T) {
			demand := trace.Trace{Step: time.Minute}
			for i := range 7 * 24 * 60 {
				demand.Points = append(demand.Points, trace.Point{At: from.Add(time.Duration(i) * time.Minute), Value: tc.demand})
			}
			looks := 0
			for _, m := range run(t, newReplay(t, demand, usual()), true, businessHours(t))[0].Timeline {
				// It begins with as many pods as there is to do.
				at := m.At.In(berlin)
				if looks++; at.After(from.Add(5*time.Minute)) && !tc.allows(at, m.Want) {
					t.Fatalf("%d pods at %s: %s, limited by %s", m.Want, at, m.Reason, m.LimitedBy)
				}
			}
			if looks < 7*24*60*4 {
				t.Errorf("%d looks are no week of one each 15 seconds", looks)
			}
		})
	}
}
