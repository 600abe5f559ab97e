package controller

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

var deployments = schema.GroupResource{Group: "apps", Resource: "deployments"}

// TestOneRound: a queue of 600 at 100 a pod wants 6 pods, and the status says
// all there is to know about it.
func TestOneRound(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	w.inQueue(600)
	w.mustRound(w.controller())
	if diff := cmp.Diff([]int32{6}, w.applied); diff != "" {
		t.Errorf("applied (-want +got):\n%s", diff)
	}
	obj := w.web()
	s := obj.Status
	if s.ObservedGeneration != 1 || s.Replicas != 3 || s.Selector != "app=web" || s.DesiredReplicas == nil || *s.DesiredReplicas != 6 ||
		!s.LastScaleTime.Time.Equal(noon) {
		t.Errorf("the status is %+v", s)
	}
	for kind, want := range map[string]string{
		"AbleToScale":    "True Ready: 3 -> 6: AboveTarget",
		"ScalingActive":  "True AboveTarget: 3 -> 6: AboveTarget",
		"ScalingLimited": "False WithinLimits: the desired size is followed as it is",
	} {
		if got := condition(obj, kind); got != want {
			t.Errorf("%s is %q, want %q", kind, got, want)
		}
	}
	text := "3 -> 6: AboveTarget\n  horizontal  3 -> 6  AboveTarget  queue is 200, above the target 100: asks for 6\n"
	if diff := cmp.Diff(text, record.FromStatus(s.LastDecision).Text()); diff != "" {
		t.Errorf("the explanation (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Normal AboveTarget 3 -> 6: AboveTarget"}, w.heard()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

// TestAtRestNothingIsWritten: the value moves within the tolerance for an hour,
// and after the first rounds neither a status nor an event is written.
func TestAtRestNothingIsWritten(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.mustRound(r)
	writes := w.statusWrites
	w.heard()
	for i := range 240 {
		w.after(15 * time.Second)
		w.inQueue(int64(290 + i%20))
		w.mustRound(r)
	}
	if w.statusWrites != writes || len(w.heard()) > 0 || len(w.applied) > 0 {
		t.Errorf("%d writes of the status at rest, applied %v", w.statusWrites-writes, w.applied)
	}
}

// TestWokenEarly: what wakes the controller does not make it decide faster than
// its period, because a velocity holds for one decision.
func TestWokenEarly(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy+"mode: Auto"))
	w.edit(func(o *v1alpha1.WorkloadAutoscaler) {
		percent := int32(50)
		o.Spec.Behavior.ScaleUp = &v1alpha1.ScalingRules{LimitPercent: &percent}
	})
	r := w.controller()
	w.replicas = 4
	w.inQueue(2000)
	w.mustRound(r)
	w.after(time.Second)
	w.mustRound(r)
	if diff := cmp.Diff([]int32{6}, w.applied); diff != "" {
		t.Errorf("woken after a second (-want +got):\n%s", diff)
	}
	if !r.lastRuns.disturb(client.ObjectKey{Namespace: "shop", Name: "web"}, 5) {
		t.Error("another count than we gave does not disturb")
	}
	w.mustRound(r)
	if diff := cmp.Diff([]int32{6, 9}, w.applied); diff != "" {
		t.Errorf("after someone scaled the target (-want +got):\n%s", diff)
	}
	w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Replicas.Max = new(int32(8)) })
	w.mustRound(r)
	if diff := cmp.Diff([]int32{6, 9, 8}, w.applied); diff != "" {
		t.Errorf("after a change of the spec (-want +got):\n%s", diff)
	}
}

