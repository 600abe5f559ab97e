package history

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

func pod(cpu, memory scale.Amount) scale.Pod {
	return scale.Pod{
		Ready: scale.Ready, StartedAt: monday.Add(-time.Minute), ReadyChangedAt: monday.Add(-20 * time.Second),
		Containers: []scale.PodContainer{{
			Name: "app", Requests: scale.Resources{}.With(scale.Memory, gi), Usage: scale.Resources{}.With(scale.CPU, cpu).With(scale.Memory, memory),
		}, {Name: "sidecar"}},
	}
}

func TestOnlyServingPodsCount(t *testing.T) {
	h := mustNew(t, DefaultSettings())
	pods := []scale.Pod{pod(100, mi), pod(100, mi), pod(100, mi), pod(100, mi), pod(100, mi)}
	pods[1].Deleting = true
	pods[2].Ready = scale.NotReady
	pods[3].Phase = scale.Failed
	pods = append(pods, pod(100, mi))
	pods[5].Waiting = "CrashLoopBackOff"
	h.Observe(scale.Observation{At: monday, Pods: pods})
	wantValue(t, h.Slots, monday.Add(week), 2)
	h.Observe(scale.Observation{At: monday.Add(hour), Target: scale.Target{SpecReplicas: 9, StatusReplicas: 7}})
	wantValue(t, h.Slots, monday.Add(week+hour), 7)
	h.Observe(scale.Observation{At: monday.Add(2 * hour), Pods: []scale.Pod{}, Target: scale.Target{SpecReplicas: 9, StatusReplicas: 7}})
	wantValue(t, h.Slots, monday.Add(week+2*hour), 0)
	h.Observe(scale.Observation{Pods: pods})
}

func TestUsageIsTakenOnceAMinute(t *testing.T) {
	h := mustNew(t, DefaultSettings())
	for i := range 41 {
		h.Observe(scale.Observation{At: monday.Add(time.Duration(i) * 15 * time.Second), Pods: []scale.Pod{pod(100, mi), pod(200, mi)}})
	}
	if span, _ := h.Usage.Span("app", scale.CPU); span.Samples != 2*11 || !span.First.Equal(monday) || !span.Last.Equal(monday.Add(10*time.Minute)) {
		t.Errorf("ten minutes of two pods are %+v", span)
	}
	if _, known := h.Usage.Span("sidecar", scale.CPU); known {
		t.Error("a container without usage is known")
	}
	// A clock that is set back does not stop it.
	h.Observe(scale.Observation{At: monday.Add(-day), Pods: []scale.Pod{pod(100, mi)}})
	if span, _ := h.Usage.Span("app", scale.CPU); span.Samples != 2*11+1 {
		t.Errorf("after the clock was set back there are %d samples", span.Samples)
	}
	// A usage from the future is one of now.
	late := pod(100, mi)
	late.UsageAt = monday.Add(900 * week)
	h.Observe(scale.Observation{At: monday.Add(hour), Pods: []scale.Pod{late}})
	if !h.Newest().Equal(monday.Add(hour)) {
		t.Errorf("the newest is of %v", h.Newest())
	}
}

// TestCrashLoopsTeachNoCPU is reading T6: what a pod burns that has to start again
// and again is not what it needs. What it has of memory is.
func TestCrashLoopsTeachNoCPU(t *testing.T) {
	h := mustNew(t, DefaultSettings())
	crashing, again, first := pod(2500, mi), pod(100, mi), pod(300, mi)
	crashing.Ready, crashing.RestartedAt = scale.NotReady, monday.Add(-time.Minute)
	again.RestartedAt = monday.Add(-time.Minute)
	first.Ready = scale.NotReady
	h.Observe(scale.Observation{At: monday, Pods: []scale.Pod{crashing, again, first}})
	cpu, _ := h.Usage.Span("app", scale.CPU)
	memory, _ := h.Usage.Span("app", scale.Memory)
	if cpu.Samples != 2 || memory.Samples != 3 {
		t.Errorf("%d samples of cpu and %d of memory, want 2 and 3", cpu.Samples, memory.Samples)
	}
}

func TestStartsAndEndsCountOnce(t *testing.T) {
	h := mustNew(t, DefaultSettings())
	killed := pod(100, 900*mi)
	killed.OutOfMemoryAt = monday.Add(-5 * time.Second)
	for i := range 20 {
		h.Observe(scale.Observation{At: monday.Add(time.Duration(i) * 15 * time.Second), Pods: []scale.Pod{killed}})
	}
	if took, _ := h.StartUp.Slowest(); took != 40*time.Second || h.StartUp.Count() != 1 {
		t.Errorf("%d starts, the slowest took %v", h.StartUp.Count(), took)
	}
	s := h.Usage.seriesOf("app", scale.Memory)
	if s.bumped != gi.Share(120, 100) || s.samples != 5+1 {
		t.Errorf("needed %s after %d samples", s.bumped.Bytes(), s.samples)
	}
	if old := h.Usage.seriesOf("sidecar", scale.Memory); old != nil && old.killedAt != 0 {
		t.Error("the wrong container was helped")
	}
	killed.OutOfMemoryAt = monday.Add(10 * time.Minute)
	h.Observe(scale.Observation{At: monday.Add(5 * time.Minute), Pods: []scale.Pod{killed}})
	if s.killedAt != monday.Unix()-5 {
		t.Error("an end in the future counted")
	}
}

func TestLearnedIsForTheMoment(t *testing.T) {
	h := mustNew(t, DefaultSettings())
	if h.Learned(monday, hour, DefaultFactors()) != nil {
		t.Error("nothing was seen, something was learned")
	}
	h.Slots.Observe(monday.Add(9*hour), 10)
	for at, want := range map[time.Time]scale.Learned{
		monday.Add(week + 8*hour): {Min: 5},
		monday.Add(week + 9*hour): {Min: 5, Max: 20},
	} {
		if got := h.Learned(at, hour, DefaultFactors()); got == nil || got.Min != want.Min || got.Max != want.Max {
			t.Errorf("at %v: %+v, want %+v", at, got, want)
		}
	}
}

// A container that ran out of memory needs what the object says, or what a VPA says.
func TestWhatRunsOutOfMemoryNeeds(t *testing.T) {
	for name, tc := range map[string]struct {
		bumps Bumps
		want  scale.Amount
	}{
		"as in a VPA":           {nil, gi.Share(120, 100)},
		"a share of its own":    {Bumps{"app": {Percent: 50}, "*": {Percent: 10}}, gi.Share(150, 100)},
		"the larger of the two": {Bumps{"app": {Value: gi, Percent: 50}}, 2 * gi},
		"as the others":         {Bumps{"sidecar": {Percent: 50}, "*": {Value: gi}}, 2 * gi},
		"no more than it had":   {Bumps{"app": {}}, gi},
	} {
		t.Run(name, func(t *testing.T) {
			h := mustNew(t, DefaultSettings())
			h.Bumps = tc.bumps
			killed := pod(100, 900*mi)
			killed.OutOfMemoryAt = monday.Add(-5 * time.Second)
			h.Observe(scale.Observation{At: monday, Pods: []scale.Pod{killed}})
			if s := h.Usage.seriesOf("app", scale.Memory); s.bumped != tc.want || s.killedAt == 0 {
				t.Errorf("needed %s, want %s", s.bumped.Bytes(), tc.want.Bytes())
			}
		})
	}
}
