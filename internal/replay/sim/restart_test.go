package sim

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/scale"
)

// TestCrashLoop is worked out by hand: the pod of 15 s crashes after its
// start-up of 30 s, at 45 s, waits 10 s, crashes at 85 s, waits 20 s, and
// crashes at 135 s. It is never ready and is paid for all the time.
func TestCrashLoop(t *testing.T) {
	s := stepDemand(t)
	s.Crashes = scale.Parts
	ready := int32(0)
	got := Run(s, scripted{15 * second: 3}, func(m Moment) bool {
		ready = max(ready, m.Ready)
		return true
	})
	if got.Restarts != 3 || got.OutOfMemory != 0 || ready != 2 || got.Cores != coreSeconds(2*15+3*165) {
		t.Errorf("%d restarts, at most %d ready, %+v", got.Restarts, ready, got.Cores)
	}
}

// TestCrashesAreSeen: the pod of TestCrashLoop is seen to wait, and to be started
// again.
func TestCrashesAreSeen(t *testing.T) {
	s := stepDemand(t)
	s.Crashes = scale.Parts
	p := NewPlant(s)
	p.advance(monday.Add(15 * second))
	p.apply(p.Size().WithReplicas(3))
	type seen struct {
		waiting   string
		restarted time.Duration
		// changed is when its readiness did: it never was ready.
		changed time.Duration
	}
	got := map[time.Duration]seen{}
	for _, at := range []time.Duration{30 * second, 50 * second, 60 * second, 90 * second} {
		p.advance(monday.Add(at))
		pod := p.Observe(nil).Pods[2]
		one := seen{waiting: pod.Waiting, changed: pod.ReadyChangedAt.Sub(monday)}
		if !pod.RestartedAt.IsZero() {
			one.restarted = pod.RestartedAt.Sub(monday)
		}
		got[at] = one
	}
	const made = 15 * second
	want := map[time.Duration]seen{
		30 * second: {"", 0, made}, 50 * second: {waiting, 45 * second, made}, 60 * second: {"", 55 * second, made}, 90 * second: {waiting, 85 * second, made},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(seen{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestSomeStartsFail: of many pods about a fifth crash once, a twenty-fifth
// twice, and all are ready in the end.
func TestSomeStartsFail(t *testing.T) {
	s := stepDemand(t)
	s.Demand, s.Crashes = demandOf(t, time.Hour, 1000, 1000), scale.Parts/5
	p := NewPlant(s)
	p.apply(p.Size().WithReplicas(1002))
	p.advance(monday.Add(time.Hour))
	if got := p.finish().Restarts; p.workload.Ready(p.now) != 1002 || got < 200 || got > 300 {
		t.Errorf("%d restarts, %d of 1002 ready; 250 restarts are expected", got, p.workload.Ready(p.now))
	}
}

// TestPauses: they double from ten seconds to five minutes, and begin anew for
// a container that ran for more than ten minutes.
func TestPauses(t *testing.T) {
	w := NewWorkload(monday, 1, 1)
	w.StartUp = time.Second
	at := monday
	var got []time.Duration
	for _, ran := range []time.Duration{time.Second, time.Second, time.Second, time.Second, time.Second, time.Second, time.Second, 11 * time.Minute} {
		p := &w.pods[0]
		w.start(p, at)
		at = at.Add(ran)
		w.restart(p, at)
		got = append(got, p.started.Sub(at))
		at = p.started
	}
	want := []time.Duration{10 * second, 20 * second, 40 * second, 80 * second, 160 * second, 300 * second, 300 * second, 10 * second}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
