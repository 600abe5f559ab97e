package checker

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// TestTrueBeforeTheLie: what a source said before it lied may be gone by for a period,
// and while it says nothing at all for two of them or 30 s, and no longer.
func TestTrueBeforeTheLie(t *testing.T) {
	for _, tc := range []struct {
		name   string
		lie    string
		period int32
		age    time.Duration
		broken bool
	}{
		{"within the period", "NaN", 30, 14 * time.Second, false},
		{"longer ago", "NaN", 2, 14 * time.Second, true},
		{"nothing is said since", hangs, 2, 14 * time.Second, false},
		{"nothing is said for two periods", hangs, 20, 39 * time.Second, false},
		{"nothing is said for longer", hangs, 2, 31 * time.Second, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tell(t, plain)
			s.spec.Behavior.SyncPeriodSeconds = new(tc.period)
			s.add(trail.Event{Source: &trail.Source{Object: web, Value: "30", Lie: tc.lie}})
			s.pass(tc.age - 2*time.Second)
			s.old = tc.age
			s.round("a-1", 30)
			if found := s.found()[Data]; (found != "") != tc.broken {
				t.Errorf("found %q, want a violation: %t", found, tc.broken)
			}
		})
	}
}
