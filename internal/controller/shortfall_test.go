package controller

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

func podNamed(name string) scale.Pod {
	return scale.Pod{Name: name, Phase: scale.Running, Ready: scale.Ready}
}

// TestPodsThatFallShort: a count that is not in force is told with its reason,
// its pods and since when, once, and nothing is written while it stays so.
func TestPodsThatFallShort(t *testing.T) {
	homeless := scale.Pod{Name: "web-c", Phase: scale.Pending, Pending: "Unschedulable", PendingSince: noon.Add(-time.Minute)}
	for name, c := range map[string]struct {
		pods      []scale.Pod
		refused   *scale.Refusal
		condition string
		event     string
	}{
		"Quota": {
			pods: []scale.Pod{podNamed("web-a")}, refused: &scale.Refusal{Reason: scale.Quota, Words: "exceeded quota: pods", Since: noon.Add(-time.Hour)},
			condition: "False Quota: stays at 3: WithinTolerance; 2 of 3 pods do not exist since 2026-01-05T11:00:00Z: exceeded quota: pods",
			event:     "Warning Quota 2 of 3 pods do not exist since 2026-01-05T11:00:00Z: exceeded quota: pods",
		},
		"Unschedulable": {
			pods: []scale.Pod{podNamed("web-a"), podNamed("web-b"), homeless},
			condition: "False Unschedulable: stays at 3: WithinTolerance; 1 of 3 pods have no node since 2026-01-05T11:59:00Z (web-c): the scheduler " +
				"finds no node for them; their events say why",
			event: "Warning Unschedulable 1 of 3 pods have no node since 2026-01-05T11:59:00Z (web-c): the scheduler finds no node for them; their events say why",
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, object(t, "web", queuePolicy))
			w.pods, w.refused = c.pods, c.refused
			r := w.controller()
			w.mustRound(r)
			if got := condition(w.web(), "AbleToScale"); got != c.condition {
				t.Errorf("got  %s\nwant %s", got, c.condition)
			}
			if got := condition(w.web(), "ScalingLimited"); strings.Contains(got, "followed") {
				t.Errorf("the desired size is followed: %s", got)
			}
			writes := w.statusWrites
			for _, again := range []*Reconciler{r, r, w.controller()} { // also after a restart
				w.after(time.Minute)
				w.mustRound(again)
			}
			if diff := cmp.Diff([]string{c.event}, w.heard()); diff != "" || w.statusWrites != writes {
				t.Errorf("%d writes more, events (-want +got):\n%s", w.statusWrites-writes, diff)
			}
			for _, one := range r.Workloads() {
				if one.Able || one.Short.Missing+one.Short.Pending == 0 {
					t.Errorf("the series do not tell: %+v", one)
				}
			}
			w.pods = nil
			w.refused = nil
			w.after(time.Minute)
			w.mustRound(r)
			if got := condition(w.web(), "AbleToScale"); got != "True Ready: stays at 3: WithinTolerance" {
				t.Errorf("afterward: %s", got)
			}
		})
	}
}

// TestSizesThatNobodyCarriesOut: the status says so from the first look on, and
// what every look decides anew is neither an event nor a write.
func TestSizesThatNobodyCarriesOut(t *testing.T) {
	w := newWorld(t, object(t, "web", `{replicas: {min: 3, max: 3}, containers: [{name: app, cpu: {scaling: Vertical}}]}`))
	app := scale.PodContainer{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 500)}
	for _, name := range []string{"web-a", "web-b", "web-c"} {
		pod := podNamed(name)
		pod.Containers = []scale.PodContainer{app}
		w.pods = append(w.pods, pod)
	}
	w.recommended = []scale.Recommendation{{Container: "app", PerPod: scale.Resources{}.With(scale.CPU, 800)}}
	r := w.controller()
	w.mustRound(r)
	want := "True Waiting: 3 x 500m -> 3 x 800m: RightSized; 3 of 3 pods are not at the size decided since 2026-01-05T12:00:00Z (web-a, web-b, " +
		"web-c): pods that run are not resized"
	if got := condition(w.web(), "AbleToScale"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := condition(w.web(), "ScalingLimited"); strings.Contains(got, "followed") {
		t.Errorf("the desired size is followed: %s", got)
	}
	w.after(time.Minute)
	w.mustRound(r) // by now it is known that the pods have less than they should
	writes := w.statusWrites
	for range 3 {
		w.after(time.Minute)
		w.mustRound(r)
	}
	if got := w.web(); w.statusWrites != writes || got.Status.LastScaleTime != nil {
		t.Errorf("%d writes more, the last scaling was at %v: %s", w.statusWrites-writes, got.Status.LastScaleTime, condition(got, "AbleToScale"))
	}
}

// TestCountsOfPodsAreNews: a number of pods in a message is not just a number.
func TestCountsOfPodsAreNews(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	w.pods, w.refused = []scale.Pod{podNamed("web-a")}, &scale.Refusal{Reason: scale.Quota, Words: "exceeded quota: pods", Since: noon}
	r := w.controller()
	w.mustRound(r)
	w.pods = append(w.pods, podNamed("web-b"))
	w.after(time.Minute)
	w.mustRound(r)
	if got := condition(w.web(), "AbleToScale"); !strings.Contains(got, "1 of 3 pods do not exist") {
		t.Errorf("got %s", got)
	}
}

// TestAModeIsToldFirst: whoever wants no change is not told what of it is not in
// force.
func TestAModeIsToldFirst(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Mode = v1alpha1.ModeRecommend })
	w.inQueue(600)
	w.pods, w.refused = []scale.Pod{podNamed("web-a")}, &scale.Refusal{Reason: scale.Quota, Words: "exceeded quota: pods"}
	r := w.controller()
	w.mustRound(r)
	if got := condition(w.web(), "AbleToScale"); !strings.HasPrefix(got, "False Recommend") {
		t.Errorf("got %s", got)
	}
	for _, one := range r.Workloads() {
		if !one.DryRun || !one.Able {
			t.Errorf("the series say %+v", one)
		}
	}
}

// TestTheCountdownOfAChange: a window begins with a change, not with
// the attempt.
func TestTheCountdownOfAChange(t *testing.T) {
	for failed, want := range map[bool]time.Duration{false: 90 * time.Second, true: 0} {
		w := newWorld(t, object(t, "web", queuePolicy))
		seconds := int32(90)
		w.edit(func(o *v1alpha1.WorkloadAutoscaler) {
			o.Spec.Behavior.ScaleUp = &v1alpha1.ScalingRules{ForbiddenWindowSeconds: &seconds}
		})
		w.inQueue(600)
		if failed {
			w.applyErr = errors.New("no answer")
		}
		r := w.controller()
		if _, err := w.round(r); (err != nil) != failed {
			t.Fatal(err)
		}
		for _, one := range r.Workloads() {
			if got := one.Decision.Countdown.Up; got != want || one.Up != map[bool]int64{false: 3}[failed] {
				t.Errorf("failed %t: the countdown is %s, want %s; %d pods were added", failed, got, want, one.Up)
			}
		}
	}
}
