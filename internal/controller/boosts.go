package controller

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/internal/apply"
)

// Boosts knows the pods that have a start-up boost, and takes it back.
type Boosts interface {
	// Of tells whether a pod still has its boost, by which object and until when.
	Of(*corev1.Pod) (by string, ends time.Time, boosted bool)
	TakeBack(context.Context, *corev1.Pod) ([]apply.Change, error)
}

// unbooster takes boosts back that are over. What it has to know stands on the pods,
// so it does not matter whether the controller was there when a pod became ready, nor
// what became of the object that gave the boost.
type unbooster struct {
	Config
	mu sync.Mutex
	// known are the boosted pods, and when their boosts end.
	known map[client.ObjectKey]time.Time
}

// boostLate is how long after its end a boost counts as one that is not taken back.
const boostLate = time.Minute

// Reconcile takes the boost of a pod back, or waits until it is over.
func (u *unbooster) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var pod corev1.Pod
	if err := u.Client.Get(ctx, req.NamespacedName, &pod); err != nil {
		u.note(req.NamespacedName, time.Time{})
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	by, ends, boosted := u.Boosts.Of(&pod)
	over := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed || pod.DeletionTimestamp != nil
	if !boosted || over || !owns(u.Shard, client.ObjectKey{Namespace: pod.Namespace, Name: by}) {
		u.note(req.NamespacedName, time.Time{})
		return ctrl.Result{}, nil
	}
	u.note(req.NamespacedName, ends)
	if wait := ends.Sub(u.Clock.Now()); wait > 0 {
		return ctrl.Result{RequeueAfter: wait}, nil
	}
	if u.Permits.Namespace(pod.Namespace) != nil { // nothing at all is written then
		return ctrl.Result{RequeueAfter: lookAgain}, nil
	}
	changes, err := u.Boosts.TakeBack(ctx, &pod)
	if err != nil {
		return ctrl.Result{}, err
	}
	log.FromContext(ctx).V(1).Info("Took the start-up boost of a pod back", "by", by, "changes", len(changes))
	return ctrl.Result{}, nil
}

// note keeps when the boost of a pod ends; zero is that it has none.
func (u *unbooster) note(pod client.ObjectKey, ends time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if ends.IsZero() {
		delete(u.known, pod)
		return
	}
	if u.known == nil {
		u.known = map[client.ObjectKey]time.Time{}
	}
	u.known[pod] = ends
}

// BoostedPods counts the pods that have their boost: rightly so, and although it is
// over.
func (r *Reconciler) BoostedPods() (starting, overdue int) { return r.boosts.counts() }

func (u *unbooster) counts() (starting, overdue int) {
	late := u.Clock.Now().Add(-boostLate)
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, ends := range u.known {
		if ends.Before(late) {
			overdue++
		} else {
			starting++
		}
	}
	return starting, overdue
}

// setup registers the loop. It looks at every boosted pod when the controller starts,
// and again when one changes.
func (u *unbooster) setup(mgr ctrl.Manager) error {
	noted := predicate.NewPredicateFuncs(func(obj client.Object) bool {
		pod, ok := obj.(*corev1.Pod)
		if !ok {
			return false
		}
		_, _, boosted := u.Boosts.Of(pod)
		return boosted || u.knows(client.ObjectKeyFromObject(pod))
	})
	warm, longest := true, func(reconcile.Request) time.Duration { return lookAgain }
	err := ctrl.NewControllerManagedBy(mgr).
		Named("boostedpod").
		For(&corev1.Pod{}, builder.WithPredicates(noted)).
		WithOptions(controller.Options{RateLimiter: newBackOff(longest), EnableWarmup: &warm}).
		Complete(u)
	if err != nil {
		return fmt.Errorf("registering the controller that takes boosts back: %w", err)
	}
	return nil
}

func (u *unbooster) knows(pod client.ObjectKey) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, known := u.known[pod]
	return known
}
