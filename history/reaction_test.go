package history

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// TestReaction: metric delay, sync period and the start-up that was seen.
func TestReaction(t *testing.T) {
	h, err := New(DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	if got := h.Reaction(30*time.Second, 15*time.Second); got != 75*time.Second {
		t.Errorf("before any pod started: %s, want 75s", got)
	}
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	for i := range 10 {
		h.StartUp.Observe(at.Add(time.Duration(i)*time.Minute), 2*time.Minute)
	}
	if got := h.Reaction(30*time.Second, 15*time.Second); got != 165*time.Second {
		t.Errorf("with pods that start in two minutes: %s, want 2m45s", got)
	}
	if got := h.Ahead(15 * time.Second); got != 135*time.Second {
		t.Errorf("bounds hold %s ahead, want 2m15s", got)
	}
}

// TestHeadroomSummary: a usage that rises by one core in every reaction needs
// about that much room, once enough reactions were seen for the risk.
func TestHeadroomSummary(t *testing.T) {
	h, err := New(DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	const reaction = time.Minute
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	if _, known := h.Headroom(scale.CPU, 4000, scale.Parts/100, reaction); known {
		t.Error("headroom is known before anything was seen")
	}
	for i := range 4000 {
		usage := scale.Amount(4000)
		if i%2 == 1 {
			usage = 5000
		}
		h.Growth.Observe(at.Add(time.Duration(i)*30*time.Second), usage, reaction)
	}
	got, known := h.Headroom(scale.CPU, 4000, scale.Parts/100, reaction)
	if !known || got.Within != reaction || got.Risk != scale.Parts/100 || got.Extra < 1000 || got.Extra > 1300 {
		t.Errorf("got %+v, %v, want a little more than one core", got, known)
	}
}
