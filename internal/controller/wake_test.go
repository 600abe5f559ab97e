package controller

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/shard"
)

// woken returns the names of the objects that something has queued.
func woken(t *testing.T, by func(q queue)) []string {
	t.Helper()
	q := workqueue.NewTypedRateLimitingQueue(newBackOff(func(reconcile.Request) time.Duration { return time.Minute }))
	defer q.ShutDown()
	by(q)
	var out []string
	for q.Len() > 0 {
		var req reconcile.Request
		req, _ = q.Get()
		out = append(out, req.Name)
		q.Done(req)
	}
	return out
}

func deployment(replicas int32) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: appsv1.DeploymentSpec{Replicas: &replicas}}
}

// TestTargetWakes: what we did ourselves, and what was there before we came,
// wakes nobody.
func TestTargetWakes(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.inQueue(600)
	w.mustRound(r) // brings it to 6
	handler := r.onTarget()
	for name, c := range map[string]struct {
		by   func(q queue)
		want []string
	}{
		"our own change": {func(q queue) {
			handler.Update(ctx, event.UpdateEvent{ObjectOld: deployment(3), ObjectNew: deployment(6)}, q)
		}, nil},
		"a change of its status": {func(q queue) {
			handler.Update(ctx, event.UpdateEvent{ObjectOld: deployment(4), ObjectNew: deployment(4)}, q)
		}, nil},
		"someone else's change": {func(q queue) {
			handler.Update(ctx, event.UpdateEvent{ObjectOld: deployment(6), ObjectNew: deployment(4)}, q)
		}, []string{"web"}},
		"its creation":   {func(q queue) { handler.Create(ctx, event.CreateEvent{Object: deployment(6)}, q) }, []string{"web"}},
		"the first list": {func(q queue) { handler.Create(ctx, event.CreateEvent{Object: deployment(6), IsInInitialList: true}, q) }, nil},
		"its deletion":   {func(q queue) { handler.Delete(ctx, event.DeleteEvent{Object: deployment(6)}, q) }, []string{"web"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, woken(t, c.by)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
}

// TestConflictWakes: an HPA wakes the objects of its target, and the object
// that it points at.
func TestConflictWakes(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, object(t, "web", queuePolicy))
	handler := w.controller().onConflict()
	conflicting, feeding := hpa("old", "apps/v1", "Deployment", "web"), hpa("new", v1alpha1.GroupVersion.String(), v1alpha1.Kind, "web")
	for name, c := range map[string]struct {
		by   func(q queue)
		want []string
	}{
		"a conflict that comes": {func(q queue) { handler.Create(ctx, event.CreateEvent{Object: conflicting}, q) }, []string{"web"}},
		"a conflict that goes":  {func(q queue) { handler.Delete(ctx, event.DeleteEvent{Object: conflicting}, q) }, []string{"web"}},
		"an HPA that feeds us":  {func(q queue) { handler.Create(ctx, event.CreateEvent{Object: feeding}, q) }, []string{"web"}},
		"one for someone else": {func(q queue) {
			handler.Create(ctx, event.CreateEvent{Object: hpa("x", "apps/v1", "Deployment", "other")}, q)
		}, nil},
		"a conflict of the start": {func(q queue) { handler.Create(ctx, event.CreateEvent{Object: conflicting, IsInInitialList: true}, q) }, nil},
		"a sibling that leaves":   {func(q queue) { handler.Delete(ctx, event.DeleteEvent{Object: object(t, "two", queuePolicy)}, q) }, []string{"web"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, woken(t, c.by)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		})
	}
	moved := conflicting.DeepCopy()
	moved.Spec.ScaleTargetRef.Name = "other"
	if passes := retargeted(); passes.Update(event.UpdateEvent{ObjectOld: conflicting, ObjectNew: conflicting.DeepCopy()}) ||
		!passes.Update(event.UpdateEvent{ObjectOld: conflicting, ObjectNew: moved}) {
		t.Error("only an update of the target should pass")
	}
}

// TestOtherShardsSleep: an object of another shard is neither woken nor looked at.
func TestOtherShardsSleep(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	for i := range 2 {
		if part := (shard.Shard{Index: i, Of: 2}); !owns(part, keyOf("web")) {
			r.Shard = part
		}
	}
	w.mustRound(r)
	queued := woken(t, func(q queue) { r.onTarget().Create(context.Background(), event.CreateEvent{Object: deployment(6)}, q) })
	if w.observed != 0 || len(queued) > 0 {
		t.Errorf("observed %d times, queued %v", w.observed, queued)
	}
}

// TestASourceThatTellsWakes the object, at once and where it is looked after.
func TestASourceThatTellsWakes(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.mustRound(r)
	got := woken(t, func(q queue) {
		r.looks.into(q)
		r.Told("shop", "web")
	})
	if diff := cmp.Diff([]string{"web"}, got); diff != "" {
		t.Errorf("woken (-want +got):\n%s", diff)
	}
	before := w.observed
	w.mustRound(r)
	if w.observed == before {
		t.Error("it was woken, and not looked at because its period is not over")
	}
	for i := range 2 {
		r.Shard = shard.Shard{Index: i, Of: 2}
		if got := woken(t, func(q queue) { r.looks.into(q); r.Told("shop", "web") }); (len(got) == 1) != owns(r.Shard, keyOf("web")) {
			t.Errorf("shard %d: woken %v", i, got)
		}
	}
}

// TestNewSettingsWake: objects with a long period, and those whose first look is not over,
// would otherwise go by the old ones.
func TestNewSettingsWake(t *testing.T) {
	for name, c := range map[string]struct {
		policy string
		looked bool
		want   []string
	}{
		"the usual period": {queuePolicy, true, nil},
		"a long period":    {strings.Replace(queuePolicy, "behavior: {", "behavior: {syncPeriodSeconds: 3600, ", 1), true, []string{"web"}},
		"not looked at":    {queuePolicy, false, []string{"web"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, object(t, "web", c.policy))
			r := w.controller()
			if c.looked {
				w.mustRound(r)
			}
			got := woken(t, func(q queue) {
				r.looks.into(q)
				if err := r.ReadAgain(t.Context()); err != nil {
					t.Error(err)
				}
			})
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("woken (-want +got):\n%s", diff)
			}
		})
	}
}

