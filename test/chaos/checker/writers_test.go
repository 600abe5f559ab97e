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
