package wrongclock

import (
	"testing"
	"time"
)

// TestMoment: what is shown jumps, and what has passed does not.
func TestMoment(t *testing.T) {
	now := time.Now()
	later := now.Add(3 * time.Second)
	wall := time.Date(2031, 5, 6, 7, 8, 9, 123456789, time.UTC)
	moment := Moment(wall, later)
	if shown := moment.Round(0); !shown.Equal(wall) {
		t.Errorf("it shows %s, want %s", shown, wall)
	}
	if passed := moment.Sub(now); passed != 3*time.Second {
		t.Errorf("%s have passed, want 3s", passed)
	}
	defer func() {
		if recover() == nil {
			t.Error("a moment was made without a running clock")
		}
	}()
	Moment(wall, wall)
}