// TestInvalidSpec: told once, never retried, fixed by a change of the spec.
func TestInvalidSpec(t *testing.T) {
	w := newWorld(t, object(t, "web", "replicas: {min: 1}"))
	r := w.controller()
	for range 3 {
		if _, err := w.round(r); !errors.Is(err, reconcile.TerminalError(nil)) {
			t.Fatalf("not terminal: %v", err)
		}
	}
	want := "False InvalidSpec: replicas.max: is required: state the largest number of pods that may ever run"
	if got := condition(w.web(), "AbleToScale"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if heard := w.heard(); len(heard) != 1 || w.statusWrites != 1 {
		t.Errorf("%d writes, events %q", w.statusWrites, heard)
	}
	w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec = object(t, "web", queuePolicy).Spec })
	w.mustRound(r)
	if got := condition(w.web(), "AbleToScale"); !strings.HasPrefix(got, "True Ready") {
		t.Errorf("after fixing it: %s", got)
	}
}

// TestBlockers: each failure has its reason, scales nothing, and keeps what the
// last decision was.
func TestBlockers(t *testing.T) {
	for name, c := range map[string]struct {
		observe, apply error
		want           scale.Reason
		retried        bool
	}{
		"the target is missing":    {observe: apierrors.NewNotFound(deployments, "web"), want: scale.TargetMissing},
		"the target is forbidden":  {observe: apierrors.NewForbidden(deployments, "web", errors.New("RBAC")), want: scale.Forbidden, retried: true},
		"the API server is away":   {observe: errors.New("connection refused"), want: scale.TargetUnreadable, retried: true},
		"someone else was faster":  {apply: apierrors.NewConflict(deployments, "web", errors.New("changed")), want: scale.Conflict, retried: true},
		"scaling is forbidden":     {apply: &apply.Error{Failure: apply.Forbidden, Err: errors.New("RBAC")}, want: scale.Forbidden, retried: true},
		"the target has just gone": {apply: &apply.Error{Failure: apply.NotFound, Err: errors.New("gone")}, want: scale.TargetMissing, retried: true},
		"a quota is exceeded":      {apply: &apply.Error{Failure: apply.Quota, Err: errors.New("exceeded quota")}, want: scale.Quota, retried: true},
		"a LimitRange is exceeded": {apply: &apply.Error{Failure: apply.LimitRange, Err: errors.New("maximum cpu")}, want: scale.LimitRange, retried: true},
		"a webhook denies it": {
			apply: &apply.Error{Failure: apply.Refused, Err: apierrors.NewForbidden(deployments, "web", errors.New("denied"))}, want: scale.ApplyFailed, retried: true,
		},
		"the API server is too busy": {apply: apierrors.NewTooManyRequests("later", 1), want: scale.ApplyFailed, retried: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, object(t, "web", queuePolicy))
			w.inQueue(600)
			w.observeErr, w.applyErr = c.observe, c.apply
			r := w.controller()
			result, err := w.round(r)
			if (err != nil) != c.retried || (err == nil && result.RequeueAfter == 0) {
				t.Errorf("result %+v, error %v", result, err)
			}
			if got := condition(w.web(), "AbleToScale"); !strings.HasPrefix(got, "False "+string(c.want)+": ") {
				t.Errorf("AbleToScale is %q, want the reason %s", got, c.want)
			}
			for _, one := range r.Workloads() {
				if one.Able || !one.Active {
					t.Error("it alerts nobody, or tells of data that is missing")
				}
			}
			if len(w.applied) > 0 {
				t.Errorf("applied %v", w.applied)
			}
		})
	}
}

// TestConflictIsDecidedAgain: after a conflict the target is looked at again,
// and the change that did not happen counts for nothing.
func TestConflictIsDecidedAgain(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy+"  # with a forbidden window\n"))
	w.edit(func(o *v1alpha1.WorkloadAutoscaler) {
		o.Spec.Behavior.ScaleUp = &v1alpha1.ScalingRules{ForbiddenWindowSeconds: new(int32(300))}
	})
	r := w.controller()
	w.inQueue(600)
	w.applyErr = apierrors.NewConflict(deployments, "web", errors.New("changed"))
	if _, err := w.round(r); !apierrors.IsConflict(err) {
		t.Fatalf("got %v", err)
	}
	w.applyErr, w.observed = nil, 0
	w.inQueue(700)
	w.mustRound(r)
	if diff := cmp.Diff([]int32{7}, w.applied); diff != "" || w.observed != 1 {
		t.Errorf("observed %d times; applied (-want +got):\n%s", w.observed, diff)
	}
}

