package checker

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// hand is a count that a user sets.
func (s *story) hand(to int32) {
	s.add(trail.Event{Traffic: &trail.Traffic{What: "scaling by hand", Object: web, Replicas: &to}})
	s.count = to
	s.stored(trail.Stored{Kind: trail.Deployment, Replicas: &s.count})
}

func (s *story) process(who, what string) {
	s.add(trail.Event{Process: &trail.Process{Who: who, What: what}})
}

// TestExplained: a change is explained by a decision that was made for this workload a
// short while before, and by no decision twice.
func TestExplained(t *testing.T) {
	for _, tc := range []struct {
		name   string
		tell   func(s *story)
		broken bool
	}{
		{"at once", func(s *story) { s.round("a-1", 60) }, false},
		{"after as long as requests may take", func(s *story) {
			s.look("a-1", 60)
			s.pass(20 * time.Second)
			s.act("a-1")
		}, false},
		{"after ten minutes", func(s *story) {
			s.look("a-1", 60)
			s.pass(10 * time.Minute)
			s.act("a-1")
		}, true},
		{"after ten minutes of a pause", func(s *story) {
			s.look("a-1", 60)
			s.process("a-1", trail.Paused)
			s.pass(10 * time.Minute)
			s.process("a-1", trail.Resumed)
			s.act("a-1")
		}, false},
		{"after ten minutes of a pause of the other one", func(s *story) {
			s.look("a-1", 60)
			s.process("b-1", trail.Paused)
			s.pass(10 * time.Minute)
			s.process("b-1", trail.Resumed)
			s.act("a-1")
		}, true},
		{"by a decision on the workload before", func(s *story) {
			s.look("a-1", 60)
			s.pass(2 * lag)
			s.uid = "2"
			s.stored(trail.Stored{Kind: trail.Deployment, Replicas: &s.count})
			s.pass(time.Second)
			s.act("a-1")
		}, true},
		{"twice by one decision", func(s *story) {
			s.round("a-1", 60)
			s.hand(4)
			s.scale("a-1", 6)
		}, true},
		{"twice by a decision each", func(s *story) {
			s.round("a-1", 60)
			s.hand(4)
			s.round("a-1", 60)
		}, false},
		{"by a decision that is noted late", func(s *story) {
			s.look("a-1", 60)
			noted := len(s.events) - 1
			late := s.events[noted]
			s.events = s.events[:noted]
			s.act("a-1")
			s.pass(time.Second)
			late.At = s.now
			s.events = append(s.events, late)
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tell(t, plain)
			tc.tell(s)
			if found := s.found()[Explained]; (found != "") != tc.broken {
				t.Errorf("found %q, want a violation: %t", found, tc.broken)
			}
		})
	}
}

// TestBounds: what is stored counts beside what a controller says, and nothing but the
// nearest bound is exempt from other rules.
func TestBounds(t *testing.T) {
	for _, tc := range []struct {
		name   string
		rule   Rule
		tell   func(s *story)
		broken bool
	}{
		{"above what is stored", Bounds, func(s *story) {
			s.round("a-1", 80)
			s.pass(time.Minute)
			s.spec.Replicas.Max = new(int32(20))
			s.look("a-1", 150)
			s.act("a-1")
		}, true},
		{"below what is stored", Bounds, func(s *story) {
			s.round("a-1", 40)
			s.pass(time.Minute)
			s.spec.Replicas.Min = new(int32(1))
			s.look("a-1", 10)
			s.act("a-1")
		}, true},
		{"as was stored just now", Bounds, func(s *story) {
			s.round("a-1", 80)
			s.pass(time.Minute)
			s.spec.Replicas.Max = new(int32(20))
			s.publish("a-1")
			s.round("a-1", 150)
		}, false},
		{"as was stored until just now", Bounds, func(s *story) {
			s.round("a-1", 40)
			s.spec.Replicas.Max = new(int32(5))
			s.publish("a-1")
			s.spec.Replicas.Max = new(int32(8))
			s.round("a-1", 80)
		}, false},
		{"far beyond a bound on a lie", Data, func(s *story) {
			s.hand(9)
			s.add(trail.Event{Source: &trail.Source{Object: web, Value: "40", Lie: "NaN"}})
			s.pass(2 * believed)
			s.round("a-1", 20)
		}, true},
		{"to a bound on a lie", Data, func(s *story) {
			s.hand(9)
			s.add(trail.Event{Source: &trail.Source{Object: web, Value: "40", Lie: "NaN"}})
			s.pass(2 * believed)
			s.round("a-1", 80)
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tell(t, plain)
			tc.tell(s)
			if found := s.found()[tc.rule]; (found != "") != tc.broken {
				t.Errorf("found %q, want a violation: %t", found, tc.broken)
			}
		})
	}
}
