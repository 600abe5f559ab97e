package controller

import (
	"context"
	"fmt"
	"strings"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Returner gives an HPA back what was found in it before it was tuned.
type Returner interface {
	// TunedBy returns the name of the object that has changed an HPA, and whether
	// there is one.
	TunedBy(*autoscalingv2.HorizontalPodAutoscaler) (string, bool)
	GiveBack(context.Context, *autoscalingv2.HorizontalPodAutoscaler) ([]apply.Change, error)
}

// giver looks after HPAs that were tuned. It keeps nothing of its own: what is to
// be given back is written on the HPA, and whether anyone still tunes it is in
// the objects. So it does not matter whether the controller was there when an
// object went, and no finalizer has to hold an object back for it.
type giver struct{ Config }

// lookAgain is how often it is asked whether a pause is over, and whether a
// tuned HPA is contested: who comes in between need not name the HPA.
const lookAgain = time.Minute

// Reconcile gives an HPA back that nobody tunes any more.
func (g giver) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var hpa autoscalingv2.HorizontalPodAutoscaler
	if err := g.Client.Get(ctx, req.NamespacedName, &hpa); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	by, tuned := g.Returner.TunedBy(&hpa)
	owner := client.ObjectKey{Namespace: hpa.Namespace, Name: by}
	if !tuned || !hpa.DeletionTimestamp.IsZero() || !owns(g.Shard, owner) {
		return ctrl.Result{}, nil
	}
	if g.Permits.Namespace(hpa.Namespace) != nil { // nothing at all is written then
		return ctrl.Result{RequeueAfter: lookAgain}, nil
	}
	switch still, err := g.tunes(ctx, owner, hpa.Name); {
	case err != nil:
		return ctrl.Result{}, err
	case still:
		return ctrl.Result{RequeueAfter: lookAgain}, nil
	}
	changes, err := g.Returner.GiveBack(ctx, &hpa)
	if err != nil {
		return ctrl.Result{}, err
	}
	texts := make([]string, len(changes))
	for i, c := range changes {
		texts[i] = fmt.Sprintf("%s from %s to %s", c.Path, c.From, c.To)
	}
	log.FromContext(ctx).Info("Gave back what was found in the HPA", "by", by, "changes", texts)
	if len(texts) > 0 {
		g.Events.Eventf(&hpa, nil, corev1.EventTypeNormal, string(scale.GivenBack), "Tuning", "%s",
			record.Short(fmt.Sprintf("WorkloadAutoscaler %s no longer tunes it: set %s", by, strings.Join(texts, ", "))))
	}
	return ctrl.Result{}, nil
}

// tunes tells whether an object keeps an HPA tuned. One that is in mode Off or
// Recommend, or that may not act beside others, does not: bounds that were
// learned for one hour would stay forever.
func (g giver) tunes(ctx context.Context, key client.ObjectKey, hpa string) (bool, error) {
	var obj v1alpha1.WorkloadAutoscaler
	err := g.Client.Get(ctx, key, &obj)
	switch {
	case apierrors.IsNotFound(err):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("reading the object that tunes the HPA: %w", err)
	}
	if tuned, tunes := targetref.TunedHPA(&obj); !tunes || tuned.Name != hpa {
		return false, nil
	}
	why, err := g.Permits.CheckTuner(ctx, &obj)
	return why == nil, err
}

// setup registers the loop. It looks at every HPA with our note when the
// controller starts, and again when the HPA or its object changes.
func (g giver) setup(mgr ctrl.Manager) error {
	noted := predicate.NewPredicateFuncs(func(obj client.Object) bool {
		hpa, ok := obj.(*autoscalingv2.HorizontalPodAutoscaler)
		if !ok {
			return false
		}
		_, tuned := g.Returner.TunedBy(hpa)
		return tuned
	})
	warm, longest := true, func(reconcile.Request) time.Duration { return lookAgain }
	err := ctrl.NewControllerManagedBy(mgr).
		Named("tunedhpa").
		For(&autoscalingv2.HorizontalPodAutoscaler{}, builder.WithPredicates(noted)).
		Watches(&v1alpha1.WorkloadAutoscaler{}, onTuner(), builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WithOptions(controller.Options{RateLimiter: newBackOff(longest), EnableWarmup: &warm}).
		Complete(g)
	if err != nil {
		return fmt.Errorf("registering the controller that gives HPAs back: %w", err)
	}
	return nil
}

// onTuner wakes the HPAs that an object named before it changed, or went.
func onTuner() handler.EventHandler {
	wake := func(obj client.Object, q queue) {
		if o, ok := obj.(*v1alpha1.WorkloadAutoscaler); ok && o.Spec.HPAName != "" {
			q.Add(reconcile.Request{NamespacedName: client.ObjectKey{Namespace: o.Namespace, Name: o.Spec.HPAName}})
		}
	}
	return handler.Funcs{
		UpdateFunc: func(_ context.Context, e event.UpdateEvent, q queue) {
			wake(e.ObjectOld, q)
			wake(e.ObjectNew, q)
		},
		DeleteFunc: func(_ context.Context, e event.DeleteEvent, q queue) { wake(e.Object, q) },
	}
}
