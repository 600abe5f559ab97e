package history

import (
	"testing"
	"time"
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
