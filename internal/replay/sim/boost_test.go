package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine/boost"
	"github.com/tidemark/tidemark/scale"
)

// twice is a boost to twice the cpu, kept for ten seconds, of starts that are half work
// for the cpu.
func twice() Boosting {
	return Boosting{Rules: &boost.Rules{Default: &boost.Container{Factor: 2000, For: 10 * time.Second}}, StartUpCPU: scale.Parts / 2}
}

// boosted is a workload of one pod of one core that has a second one since now.
func boosted(at time.Time, n Nodes) *Workload {
	w := NewWorkload(at, 1, 1)
	w.Requests, w.StartUp, w.Boost = scale.Resources{}.With(scale.CPU, scale.Thousand), time.Minute, twice()
	w.ResizeInRounds(Resizing{Delay: time.Second}, nil)
	w.settleOnNodes(newNodes(n))
	w.Apply(at, scale.Size{Replicas: 2})
	return w
}

// TestABoostShortensTheStart: half of a minute is work, which takes half as long with
// twice the cpu. Ten seconds after the pod is ready the boost is taken back, which
// takes a second.
func TestABoostShortensTheStart(t *testing.T) {
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	w := boosted(at, Nodes{})
	for _, tc := range []struct {
		after time.Duration
		ready int32
		cores scale.Amount
		is    bool
	}{
		{44 * time.Second, 1, 3000, true}, {45 * time.Second, 2, 3000, true}, {54 * time.Second, 2, 3000, true},
		{55 * time.Second, 2, 3000, false}, {56 * time.Second, 2, 2000, false},
	} {
		t.Run(tc.after.String(), func(t *testing.T) {
			now := at.Add(tc.after)
			w.Settle(now)
			pods := w.Pods(now, func(bool) scale.Resources { return scale.Resources{} })
			cores, _ := w.requested()
			if w.Ready(now) != tc.ready || cores != tc.cores || pods[1].Boosted != tc.is {
				t.Errorf("%d ready pods of %s cores, boosted %v; want %d of %s, %v", w.Ready(now), cores, pods[1].Boosted, tc.ready, tc.cores, tc.is)
			}
			if size := w.Target().Containers[0]; size.Requests != w.Requests {
				t.Errorf("the workload shows %v, want what pods settle at", size)
			}
			if took := pods[1].ReadyChangedAt.Sub(pods[1].StartedAt); tc.ready == 2 && took != 45*time.Second {
				t.Errorf("whoever learns of its start-up learns %s", took)
			}
			c := pods[1].Containers[0]
			settled, _ := c.Requests.Get(scale.CPU)
			has, _ := c.Has(scale.CPU)
			if tc.is && (settled != 1000 || has != 2000) {
				t.Errorf("a boosted pod settles at %s and has %s", settled, has)
			}
		})
	}
}

// TestABoostKeepsNoPodFromStarting: where a node has room for the pod, but not for its
// boost, the pod starts without.
func TestABoostKeepsNoPodFromStarting(t *testing.T) {
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	w := boosted(at, Nodes{Count: 1, CPU: 2 * scale.Thousand})
	if w.pending() || w.resizer.olds != 0 {
		t.Errorf("pending %v, and %d pods have another size than decided", w.pending(), w.resizer.olds)
	}
	if w.Settle(at.Add(time.Minute)); w.Ready(at.Add(59*time.Second)) != 1 || w.Ready(at.Add(time.Minute)) != 2 {
		t.Error("it does not take as long as any other")
	}
}

// TestABoostIsTakenBackFromAPodThatNeverStarts, after ten minutes.
func TestABoostIsTakenBackFromAPodThatNeverStarts(t *testing.T) {
	at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	w := NewWorkload(at, 1, 1)
	w.Requests, w.StartUp, w.Boost = scale.Resources{}.With(scale.CPU, scale.Thousand), time.Hour, twice()
	w.Apply(at, scale.Size{Replicas: 2})
	w.Settle(at.Add(boost.Longest - time.Second))
	if cores, _ := w.requested(); cores != 3000 {
		t.Errorf("before that they have %s cores, want 3", cores)
	}
	if w.Settle(at.Add(boost.Longest)); w.resizer.olds != 0 {
		t.Error("it still has its boost")
	}
}
