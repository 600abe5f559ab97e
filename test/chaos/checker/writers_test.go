package checker

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// TestWriters: whatever a standby writes of what only the leader writes is found.
func TestWriters(t *testing.T) {
	for resource, leads := range map[string]bool{
		"deployments/scale": true, "workloadautoscalers/status": true, "workloadhistories": true, "workloadcourses": true, "pods/resize": true,
		"pods/eviction": true, "horizontalpodautoscalers": true, "horizontalpodautoscalers/status": true, "events": false, "pods": false,
	} {
		t.Run(resource, func(t *testing.T) {
			s := tell(t, plain)
			s.pass(2 * onTheWay)
			s.add(trail.Event{Request: &trail.Request{Who: "b-1", Began: s.now, Method: "POST", Resource: resource, Object: web, Code: 201}})
			if found := s.found()[Writers]; (found != "") != leads {
				t.Errorf("found %q, want a violation: %t", found, leads)
			}
		})
	}
}

// TestGaps: a count that cannot be written is tried again later and later.
func TestGaps(t *testing.T) {
	for _, tc := range []struct {
		name   string
		gap    func(try int) time.Duration
		counts func(try int) int32
		code   func(try int) int
		broken bool
	}{
		{"later and later", func(try int) time.Duration { return min(first<<try, 2*time.Second/3) }, nil, nil, false},
		{"as often all the time", func(int) time.Duration { return 100 * time.Millisecond }, nil, nil, true},
		{"once a period", func(int) time.Duration { return time.Second }, nil, nil, false},
		{"another count each time", func(int) time.Duration { return 100 * time.Millisecond }, func(try int) int32 { return int32(try) }, nil, false},
		{"it succeeds between", func(int) time.Duration { return 100 * time.Millisecond }, nil, func(try int) int { return 200 + try%2*209 }, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tell(t, plain)
			for try := range 2 * inARow {
				r := &trail.Request{Who: "a-1", Began: s.now, Method: "PUT", Resource: scales, Object: web, Code: 409, Injected: true, Replicas: new(int32(6))}
				if tc.counts != nil {
					*r.Replicas = tc.counts(try)
				}
				if tc.code != nil {
					r.Code = tc.code(try)
				}
				s.add(trail.Event{Request: r})
				s.pass(tc.gap(try))
			}
			if found := s.found()[Retries]; (found != "") != tc.broken {
				t.Errorf("found %q, want a violation: %t", found, tc.broken)
			}
		})
	}
}

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

// TestUntried: a promise that nothing was judged by is named.
func TestUntried(t *testing.T) {
	c := New()
	c.Finish()
	if got := c.Untried(); len(got) != len(rules) {
		t.Errorf("of an empty trail only %v are untried", got)
	}
	s := tell(t, plain)
	s.round("a-1", 60)
	c = New()
	for _, e := range s.events {
		c.Note(e)
	}
	c.Finish()
	for _, rule := range c.Untried() {
		if rule == Reproduced || rule == Explained || rule == Writers {
			t.Errorf("%q is said to be untried", rule)
		}
	}
}