// TestNoDataNeverScalesDown: while the metric is gone the count stays, however
// long, and that is told once.
func TestNoDataNeverScalesDown(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.mustRound(r)
	w.queue = scale.Sample{Problem: "the source does not answer"}
	for range 100 {
		w.after(15 * time.Second)
		w.mustRound(r)
	}
	if diff := cmp.Diff([]string{"Warning NoData queue has no usable sample (the source does not answer)"}, w.heard()); diff != "" || len(w.applied) > 0 {
		t.Errorf("applied %v; events (-want +got):\n%s", w.applied, diff)
	}
	// A new leader has nothing to add.
	w.mustRound(w.controller())
	if heard := w.heard(); len(heard) > 0 {
		t.Errorf("after a restart: %q", heard)
	}
}

// TestLeftAlone: what an administrator or a mode forbids is not done.
func TestLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		admin v1alpha1.AdminSettings
		dry   bool
		mode  v1alpha1.Mode
		want  string
	}{
		"a pause":               {admin: v1alpha1.AdminSettings{Paused: true}, want: "False Paused: the administrator has paused all scaling: would apply 3 -> 6"},
		"an excluded namespace": {admin: v1alpha1.AdminSettings{ExcludedNamespaces: []string{"shop"}}, want: "False NamespaceExcluded: the administrator has excluded the namespace shop: the workload is left alone"},
		"a dry run":             {dry: true, want: "False Recommend: the mode is Recommend: would apply 3 -> 6"},
		"the mode Recommend":    {mode: v1alpha1.ModeRecommend, want: "False Recommend: the mode is Recommend: would apply 3 -> 6"},
		"a dry run of mode Off": {dry: true, mode: v1alpha1.ModeOff, want: "False ModeOff: the mode is Off: would apply 3 -> 6"},
	} {
		t.Run(name, func(t *testing.T) {
			obj := object(t, "web", queuePolicy)
			obj.Spec.Mode = c.mode
			w := newWorld(t, obj)
			w.admin = c.admin
			w.inQueue(600)
			r := w.controller()
			r.Permits.DryRun = c.dry
			w.mustRound(r)
			if got := condition(w.web(), "AbleToScale"); got != c.want || len(w.applied) > 0 {
				t.Errorf("got %q, want %q; applied %v", got, c.want, w.applied)
			}
			for _, one := range r.Workloads() {
				if !one.Able || !one.Active {
					t.Error("what is meant alerts")
				}
			}
		})
	}
}

// TestDeletedObject: the workload stays as it is and the series are gone.
func TestDeletedObject(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.mustRound(r)
	count := func() int { return len(r.Workloads()) }
	if count() != 1 {
		t.Fatalf("%d workloads before", count())
	}
	if err := w.client.Delete(context.Background(), w.web()); err != nil {
		t.Fatal(err)
	}
	w.mustRound(r)
	if count() != 0 || len(w.applied) > 0 {
		t.Errorf("%d workloads after, applied %v", count(), w.applied)
	}
}

