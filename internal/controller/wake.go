package controller

import (
	"context"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/policy"
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// onTarget wakes the objects of a target that came, went, or has another count
// than we gave it. What is there when the controller starts wakes nobody: every
// object has its first round then anyway.
func (r *Reconciler) onTarget() handler.EventHandler {
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) {
			if target, _ := targetAndCount(e.Object); !e.IsInInitialList {
				r.wakeAll(ctx, q, target, r.wake)
			}
		},
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) {
			target, count := targetAndCount(e.ObjectNew)
			if _, before := targetAndCount(e.ObjectOld); before != count {
				r.wakeAll(ctx, q, target, func(key client.ObjectKey) bool { return r.lastRuns.disturb(key, count) })
			}
		},
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) {
			target, _ := targetAndCount(e.Object)
			r.wakeAll(ctx, q, target, r.wake)
		},
	}
}

// onConflict wakes the objects that share a target with an object or an HPA that
// came, went or was pointed elsewhere, and the object that an HPA points at.
func (r *Reconciler) onConflict() handler.EventHandler {
	wake := func(ctx context.Context, obj client.Object, q queue) {
		target, ok := scaledBy(obj)
		if !ok {
			return
		}
		r.wakeAll(ctx, q, target, r.wake)
		if key := (client.ObjectKey{Namespace: target.Namespace, Name: target.Name}); target.Kind == v1alpha1.Kind && owns(r.Shard, key) {
			r.wake(key)
			q.Add(reconcile.Request{NamespacedName: key})
		}
	}
	return handler.Funcs{
		CreateFunc: func(ctx context.Context, e event.CreateEvent, q queue) {
			if !e.IsInInitialList {
				wake(ctx, e.Object, q)
			}
		},
		UpdateFunc: func(ctx context.Context, e event.UpdateEvent, q queue) {
			wake(ctx, e.ObjectOld, q)
			wake(ctx, e.ObjectNew, q)
		},
		DeleteFunc: func(ctx context.Context, e event.DeleteEvent, q queue) { wake(ctx, e.Object, q) },
	}
}

// retargeted lets those updates pass that change who scales what.
func retargeted() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		before, _ := scaledBy(e.ObjectOld)
		after, _ := scaledBy(e.ObjectNew)
		return before != after || mode(e.ObjectOld) != mode(e.ObjectNew)
	}}
}

// pauseChanged lets those updates pass that pause an object, or go on with it, by
// an annotation, which is no change of its spec.
func pauseChanged() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool { return pauseOf(e.ObjectOld) != pauseOf(e.ObjectNew) }}
}

// pauseOf is the text of the annotation that pauses.
func pauseOf(obj client.Object) string { return obj.GetAnnotations()[v1alpha1.PausedAnnotation] }

func scaledBy(obj client.Object) (targetref.Target, bool) {
	switch obj := obj.(type) {
	case *v1alpha1.WorkloadAutoscaler:
		return targetref.Of(obj), true
	case *autoscalingv2.HorizontalPodAutoscaler:
		return targetref.OfHPA(obj), true
	}
	return targetref.Target{}, false
}

func mode(obj client.Object) v1alpha1.Mode {
	if obj, ok := obj.(*v1alpha1.WorkloadAutoscaler); ok {
		return obj.Spec.Mode
	}
	return ""
}

func targetAndCount(obj client.Object) (targetref.Target, int32) {
	t := targetref.Target{APIVersion: appsv1.SchemeGroupVersion.String(), Namespace: obj.GetNamespace(), Name: obj.GetName()}
	var replicas *int32
	switch obj := obj.(type) {
	case *appsv1.Deployment:
		t.Kind, replicas = "Deployment", obj.Spec.Replicas
	case *appsv1.StatefulSet:
		t.Kind, replicas = "StatefulSet", obj.Spec.Replicas
	}
	if replicas == nil {
		return t, 1
	}
	return t, *replicas
}

// wakeAll queues the objects of a target that check agrees to.
func (r *Reconciler) wakeAll(ctx context.Context, q queue, target targetref.Target, check func(client.ObjectKey) bool) {
	var found v1alpha1.WorkloadAutoscalerList
	if err := targetref.List(ctx, r.Client, target, &found); err != nil {
		// They are looked at once a period anyway.
		log.FromContext(ctx).Error(err, "Looking for the objects of a target", "target", target.Key())
		return
	}
	keys := make([]client.ObjectKey, 0, len(found.Items))
	for i := range found.Items {
		keys = append(keys, client.ObjectKeyFromObject(&found.Items[i]))
	}
	for _, key := range slices.DeleteFunc(keys, func(key client.ObjectKey) bool { return !owns(r.Shard, key) || !check(key) }) {
		q.Add(reconcile.Request{NamespacedName: key})
	}
}

// wake makes an object's next round due at once.
func (r *Reconciler) wake(key client.ObjectKey) bool {
	r.lastRuns.wake(key)
	return true
}

// Told has an object looked at at once, because a source of it has something to
// tell.
func (r *Reconciler) Told(namespace, name string) {
	if key := (client.ObjectKey{Namespace: namespace, Name: name}); owns(r.Shard, key) && r.wake(key) {
		r.looks.queue(key)
	}
}

// ReadAgain has those objects looked at that would go by older settings of the
// administrator for longer than the usual period, also where their look is not over.
func (r *Reconciler) ReadAgain(ctx context.Context) error {
	var all v1alpha1.WorkloadAutoscalerList
	if err := r.Client.List(ctx, &all, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("listing the objects that new settings count for: %w", err)
	}
	for i := range all.Items {
		obj := &all.Items[i]
		if last, known := r.lastRuns.of(obj); !known || last.period > policy.DefaultSyncPeriod {
			r.Told(obj.Namespace, obj.Name)
		}
	}
	return nil
}
