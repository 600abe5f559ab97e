package checker

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

const (
	plain     = `scaleDown: {stabilizationWindowSeconds: 0}`
	slow      = `scaleUp: {policies: [{type: Pods, value: 1, periodSeconds: 30}]}, scaleDown: {stabilizationWindowSeconds: 0, policies: [{type: Pods, value: 1, periodSeconds: 30}]}`
	windowed  = `scaleDown: {stabilizationWindowSeconds: 20}`
	forbidden = `scaleUp: {forbiddenWindowSeconds: 20}, scaleDown: {forbiddenWindowSeconds: 20, stabilizationWindowSeconds: 0}`
	delayed   = `scaleUp: {delaySeconds: 20}, scaleDown: {delaySeconds: 20, stabilizationWindowSeconds: 0}`
)

// TestGoodStories: nothing is found where nothing is wrong.
func TestGoodStories(t *testing.T) {
	for name, behavior := range map[string]string{"plain": plain, "slow": slow, "windowed": windowed, "forbidden": forbidden, "delayed": delayed} {
		t.Run(name, func(t *testing.T) {
			s := tell(t, behavior)
			who := "a-1"
			for i, load := range []int{40, 40, 60, 80, 20, 20, -1, 20, 30, 70, 70, 10, 10, 10, 10} {
				s.round(who, load)
				if next := map[int]string{3: "b-1", 7: "a-2", 11: "b-2"}[i]; next != "" {
					s.restart(who, next)
					who = next
				}
			}
			s.pass(time.Second)
			s.calm(func() { s.round(who, 40) })
			for rule, text := range s.found() {
				t.Errorf("%s: %s", rule, text)
			}
		})
	}
}