// TestSourcesWithProblems: what an administrator can fix is told beside what the
// metrics say.
func TestSourcesWithProblems(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	w.problems = []string{"pods may not be listed: grant it"}
	w.mustRound(w.controller())
	want := "True WithinTolerance: stays at 3: WithinTolerance; pods may not be listed: grant it"
	if got := condition(w.web(), "ScalingActive"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWhatWaitsIsTold: a pod that cannot be resized yet is named in the status,
// and told as an event once, also when another pod waits for the same, and after
// a restart. When the reason changes that is news.
func TestWhatWaitsIsTold(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.mustRound(r)
	w.heard()
	rounds := func(who, why string, r *Reconciler) {
		w.waiting = []apply.Wait{{Who: who, Why: why}}
		for range 3 {
			w.after(time.Minute)
			w.mustRound(r)
		}
	}
	rounds("pod web-a", "its node has no room", r)
	want := "True Waiting: stays at 3: WithinTolerance; pod web-a since 2026-01-05T12:01:00Z: its node has no room"
	if got := condition(w.web(), "AbleToScale"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	rounds("pod web-b", "its node has no room", r)
	rounds("pod web-b", "its node has no room", w.controller())
	if diff := cmp.Diff([]string{"Normal Waiting pod web-a since 2026-01-05T12:01:00Z: its node has no room"}, w.heard()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	rounds("pod web-b", "a budget protects it", r)
	if diff := cmp.Diff([]string{"Normal Waiting pod web-b since 2026-01-05T12:04:00Z: a budget protects it"}, w.heard()); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	w.waiting = nil
	w.after(time.Minute)
	w.mustRound(r)
	if got, want := condition(w.web(), "AbleToScale"), "True Ready: stays at 3: WithinTolerance"; got != want || len(w.heard()) > 0 {
		t.Errorf("afterward: got %q, want %q", got, want)
	}
}

// TestLongWaitsAreToldOnce: a message that is too long for the status is cut, and
// what was cut off is not told again each time.
func TestLongWaitsAreToldOnce(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.waiting = []apply.Wait{{Who: "pod web-a", Why: strings.Repeat("because ", 1000)}, {Who: "pod web-b", Why: "its node has no room"}}
	for range 3 {
		w.mustRound(r)
		w.after(time.Minute)
	}
	if heard := w.heard(); len(heard) != 2 {
		t.Errorf("%d events", len(heard))
	}
}

// TestNothingIsRecommendedYet: an object that only sizes pods says where the
// recommendation would come from, and says it once.
func TestNothingIsRecommendedYet(t *testing.T) {
	w := newWorld(t, object(t, "web", "replicas: {max: 5}\ncontainers: [{name: app, cpu: {scaling: Vertical}}]\nvertical: {source: VPA, vpaName: web}"))
	w.unrecommended = "reading VerticalPodAutoscaler shop/web: it has no recommendation yet"
	w.problems, w.recommended = []string{w.unrecommended}, []scale.Recommendation{}
	w.mustRound(w.controller())
	want := "False NoData: there is no recommendation for the pods' size yet: " + w.unrecommended
	if got := condition(w.web(), "ScalingActive"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWhatWaitsForARecommendationIsTold: beside metrics that do their work, the
// condition names it and stays True, and samples that are counted are no news.
func TestWhatWaitsForARecommendationIsTold(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy+"containers: [{name: app, cpu: {scaling: Vertical}}]\nvertical: {source: VPA, vpaName: web}"))
	w.recommended = []scale.Recommendation{}
	r := w.controller()
	for i := range 4 {
		w.unrecommended = fmt.Sprintf("the VPA has %d of the 8 samples", i)
		w.mustRound(r)
		w.after(time.Minute)
	}
	got, want := condition(w.web(), "ScalingActive"), "True WithinTolerance: stays at 3: WithinTolerance; cpu of app: waits for a "+
		"recommendation, and stays as it is: the VPA has 0 of the 8 samples"
	if got != want || w.statusWrites != 1 || len(w.heard()) != 0 {
		t.Errorf("after %d writes: %s\nwant %s", w.statusWrites, got, want)
	}
	w.recommended, w.unrecommended = []scale.Recommendation{{Container: "app", PerPod: scale.Resources{}.With(scale.CPU, 500)}}, ""
	w.mustRound(r)
	if got, want := condition(w.web(), "ScalingActive"), "True WithinTolerance: stays at 3: WithinTolerance"; got != want {
		t.Errorf("with a recommendation: %s", got)
	}
}