// TestASourceThatTellsDuringALook: work that begins while the look before is being
// written down, also the first of all, is looked at right after it and not a period
// later.
func TestASourceThatTellsDuringALook(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.onStatus = func() error {
		r.Told("shop", "web")
		w.inQueue(600)
		return nil
	}
	w.mustRound(r)
	w.onStatus = nil
	w.mustRound(r)
	if w.observed != 2 || w.replicas != 6 {
		t.Errorf("%d looks and %d pods, want a second look at once and 6", w.observed, w.replicas)
	}
	w.mustRound(r)
	if w.observed != 2 {
		t.Errorf("%d looks, although nobody told anything since", w.observed)
	}
}

// TestALookThatWasWokenGoesOn: although it is not due, once its answers have come.
func TestALookThatWasWokenGoesOn(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.mustRound(r)
	r.Observer = &underWay{world: w, left: 2}
	r.Told("shop", "web")
	w.inQueue(600)
	for range 3 {
		w.mustRound(r)
	}
	if w.observed != 2 || w.replicas != 6 {
		t.Errorf("%d looks and %d pods, want 2 and 6", w.observed, w.replicas)
	}
}

// TestOurOwnChangeIsNoReasonToLookAgain: the watch shows it while the look that made it
// is not over, and the period between two decisions holds all the same.
func TestOurOwnChangeIsNoReasonToLookAgain(t *testing.T) {
	w := newWorld(t, object(t, "web", queuePolicy))
	r := w.controller()
	w.mustRound(r)
	w.after(time.Minute)
	w.inQueue(600)
	w.onStatus = func() error {
		woken(t, func(q queue) {
			r.onTarget().Update(t.Context(), event.UpdateEvent{ObjectOld: deployment(3), ObjectNew: deployment(6)}, q)
		})
		return nil
	}
	w.mustRound(r)
	w.onStatus = nil
	w.mustRound(r)
	if w.observed != 2 {
		t.Errorf("%d looks, want no third before it is due", w.observed)
	}
}
