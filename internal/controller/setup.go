package controller

import (
	"context"
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/fair"
)

// SetupWithManager registers the loop and what wakes it up: a new spec, a conflict
// that comes or goes, and a target that comes, goes, or is scaled by someone
// else. The indexes must be there already.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager, workers int) error {
	retries := newBackOff(func(req reconcile.Request) time.Duration { return r.lastRuns.period(req.NamespacedName) })
	retries.unfinished = func(req reconcile.Request) bool { return r.looks.under(req.NamespacedName) }
	warm := true // a replica that stands by has its caches filled when it is needed
	err := ctrl.NewControllerManagedBy(mgr).
		Named("workloadautoscaler").
		For(&v1alpha1.WorkloadAutoscaler{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, pauseChanged()))).
		Watches(&v1alpha1.WorkloadAutoscaler{}, r.onConflict(), builder.WithPredicates(retargeted())).
		Watches(&autoscalingv2.HorizontalPodAutoscaler{}, r.onConflict(), builder.WithPredicates(retargeted())).
		Watches(&appsv1.Deployment{}, r.onTarget()).
		Watches(&appsv1.StatefulSet{}, r.onTarget()).
		WatchesRawSource(source.Func(func(_ context.Context, q queue) error {
			r.looks.into(q) // answers that were under way wake looks up
			return nil
		})).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: workers, ReconciliationTimeout: lookTime, EnableWarmup: &warm, NewQueue: fair.NewQueue(workers), RateLimiter: retries,
		}).
		Complete(r)
	if err != nil {
		return fmt.Errorf("registering the controller: %w", err)
	}
	if r.Neighbors != nil {
		if err := mgr.Add(r.Neighbors); err != nil {
			return fmt.Errorf("registering the neighbors: %w", err)
		}
	}
	if r.Returner != nil {
		if err := (giver{r.Config}).setup(mgr); err != nil {
			return err
		}
	}
	if r.Boosts != nil {
		if err := r.boosts.setup(mgr); err != nil {
			return err
		}
	}
	if r.Tuning.Compare != nil {
		if err := mgr.Add(&tuner{histories: r.histories}); err != nil {
			return fmt.Errorf("registering the tuner: %w", err)
		}
	}
	if err := mgr.Add(r); err != nil {
		return fmt.Errorf("registering the end of the controller: %w", err)
	}
	return nil
}
