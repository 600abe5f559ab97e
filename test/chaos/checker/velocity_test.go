package checker

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine"
)

// said lets the last decision have gone by other rules than it did.
func (s *story) said(rule, instead string) {
	s.t.Helper()
	for _, e := range slices.Backward(s.events) {
		if d := e.Decision; d != nil {
			if !strings.Contains(string(d.Document), rule) {
				s.t.Fatalf("no %s in %s", rule, d.Document)
			}
			d.Document = json.RawMessage(strings.Replace(string(d.Document), rule, instead, 1))
			return
		}
	}
}

// TestVelocity: policies of pods and of percent, the share of one decision, and what
// others change meanwhile.
func TestVelocity(t *testing.T) {
	const (
		percent = `scaleUp: {policies: [{type: Percent, value: 50, periodSeconds: 30}]}`
		capped  = `scaleDown: {stabilizationWindowSeconds: 0, limitPercent: 100}`
		both    = `scaleUp: {selectPolicy: Max, policies: [{type: Percent, value: 100, periodSeconds: 30}, {type: Pods, value: 1, periodSeconds: 30}]}`
	)
	forget := func(s *story) { s.memories["a-1"] = engine.Memory{Seen: true, Replicas: s.count} }
	for _, tc := range []struct {
		name, behavior string
		tell           func(s *story)
		broken         bool
	}{
		{"percent, as allowed", percent, func(s *story) {
			s.round("a-1", 80)
			s.round("a-1", 80)
			s.pass(30 * time.Second)
			s.round("a-1", 80)
		}, false},
		{"percent, and the changes before are forgotten", percent, func(s *story) {
			s.round("a-1", 80)
			forget(s)
			s.round("a-1", 80)
		}, true},
		{"a share of what there is", capped, func(s *story) { s.round("a-1", 20) }, false},
		{"more than a share of what there is", capped, func(s *story) {
			s.round("a-1", 20)
			s.said(`"limitPercent":100`, `"limitPercent":49`)
		}, true},
		{"no share at all", capped, func(s *story) {
			s.round("a-1", 30)
			s.said(`"limitPercent":100`, `"limitPercent":0`)
		}, true},
		{"the loosest of two", both, func(s *story) { s.round("a-1", 80) }, false},
		{"the loosest in place of the tightest", both, func(s *story) {
			s.round("a-1", 80)
			s.said(`"selectPolicy":"Max"`, `"selectPolicy":"Min"`)
		}, true},
		{"in a direction that is shut", both, func(s *story) {
			s.round("a-1", 80)
			s.said(`"selectPolicy":"Max"`, `"selectPolicy":"Disabled"`)
		}, true},
		{"more than double, without a behavior", "", func(s *story) {
			s.hand(2)
			s.spec.Behavior = nil
			s.spec.Replicas.Min = new(int32(5))
			s.look("a-1", 50)
			s.said(`"min":5`, `"min":1`)
			s.act("a-1")
		}, true},
		{"others changed the other way long ago", slow, func(s *story) {
			s.round("a-1", 40)
			s.pass(2 * lag)
			s.hand(7)
			s.round("a-1", 70)
			s.pass(40 * time.Second)
			s.round("a-1", 10)
			forget(s)
			s.round("a-1", 10)
		}, true},
		{"it changed the other way itself long ago", slow, func(s *story) {
			s.round("a-1", 40)
			s.pass(2 * lag)
			s.round("a-1", 50)
			s.pass(2 * lag)
			s.round("a-1", 50)
			s.pass(40 * time.Second)
			s.round("a-1", 10)
			forget(s)
			s.round("a-1", 10)
		}, true},
		{"others changed the other way, and it came to know of it late", slow, func(s *story) {
			s.round("a-1", 40)
			s.pass(2 * lag)
			s.hand(7)
			s.pass(40 * time.Second)
			s.round("a-1", 10)
		}, false},
		{"another controller came to know of it late", slow, func(s *story) {
			s.round("a-1", 40)
			s.pass(2 * lag)
			s.hand(7)
			s.pass(20 * time.Second)
			s.round("a-1", 70)
			s.restart("a-1", "b-1")
			s.pass(20 * time.Second)
			s.round("b-1", 10)
		}, false},
		{"it did not know that it had changed something", slow, func(s *story) {
			s.round("a-1", 40)
			s.pass(2 * lag)
			s.look("a-1", 50)
			s.act("a-1")
			s.memories["a-1"] = s.past
			s.pass(25 * time.Second)
			s.round("a-1", 50)
			s.pass(10 * time.Second)
			s.round("a-1", 10)
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := tell(t, tc.behavior)
			tc.tell(s)
			if found := s.found()[Velocity]; (found != "") != tc.broken {
				t.Errorf("found %q, want a violation: %t", found, tc.broken)
			}
		})
	}
}
