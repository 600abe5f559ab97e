package controller

import (
	"context"
	"strings"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/hpatuner"
	"github.com/tidemark/tidemark/internal/shard"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

const tuningPolicy = `{actuator: HPA, hpaName: theirs, replicas: {min: 8, max: 20}}`

// tunedWorld has an HPA of 6..30 that the object web has tuned to 8..20.
func tunedWorld(t *testing.T) *world {
	t.Helper()
	theirs := hpa("theirs", "apps/v1", "Deployment", "web")
	theirs.Spec.MinReplicas, theirs.Spec.MaxReplicas = new(int32(6)), 30
	w := newWorld(t, object(t, "web", tuningPolicy), theirs)
	d := scale.Decision{Tuning: &scale.Tuning{Min: new(int32(8)), Max: new(int32(20))}}
	a := &hpatuner.Applier{Client: w.client, By: "web"}
	target := targetref.Of(w.web())
	target.Name = "theirs"
	if _, err := a.Apply(t.Context(), target, d); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) hpaBounds() [2]int32 {
	w.t.Helper()
	var hpa autoscalingv2.HorizontalPodAutoscaler
	if err := w.client.Get(context.Background(), client.ObjectKey{Namespace: "shop", Name: "theirs"}, &hpa); err != nil {
		w.t.Fatal(err)
	}
	return [2]int32{*hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas}
}

// giver is one that has just started: it knows nothing but what the cluster says.
func (w *world) giver() giver {
	c := w.controller().Config
	c.Returner = &hpatuner.Returner{Client: w.client}
	return giver{c}
}

func (w *world) lookAfter(g giver) ctrl.Result {
	w.t.Helper()
	result, err := g.Reconcile(context.Background(), ctrl.Request{NamespacedName: client.ObjectKey{Namespace: "shop", Name: "theirs"}})
	if err != nil {
		w.t.Fatal(err)
	}
	return result
}

// TestGivenBack: an HPA that nobody tunes any more has what was found in it,
// whether or not the controller was there when that happened.
func TestGivenBack(t *testing.T) {
	edited := func(change func(*v1alpha1.WorkloadAutoscaler)) func(*world) { return func(w *world) { w.edit(change) } }
	for name, c := range map[string]struct {
		change func(*world)
		want   [2]int32
	}{
		"nothing happened": {func(*world) {}, [2]int32{8, 20}},
		"the object is gone": {func(w *world) {
			if err := w.client.Delete(t.Context(), w.web()); err != nil {
				t.Fatal(err)
			}
		}, [2]int32{6, 30}},
		"the object is on its way": {func(w *world) {
			w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Finalizers = []string{"example.com/slow"} })
			if err := w.client.Delete(t.Context(), w.web()); err != nil {
				t.Fatal(err)
			}
		}, [2]int32{6, 30}},
		"it scales by itself":   {edited(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Actuator, o.Spec.HPAName = v1alpha1.ActuatorScale, "" }), [2]int32{6, 30}},
		"it tunes another":      {edited(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.HPAName = "other" }), [2]int32{6, 30}},
		"it is off":             {edited(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Mode = v1alpha1.ModeOff }), [2]int32{6, 30}},
		"it only recommends":    {edited(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Mode = v1alpha1.ModeRecommend }), [2]int32{6, 30}},
		"there is an emergency": {edited(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Mode = v1alpha1.ModeEmergency }), [2]int32{8, 20}},
		"another object came to its target": {func(w *world) {
			if err := w.client.Create(t.Context(), object(t, "two", queuePolicy)); err != nil {
				t.Fatal(err)
			}
		}, [2]int32{6, 30}},
		"another HPA came to its target": {func(w *world) {
			if err := w.client.Create(t.Context(), hpa("new", "apps/v1", "Deployment", "web")); err != nil {
				t.Fatal(err)
			}
		}, [2]int32{6, 30}},
		"it is off, and all scaling is paused": {func(w *world) {
			w.admin.Paused = true
			w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Mode = v1alpha1.ModeOff })
		}, [2]int32{8, 20}},
		"it is off, and its namespace is excluded": {func(w *world) {
			w.admin.ExcludedNamespaces = []string{"shop"}
			w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Mode = v1alpha1.ModeOff })
		}, [2]int32{8, 20}},
		"it is off, and the controller runs dry": {func(w *world) {
			w.dry = true
			w.edit(func(o *v1alpha1.WorkloadAutoscaler) { o.Spec.Mode = v1alpha1.ModeOff })
		}, [2]int32{8, 20}},
	} {
		t.Run(name, func(t *testing.T) {
			w := tunedWorld(t)
			c.change(w)
			result := w.lookAfter(w.giver())
			if got := w.hpaBounds(); got != c.want {
				t.Errorf("the HPA is %v, want %v", got, c.want)
			}
			if waits := result.RequeueAfter > 0; waits != (c.want == [2]int32{8, 20}) {
				t.Errorf("looks again after %s, the HPA is %v", result.RequeueAfter, c.want)
			}
			told := strings.Join(w.heard(), "\n")
			if given := c.want == [2]int32{6, 30}; given != strings.Contains(told, "GivenBack") {
				t.Errorf("events: %s", told)
			}
			w.lookAfter(w.giver())
			if again := w.heard(); len(again) > 0 {
				t.Errorf("told again: %v", again)
			}
		})
	}
}

// TestAnotherShardGivesBack: only the shard of the object does.
func TestAnotherShardGivesBack(t *testing.T) {
	w := tunedWorld(t)
	if err := w.client.Delete(t.Context(), w.web()); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		g := w.giver()
		g.Shard = shard.Shard{Index: i, Of: 3}
		before := w.hpaBounds()
		w.lookAfter(g)
		if mine := owns(g.Shard, client.ObjectKey{Namespace: "shop", Name: "web"}); !mine && w.hpaBounds() != before {
			t.Errorf("shard %d of 3 gave back another's", i)
		}
	}
	if got := w.hpaBounds(); got != [2]int32{6, 30} {
		t.Errorf("the HPA is %v", got)
	}
}

// TestTheHPABeforeIsWoken: where an object names another HPA, the one it named
// before is looked after.
func TestTheHPABeforeIsWoken(t *testing.T) {
	q := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	defer q.ShutDown()
	before, after := object(t, "web", tuningPolicy), object(t, "web", `{replicas: {max: 3}}`)
	onTuner().Update(t.Context(), event.UpdateEvent{ObjectOld: before, ObjectNew: after}, q)
	onTuner().Delete(t.Context(), event.DeleteEvent{Object: before}, q)
	if q.Len() != 1 {
		t.Fatalf("%d are woken, want one", q.Len())
	}
	if got, _ := q.Get(); got.Name != "theirs" || got.Namespace != "shop" {
		t.Errorf("%s is woken", got)
	}
}
