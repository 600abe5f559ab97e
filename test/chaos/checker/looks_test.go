package checker

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// TestPatience: looks may take some seconds, and longer on a machine that is slow.
func TestPatience(t *testing.T) {
	for _, tc := range []struct {
		name       string
		took, slow time.Duration
		broken     bool
	}{
		{"soon", 6 * time.Second, 0, false},
		{"late", 8 * time.Second, 0, true},
		{"late on a slow machine", 8 * time.Second, 500 * time.Millisecond, false},
		{"far too late on a slow machine", 20 * time.Second, 500 * time.Millisecond, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tell(t, plain)
			s.round("a-1", 40)
			s.pass(time.Second)
			s.add(trail.Event{Fault: &trail.Fault{Name: trail.Calm, Phase: trail.Begins}})
			s.pass(tc.took - time.Second)
			s.round("a-1", 40)
			s.add(trail.Event{Fault: &trail.Fault{Name: trail.Calm, Phase: trail.Ends, Slow: tc.slow}})
			if found := s.found()[Looks]; (found != "") != tc.broken {
				t.Errorf("found %q, want a violation: %t", found, tc.broken)
			}
		})
	}
}

// TestWarmUp: what is taken once is no leak.
func TestWarmUp(t *testing.T) {
	s := tell(t, plain)
	for i := range int64(60) {
		s.pass(time.Second)
		s.add(trail.Event{Sample: &trail.Sample{Who: "a-1", Memory: (60 + 10*min(i, 25)) << 20, Goroutines: 100 + 30*(i%20), Descriptors: 10}})
	}
	if found := s.found()[Resources]; found != "" {
		t.Error(found)
	}
}