// TestViolations: each promise is broken by hand once, in each way that is known,
// and the checker says so.
func TestViolations(t *testing.T) {
	for _, one := range []struct {
		name     string
		rule     Rule
		behavior string
		tell     func(s *story)
	}{
		{"a decision is not what Decide says", Reproduced, plain, func(s *story) {
			s.look("a-1", 60)
			d := s.events[len(s.events)-1].Decision
			d.Answer = json.RawMessage(strings.Replace(string(d.Answer), `"replicas":6`, `"replicas":7`, 1))
		}},
		{"a document that cannot be read", Reproduced, plain, func(s *story) {
			s.look("a-1", 60)
			s.events[len(s.events)-1].Decision.Document = json.RawMessage(`{"spec": {}}`)
		}},
		{"nobody asked for a count", Explained, plain, func(s *story) {
			s.round("a-1", 40)
			s.count = 7
			s.stored(trail.Stored{Kind: trail.Deployment, Replicas: &s.count})
		}},
		{"a count that was not decided", Explained, plain, func(s *story) {
			s.round("a-1", 40)
			s.scale("a-1", 7)
		}},
		{"below the minimum", Bounds, plain, func(s *story) {
			s.spec.Replicas.Min = new(int32(0))
			s.look("a-1", 10)
			s.act("a-1")
			// The document says what the object really has.
			d := s.events[len(s.events)-3].Decision
			d.Document = json.RawMessage(strings.Replace(string(d.Document), `"min":0`, `"min":2`, 1))
		}},
		{"above the maximum", Bounds, plain, func(s *story) {
			s.spec.Replicas.Max = new(int32(20))
			s.look("a-1", 150)
			s.act("a-1")
			d := s.events[len(s.events)-3].Decision
			d.Document = json.RawMessage(strings.Replace(string(d.Document), `"max":20`, `"max":5`, 1))
		}},
		{"a recommendation is carried out", Bounds, plain, func(s *story) {
			s.look("a-1", 60)
			s.act("a-1")
			d := s.events[len(s.events)-3].Decision
			d.Document = json.RawMessage(strings.Replace(string(d.Document), `"targetRef"`, `"mode":"Recommend","targetRef"`, 1))
		}},
		{"down without data", Data, plain, func(s *story) {
			s.look("a-1", 20)
			s.act("a-1")
			d := s.events[len(s.events)-3].Decision
			d.Document = json.RawMessage(strings.Replace(string(d.Document), `"series":["20"]`, `"error":"no data"`, 1))
		}},
		{"down on a lie", Data, plain, func(s *story) {
			s.add(trail.Event{Source: &trail.Source{Object: web, Value: "40", Lie: "NaN"}})
			s.pass(2 * believed)
			s.round("a-1", 20)
		}},
		{"down long after a source fell silent", Data, plain, func(s *story) {
			s.add(trail.Event{Source: &trail.Source{Object: web, Value: "40", Lie: hangs}})
			s.pass(awaited)
			s.round("a-1", 20)
		}},
		{"too fast after a restart", Velocity, slow, func(s *story) {
			s.round("a-1", 80)
			s.pass(lag)
			s.restart("a-1", "b-1")
			s.pass(lag)
			s.memories["b-1"] = engine.Memory{Seen: true, Replicas: s.count}
			s.round("b-1", 80)
		}},
		{"too fast down", Velocity, slow, func(s *story) {
			s.round("a-1", 20)
			s.memories["a-1"] = engine.Memory{Seen: true, Replicas: s.count}
			s.round("a-1", 20)
		}},
		{"a window is forgotten", Stabilization, windowed, func(s *story) {
			s.round("a-1", 40)
			s.pass(lag)
			s.memories["b-1"] = engine.Memory{Seen: true, Replicas: 4}
			s.leads("b-1")
			s.pass(lag)
			s.round("b-1", 20)
		}},
		{"a forbidden window is forgotten", Forbidden, forbidden, func(s *story) {
			s.round("a-1", 50)
			s.memories["a-1"] = engine.Memory{Seen: true, Replicas: s.count}
			s.round("a-1", 80)
		}},
		{"a delay is forgotten", Delay, delayed, func(s *story) {
			s.round("a-1", 40)
			long := s.memories["a-1"]
			long.BelowSince = s.now.Add(-time.Minute)
			s.memories["a-1"] = long
			s.round("a-1", 20)
		}},
		{"blindness counts for a delay", Delay, delayed, func(s *story) {
			s.round("a-1", -1)
			long := s.memories["a-1"]
			long.BelowSince = s.now.Add(-time.Minute)
			s.memories["a-1"] = long
			s.round("a-1", 20)
		}},
		{"a restart forgets", Memory, windowed, func(s *story) {
			s.round("a-1", 60)
			s.pass(2 * behind)
			s.restart("a-1", "b-1")
			s.memories["b-1"] = engine.Memory{}
			s.round("b-1", 60)
		}},
		{"a controller forgets what it did", Memory, windowed, func(s *story) {
			s.round("a-1", 60)
			s.pass(2 * behind)
			s.look("a-1", 60)
			m := s.memories["a-1"]
			m.Highs = nil
			s.memories["a-1"] = m
			s.round("a-1", 60)
		}},
		{"an old leader writes over the new one", Status, plain, func(s *story) {
			s.round("a-1", 60)
			old, at := s.memories["a-1"], s.now
			s.restart("a-1", "b-1")
			s.pass(10 * time.Second)
			s.round("b-1", 80)
			s.write("a-1", at, old)
		}},
		{"the memory is dropped", Status, plain, func(s *story) {
			s.round("a-1", 60)
			s.stored(trail.Stored{Kind: trail.WorkloadAutoscaler, Value: json.RawMessage(`{"status": {}}`)})
		}},
		{"a change is unwritten", Status, plain, func(s *story) {
			s.round("a-1", 60)
			m := s.memories["a-1"]
			m.LastEventAt = m.LastEventAt.Add(-10 * time.Second)
			s.write("a-1", s.now.Add(time.Second), m)
		}},
		{"two write", Writers, plain, func(s *story) {
			s.round("a-1", 40)
			s.leads("b-1")
			s.pass(2 * onTheWay)
			s.round("a-1", 40)
		}},
		{"one writes who does not lead", Writers, plain, func(s *story) {
			s.round("a-1", 40)
			s.leads("")
			s.pass(2 * onTheWay)
			s.round("a-1", 40)
		}},
		{"looks stop", Looks, plain, func(s *story) {
			s.round("a-1", 40)
			s.pass(time.Second)
			s.calm(func() { s.pass(time.Minute) })
		}},
		{"looks come late", Looks, plain, func(s *story) {
			s.round("a-1", 40)
			s.pass(time.Second)
			s.calm(func() {
				s.pass(30 * time.Second)
				s.round("a-1", 40)
			})
		}},
		{"goroutines leak", Resources, plain, func(s *story) {
			for i := range int64(60) {
				s.pass(time.Second)
				s.add(trail.Event{Sample: &trail.Sample{Who: "a-1", Memory: 1 << 20, Goroutines: 100 + i*i*i/150, Descriptors: 10}})
			}
		}},
		{"memory leaks", Resources, plain, func(s *story) {
			for i := range int64(60) {
				s.pass(time.Second)
				s.add(trail.Event{Sample: &trail.Sample{Who: "a-1", Memory: (60 + 3*i) << 20, Goroutines: 100, Descriptors: 10}})
			}
		}},
		{"descriptors without end", Resources, plain, func(s *story) {
			s.add(trail.Event{Sample: &trail.Sample{Who: "a-1", Descriptors: 10 * mostDescriptors}})
		}},
		{"memory without end", Resources, plain, func(s *story) {
			s.add(trail.Event{Sample: &trail.Sample{Who: "a-1", Memory: 10 * mostMemory}})
		}},
		{"retries without a pause", Retries, plain, func(s *story) {
			s.round("a-1", 40)
			for range 2 * inAWindow {
				s.pass(time.Millisecond)
				s.add(trail.Event{Request: &trail.Request{Who: "a-1", Began: s.now, Method: "PUT", Resource: "deployments/scale", Object: web, Code: 409, Injected: true}})
			}
		}},
		{"a history forgets", Knowledge, plain, func(s *story) {
			s.history("a-1", 8)
			s.history("a-1", 3)
		}},
		{"a history that was deleted is forgotten", Knowledge, plain, func(s *story) {
			s.history("a-1", 8)
			s.stored(trail.Stored{Kind: trail.WorkloadHistory, Deleted: true})
			s.history("a-1", 3)
		}},
		{"a history that was read is forgotten with its deletion", Knowledge, plain, func(s *story) {
			s.add(trail.Event{Process: &trail.Process{Who: "b-1", What: trail.Started}}) // and stands by
			s.history("a-1", 8)
			s.pass(time.Second)
			s.restart("a-1", "b-1")
			s.round("b-1", 40)
			s.pass(2 * lag)
			s.stored(trail.Stored{Kind: trail.WorkloadHistory, Deleted: true})
			s.history("b-1", 3)
		}},
	} {
		t.Run(one.name, func(t *testing.T) {
			s := tell(t, one.behavior)
			one.tell(s)
			if found := s.found(); found[one.rule] == "" {
				t.Errorf("nobody saw that %q was broken; found %v", one.rule, found)
			}
		})
	}
}

// TestEtcdGoesBack: after a restore, older statuses and counts are nobody's fault.
func TestEtcdGoesBack(t *testing.T) {
	s := tell(t, plain)
	s.round("a-1", 60)
	old, at := s.memories["a-1"], s.now
	s.pass(10 * time.Second)
	s.round("a-1", 80)
	for i := range s.events {
		if one := s.events[i].Stored; one != nil {
			one.Epoch = 0
		}
	}
	before := len(s.events)
	s.count = 6
	s.stored(trail.Stored{Kind: trail.Deployment, Replicas: &s.count})
	s.write("a-1", at, old)
	for _, e := range s.events[before:] {
		if e.Stored != nil {
			e.Stored.Epoch = 1
		}
	}
	for rule, text := range s.found() {
		t.Errorf("%s: %s", rule, text)
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
