package history

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// What goes wrong in the first implementation of the Tortoise design, as far
// as it is about history, and what happens here instead.

func TestOneReplicaLearnsTheBoundsOfOne(t *testing.T) {
	// There, a workload of one replica got a maximum of twelve.
	s := slotsOf(t, nil)
	for ready, want := range map[int32]Bounds{1: {1, 2}, 2: {1, 4}, 3: {2, 6}} {
		at := monday.Add(time.Duration(ready) * hour)
		s.Observe(at, ready)
		if got, _ := s.Bounds(at.Add(week), DefaultFactors()); got != want {
			t.Errorf("%d replicas teach %v, want %v", ready, got, want)
		}
	}
}

func TestAPeakIsForgottenAfterTheWindow(t *testing.T) {
	// There, a peak lost one twentieth a week and was felt for most of a year.
	s := slotsOf(t, nil)
	s.Observe(monday, 100)
	for i := 1; i <= 52; i++ {
		at := monday.Add(time.Duration(i) * week)
		want := int32(100)
		if i > 4 {
			want = 10
		}
		s.Observe(at, 10)
		wantValue(t, s, at, want)
	}
}

func TestACrashLoopDoesNotRunAway(t *testing.T) {
	// There, the desired count taught the maximum, which doubled with every
	// look while pods crashed.
	h := mustNew(t, DefaultSettings())
	h.Slots.Observe(monday, 5)
	replicas := int32(5)
	for i := range 240 {
		at := monday.Add(week + time.Duration(i)*15*time.Second)
		pods := make([]scale.Pod, replicas)
		for p := range pods[:3] {
			pods[p].Ready = scale.Ready
		}
		h.Observe(scale.Observation{At: at, Pods: pods, Target: scale.Target{SpecReplicas: replicas, StatusReplicas: replicas}})
		replicas = h.Learned(at, 0, DefaultFactors()).Max
	}
	if replicas != 10 {
		t.Errorf("the learned maximum has run away to %d", replicas)
	}
}

func TestAContainerAddedLaterIsLearned(t *testing.T) {
	// There, the containers of the first day were the only ones forever, and
	// one that was removed stopped everything.
	u := NewUsage()
	for i := range 3 * 1440 {
		at := monday.Add(time.Duration(i) * time.Minute)
		name := "old"
		if i >= 1440 {
			name = "new"
		}
		u.Observe(at, name, scale.CPU, 300)
	}
	got := u.Recommend(monday.Add(3*day), DefaultEstimator(), []scale.Container{{Name: "new"}})
	if len(got) != 1 || got[0].Container != "new" {
		t.Errorf("recommended %v", got)
	}
}
