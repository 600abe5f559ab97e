package checker

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/test/chaos/trail"
)

// web is the object of every story.
const web = "shop/web"

// begins is when they begin.
var begins = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

// story is a trail that is made by hand: controllers look, act and write, and
// what they do wrong is told.
type story struct {
	t    *testing.T
	spec v1alpha1.WorkloadAutoscalerSpec
	now  time.Time
	// memories are what each controller remembers.
	memories map[string]engine.Memory
	count    int32
	revision int64
	uid      string
	// ahead is by how much the controllers' clock is wrong.
	ahead time.Duration
	// old is how old values are.
	old time.Duration
	// last is the last decision.
	last   record.Answer
	past   engine.Memory
	events []trail.Event
}

// tell begins a story of an object with a behavior, and a metric of which ten are
// a pod.
func tell(t *testing.T, behavior string) *story {
	t.Helper()
	s := &story{t: t, now: begins, memories: map[string]engine.Memory{}, count: 4, revision: 100, uid: "1"}
	text := `{targetRef: {kind: Deployment, name: web}, replicas: {min: 2, max: 8}, behavior: {syncPeriodSeconds: 1, ` + behavior + `},
		metrics: [{type: External, external: {metric: {name: load}, target: {averageValue: 10}}}]}`
	if err := yaml.UnmarshalStrict([]byte(text), &s.spec); err != nil {
		t.Fatal(err)
	}
	s.add(trail.Event{Run: &trail.Run{Seed: 1, Objects: 1, Period: time.Second}})
	s.stored(trail.Stored{Kind: trail.Deployment, Replicas: &s.count})
	s.stored(trail.Stored{Kind: trail.WorkloadAutoscaler, Value: json.RawMessage(`{"spec": {"behavior": {"syncPeriodSeconds": 1}}}`)})
	s.leads("a-1")
	return s
}

func (s *story) add(e trail.Event) {
	e.At = s.now
	s.events = append(s.events, e)
}

func (s *story) pass(long time.Duration) { s.now = s.now.Add(long) }

func (s *story) stored(one trail.Stored) {
	s.revision++
	one.Object, one.Revision, one.UID = web, s.revision, s.uid
	if one.Replicas != nil {
		one.Replicas = new(*one.Replicas)
	}
	s.add(trail.Event{Stored: &one})
}

// leads gives somebody the lease.
func (s *story) leads(who string) {
	s.add(trail.Event{Request: &trail.Request{Who: who, Began: s.now, Method: "PUT", Resource: "leases", Code: 200, Holder: who}})
}

// look lets a controller decide, after a second. A load below zero is none.
func (s *story) look(who string, load int) {
	s.t.Helper()
	s.pass(time.Second)
	pol, err := policy.Compile(s.spec, v1alpha1.AdminSettings{})
	if err != nil {
		s.t.Fatal(err)
	}
	at := s.now.Add(s.ahead)
	sample := scale.Sample{At: at.Add(-s.old), Series: []scale.Amount{scale.Amount(load) * scale.Thousand}}
	if load < 0 {
		sample = scale.Sample{Problem: "no data"}
	}
	call := record.Call{Policy: pol, Spec: s.spec, Memory: s.memories[who], Observation: scale.Observation{
		At: at, Target: scale.Target{SpecReplicas: s.count, StatusReplicas: s.count}, Samples: []scale.Sample{sample},
	}}
	document, err := record.Encode(call, v1alpha1.AdminSettings{})
	if err != nil {
		s.t.Fatal(err)
	}
	s.past, s.last = call.Memory, call.Decide()
	line, err := s.last.Line()
	if err != nil {
		s.t.Fatal(err)
	}
	s.memories[who] = s.last.Memory
	s.add(trail.Event{Decision: &trail.Decision{Who: who, Object: web, Document: document, Answer: line}})
}

// act carries the last decision out.
func (s *story) act(who string) {
	if want := s.last.Decision.Want.Replicas; want != s.count {
		s.scale(who, want)
	}
}

// scale lets a controller write a count.
func (s *story) scale(who string, to int32) {
	s.count = to
	s.add(trail.Event{Request: &trail.Request{Who: who, Began: s.now, Method: "PUT", Resource: "deployments/scale", Object: web, Code: 200,
		Version: strconv.FormatInt(s.revision+1, 10), Replicas: new(to)}})
	s.stored(trail.Stored{Kind: trail.Deployment, Replicas: &s.count})
}

// publish writes the status of the last decision.
func (s *story) publish(who string) { s.write(who, s.now.Add(s.ahead), s.memories[who]) }

func (s *story) write(who string, decided time.Time, memory engine.Memory) {
	s.t.Helper()
	text, err := json.Marshal(memory)
	if err != nil {
		s.t.Fatal(err)
	}
	obj := v1alpha1.WorkloadAutoscaler{Spec: s.spec}
	obj.Status.Memory = &runtime.RawExtension{Raw: text}
	obj.Status.LastDecision = &v1alpha1.Decision{At: metav1.NewTime(decided)}
	value, err := json.Marshal(obj)
	if err != nil {
		s.t.Fatal(err)
	}
	s.add(trail.Event{Request: &trail.Request{Who: who, Began: s.now, Method: "PUT", Resource: "workloadautoscalers/status", Object: web, Code: 200,
		Version: strconv.FormatInt(s.revision+1, 10)}})
	s.stored(trail.Stored{Kind: trail.WorkloadAutoscaler, Value: value})
}

// round is a look that is carried out and published.
func (s *story) round(who string, load int) {
	s.t.Helper()
	s.look(who, load)
	s.act(who)
	s.publish(who)
}

// restart is what a controller that begins knows: the status.
func (s *story) restart(from, to string) {
	s.add(trail.Event{Process: &trail.Process{Who: from, What: trail.Ended}})
	s.memories[to] = s.memories[from]
	s.leads(to)
}

// calm is a time without faults.
func (s *story) calm(during func()) {
	s.add(trail.Event{Fault: &trail.Fault{Name: trail.Calm, Phase: trail.Begins}})
	during()
	s.add(trail.Event{Fault: &trail.Fault{Name: trail.Calm, Phase: trail.Ends}})
}

// found are the promises that a checker sees broken, without doubles.
func (s *story) found() map[Rule]string {
	c := New()
	for _, e := range s.events {
		c.Note(e)
	}
	out := map[Rule]string{}
	for _, v := range c.Finish() {
		out[v.Rule] = fmt.Sprint(v)
	}
	return out
}
