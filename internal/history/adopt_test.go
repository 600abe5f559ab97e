package history

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// TestAdopt: of a past that was read elsewhere, counts are joined, and cpu and growth
// taken over; memory, which the past does not have, stays.
func TestAdopt(t *testing.T) {
	now := time.Date(2026, 1, 12, 12, 0, 0, 0, time.UTC)
	begun := func() *History {
		h, err := New(DefaultSettings())
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	past := begun()
	for i := range 7 * 24 * 60 {
		at := now.Add(-7*24*time.Hour + time.Duration(i)*time.Minute)
		past.Slots.Observe(at, 6)
		past.Usage.Observe(at, "app", scale.CPU, 700)
		past.Usage.Observe(at, "proxy", scale.CPU, 50)
		past.Growth.Observe(at, 700+scale.Amount(i%60), time.Minute)
	}
	live := begun()
	live.Slots.Observe(now, 9)
	for i := range 10 {
		at := now.Add(time.Duration(i) * time.Minute)
		live.Usage.Observe(at, "app", scale.CPU, 100)
		live.Usage.Observe(at, "app", scale.Memory, 1<<30)
		live.Growth.Observe(at, 100, time.Minute)
	}
	reactions := past.Growth.Reactions()
	if err := live.Adopt(past); err != nil {
		t.Fatal(err)
	}
	if n, known := live.Slots.Value(now.Add(time.Hour)); !known || n != 6 {
		t.Errorf("in an hour there were %d pods, %t; want the 6 of the past", n, known)
	}
	if n, known := live.Slots.Value(now.Add(7 * 24 * time.Hour)); !known || n != 9 {
		t.Errorf("now there are %d pods, %t; want the 9 that were seen", n, known)
	}
	if cpu, known := live.Usage.Percentile("app", scale.CPU, scale.Parts/2); !known || cpu < 600 {
		t.Errorf("half of the time app used %d of the cpu, %t; want what the past says", cpu, known)
	}
	if memory, known := live.Usage.Percentile("app", scale.Memory, scale.Parts/2); !known || memory < 1<<30 {
		t.Errorf("app used %d of the memory, %t; want what was seen", memory, known)
	}
	if _, known := live.Usage.Percentile("proxy", scale.CPU, scale.Parts/2); !known {
		t.Error("a container that only the past knows is missing")
	}
	if got := live.Growth.Reactions(); got != reactions {
		t.Errorf("%d reactions are known, want the %d of the past", got, reactions)
	}
	if !live.Growth.Observe(now.Add(time.Hour), 100, time.Minute) {
		t.Error("nothing more is learned of growth")
	}
	other := DefaultSettings()
	other.SlotHours = 2
	if strange, err := New(other); err != nil || live.Adopt(strange) == nil {
		t.Errorf("a past of other settings is taken over, error %v", err)
	}
}
