package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// eventful is a plant of four pods of one core under a demand of two cores.
func eventful(t *testing.T, s Settings) *Plant {
	t.Helper()
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	demand, err := NewDemand(trace.Trace{Step: time.Minute, Points: []trace.Point{{At: start, Value: 2000}, {At: start.Add(time.Minute), Value: 2000}}})
	if err != nil {
		t.Fatal(err)
	}
	s.Demand, s.Requests, s.Replicas = demand, scale.Resources{}.With(scale.CPU, 1000), 4
	for i := range s.Events {
		s.Events[i].At = start.Add(10 * time.Second)
	}
	return NewPlant(s)
}

// seen is how many pods are ready, and what all of them use, so long after the
// start.
func (p *Plant) seen(after time.Duration) (ready int, usage scale.Amount) {
	p.advance(p.settings.Demand.Start().Add(after))
	for _, pod := range p.Observe(nil).Pods {
		if pod.Ready == scale.Ready {
			ready++
		}
		used, _ := pod.Containers[0].Usage.Get(scale.CPU)
		usage += used
	}
	return ready, usage
}

// TestPodsKeptInACrashLoop: pods that crash serve nothing and use what they burn; the others
// have more to do.
func TestPodsKeptInACrashLoop(t *testing.T) {
	p := eventful(t, Settings{Events: []Event{{Crash: &CrashLoop{Pods: 2, CPU: 900}}}})
	if ready, usage := p.seen(5 * time.Second); ready != 4 || usage != 2000 {
		t.Errorf("before: %d ready, %dm used; want 4 that do half a core each", ready, usage)
	}
	if ready, usage := p.seen(20 * time.Second); ready != 2 || usage != 3800 {
		t.Errorf("two of four crash: %d ready, %dm used; want 2 that do one core each, and two times 900m", ready, usage)
	}
}

// TestRollout: a quarter of the pods is out of service at a time, and in the end
// all are new.
func TestRollout(t *testing.T) {
	p := eventful(t, Settings{StartUp: 5 * time.Second, Events: []Event{{Rollout: true}}})
	names := map[string]bool{}
	for _, pod := range p.Observe(nil).Pods {
		names[pod.Name] = true
	}
	for at := 12 * time.Second; at < 30*time.Second; at += 5 * time.Second {
		if ready, _ := p.seen(at); ready != 3 {
			t.Errorf("after %s %d pods are ready, want 3", at, ready)
		}
	}
	if ready, _ := p.seen(35 * time.Second); ready != 4 {
		t.Errorf("in the end %d pods are ready, want 4", ready)
	}
	for _, pod := range p.Observe(nil).Pods {
		if names[pod.Name] {
			t.Errorf("pod %s was not replaced", pod.Name)
		}
	}
}

// TestAge: the first pods have been running for as long as the settings say.
func TestAge(t *testing.T) {
	p := eventful(t, Settings{Age: time.Minute})
	for _, pod := range p.Observe(nil).Pods {
		if got := p.Now().Sub(pod.StartedAt); got != time.Minute || pod.Ready != scale.Ready {
			t.Errorf("pod %s is %s old, readiness %d", pod.Name, got, pod.Ready)
		}
	}
}

// TestPodsThatAreNotReadyGoFirst: a ReplicaSet that shrinks removes them before
// those that serve.
func TestPodsThatAreNotReadyGoFirst(t *testing.T) {
	p := eventful(t, Settings{Events: []Event{{Crash: &CrashLoop{Pods: 1, CPU: 900}}}})
	if ready, _ := p.seen(20 * time.Second); ready != 3 {
		t.Fatalf("%d pods are ready, want 3", ready)
	}
	p.workload.Scale(p.now, 3)
	if ready, _ := p.seen(25 * time.Second); ready != 3 || p.workload.Replicas() != 3 {
		t.Errorf("%d of %d pods are ready, want 3 of 3", ready, p.workload.Replicas())
	}
}
