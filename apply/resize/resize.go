package resize

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/apply"
	"github.com/tidemark/tidemark/apply/podsize"
	"github.com/tidemark/tidemark/scale"
)

// Pods finds the pods of a workload. They are only read.
type Pods interface {
	Of(ctx context.Context, target apply.Target) ([]*corev1.Pod, error)
}

// Applier brings the pods of one object's workload to their decided size.
type Applier struct {
	Pods   Pods
	Client client.SubResourceClientConstructor
	Clock  clock.PassiveClock
	// Rules say what of a size is the object's to write.
	Rules podsize.Rules
	// Update and NewPodsAreSized have the meaning they have in a Policy.
	Update          v1alpha1.VerticalUpdate
	NewPodsAreSized bool
}

var _ apply.Applier = (*Applier)(nil)

// Apply does one round. It stops at the first error, because the next pod
// would most likely meet the same one; a refusal or a disruption budget is
// none.
func (a *Applier) Apply(ctx context.Context, target apply.Target, d scale.Decision) (apply.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return apply.Outcome{}, err
	}
	want := a.Rules.Only(d.Want.Containers)
	if len(want) == 0 {
		return apply.Outcome{}, nil
	}
	pods, err := a.Pods.Of(ctx, target)
	if err != nil {
		return apply.Outcome{}, fmt.Errorf("finding the pods of %s: %w", target, err)
	}
	var done report
	for _, act := range plan(pods, want, Policy{
		Update: a.Update, NewPodsAreSized: a.NewPodsAreSized, Replicas: max(d.From.Replicas, d.Want.Replicas), Now: a.Clock.Now(),
	}) {
		if err := a.do(ctx, act, &done); err != nil {
			return done.outcome(), err
		}
	}
	return done.outcome(), nil
}

func (a *Applier) do(ctx context.Context, act action, done *report) error {
	switch act.verb {
	case waits:
		done.waits(act.pod, act.why)
		return nil
	case evicts:
		return a.evict(ctx, act.pod, act.why, done)
	}
	return a.resize(ctx, act, done)
}

// resize asks for the new size. A pod that is gone needs none.
func (a *Applier) resize(ctx context.Context, act action, done *report) error {
	patch, err := patchOf(act)
	if err != nil {
		return err
	}
	err = a.Client.SubResource("resize").Patch(ctx, named(act.pod), client.RawPatch(types.StrategicMergePatchType, patch))
	switch {
	case err == nil:
		done.resized(act)
		return nil
	case lacksResize(err):
		return a.insteadOfResize(ctx, act, "the API server cannot resize pods in place: it takes Kubernetes 1.33 or later", done)
	case apierrors.IsNotFound(err):
		return nil
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err):
		return a.insteadOfResize(ctx, act, "the API server refuses to resize it: "+err.Error(), done)
	}
	return apply.Explain(err, "resizing pod "+act.pod.Namespace+"/"+act.pod.Name, "patch pods/resize")
}

// lacksResize tells an unknown subresource from a pod that is gone: only the
// former is answered without a status.
func lacksResize(err error) bool {
	return apierrors.IsMethodNotSupported(err) ||
		apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// insteadOfResize evicts a pod that cannot be resized, if it may go in this
// round.
func (a *Applier) insteadOfResize(ctx context.Context, act action, why string, done *report) error {
	if act.mayEvict && !done.evicted {
		return a.evict(ctx, act.pod, why, done)
	}
	done.waits(act.pod, why)
	return nil
}

// evict asks for the pod to go. A disruption budget may say: not now. It gives
// itself as the cause; an API server that is only too busy answers with the same
// code, and that is an error.
func (a *Applier) evict(ctx context.Context, pod *corev1.Pod, why string, done *report) error {
	done.evicted = true
	err := a.Client.SubResource("eviction").Create(ctx, named(pod), &policyv1.Eviction{
		ObjectMeta:    metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name},
		DeleteOptions: &metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(pod.UID))},
	})
	switch {
	case err == nil:
		done.replaced(pod, why)
		return nil
	case apierrors.IsNotFound(err):
		return nil
	}
	if budget, ok := apierrors.StatusCause(err, policyv1.DisruptionBudgetCause); ok {
		done.waits(pod, why+"; a PodDisruptionBudget does not let it go now: "+budget.Message)
		return nil
	}
	return apply.Explain(err, "evicting pod "+pod.Namespace+"/"+pod.Name, "create pods/eviction")
}

// named is a pod of the same name, for a client to write its answer into. The
// pod in the cache is not ours to change.
func named(pod *corev1.Pod) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name}}
}
