package resize

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Pods finds the pods of a workload. They are only read.
type Pods interface {
	Of(ctx context.Context, target targetref.Target) ([]*corev1.Pod, error)
}

// Applier brings the pods of one object's workload to their decided size.
type Applier struct {
	Pods   Pods
	Client client.SubResourceClientConstructor
	Clock  clock.PassiveClock
	// Rules say what of a size is the object's to write.
	Rules podsize.Rules
	// Update and NewPodsAreSized have the meaning they have in a plan.Policy.
	Update          v1alpha1.VerticalUpdate
	NewPodsAreSized bool
	// MinReplicas and Requirements too.
	MinReplicas  int32
	Requirements []scale.EvictionRequirement
	// Absence is what is known of an API server that cannot resize.
	Absence *Absence
}

var _ apply.Applier = (*Applier)(nil)

// Apply does one round. It stops at an error, because the next pod would most
// likely meet the same one; a refusal or a disruption budget is none.
func (a *Applier) Apply(ctx context.Context, target targetref.Target, d scale.Decision) (apply.Outcome, error) {
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
	members, seen, leaving := membersOf(pods, want)
	done := report{sizes: want}
	todo := plan.Round(nil, seen, leaving, plan.Policy{
		Update: plan.Update(a.Update), NewPodsAreSized: a.NewPodsAreSized, Replicas: max(d.From.Replicas, d.Want.Replicas), Now: a.Clock.Now(),
		MinReplicas: a.MinReplicas, Requirements: a.Requirements,
	})
	changes := changesOf(members, todo, want)
	answers := a.askForAll(ctx, changes)
	done.obstacle = obstacleOf(answers)
	var failed error
	for i, act := range todo {
		if act.Verb == plan.Evict && failed != nil {
			continue
		}
		failed = cmp.Or(failed, a.finish(ctx, act, changes[i], answers[i], &done))
	}
	return done.outcome(), failed
}

// finish deals with what came of one action.
func (a *Applier) finish(ctx context.Context, act plan.Action, c change, answer error, done *report) error {
	switch act.Verb {
	case plan.Wait:
		done.waits(c.pod, act.Why)
		return nil
	case plan.Evict:
		return a.evict(ctx, c.pod, act.Why, done)
	}
	return a.settleResize(ctx, c, answer, done)
}

func changesOf(members []*corev1.Pod, todo []plan.Action, want []scale.Container) []change {
	out := make([]change, len(todo))
	for i, act := range todo {
		pod := members[act.Pod]
		out[i] = change{pod: pod, why: act.Why, mayEvict: act.MayEvict}
		switch act.Verb {
		case plan.Resize:
			out[i].fitted = podsize.Fit(pod, besideBoost(pod, want))
		case plan.Grow:
			out[i].fitted = podsize.FitUp(pod, besideBoost(pod, want))
		}
	}
	return out
}

// change is what a resize asks for.
type change struct {
	pod    *corev1.Pod
	fitted []podsize.Fitted
	why    string
	// mayEvict is set when the pod may be evicted instead.
	mayEvict bool
}

// patchesAtOnce is how many resizes are asked for at once: who grows needs it now.
const patchesAtOnce = 16

// errSkipped stands for a resize that was not asked for any more.
var errSkipped = errors.New("not asked for, since another resize failed")

// askForAll asks for the new sizes and returns the answers in their order. After
// an error that the next pod would most likely meet too, no more are asked for.
func (a *Applier) askForAll(ctx context.Context, changes []change) []error {
	answers := make([]error, len(changes))
	var failed atomic.Bool
	var asking errgroup.Group
	asking.SetLimit(patchesAtOnce)
	for i := range changes {
		if len(changes[i].fitted) == 0 {
			continue
		}
		asking.Go(func() error {
			answers[i] = errSkipped
			if !failed.Load() {
				answers[i] = a.ask(ctx, changes[i])
			}
			if err := answers[i]; err != nil && !refuses(err) && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
				failed.Store(true)
			}
			return nil
		})
	}
	_ = asking.Wait() // The answers say it all.
	return answers
}

func (a *Applier) ask(ctx context.Context, c change) error {
	if err := a.Absence.known(a.Clock.Now()); err != nil {
		return err
	}
	patch, err := patchOf(c)
	if err != nil {
		return err
	}
	err = a.Client.SubResource(subresource).Patch(ctx, named(c.pod), client.RawPatch(types.StrategicMergePatchType, patch))
	a.Absence.note(err, a.Clock.Now())
	return err
}

// refuses tells whether an answer is about this pod alone.
func refuses(err error) bool {
	return lacksResize(err) || apierrors.IsInvalid(err) || apierrors.IsBadRequest(err)
}

// settleResize deals with the answer to a resize. A pod that is gone needs none.
func (a *Applier) settleResize(ctx context.Context, c change, answer error, done *report) error {
	switch {
	case answer == nil:
		done.noteResized(c)
		return nil
	case done.obstacle != "" && (errors.Is(answer, errSkipped) || namespaceRefuses(answer)):
		// A new pod would be refused too, and those that were not asked for as
		// well. The same words for all of them: what is used up moves meanwhile.
		done.noteRefused(c.pod)
		return nil
	case errors.Is(answer, errSkipped):
		return nil
	case lacksResize(answer):
		return a.insteadOfResize(ctx, c, noResize, done)
	case apierrors.IsNotFound(answer):
		return nil
	case refuses(answer):
		return a.insteadOfResize(ctx, c, "the API server refuses to resize it: "+answer.Error(), done)
	}
	return apply.Explain(answer, "resizing pod "+c.pod.Namespace+"/"+c.pod.Name, "patch pods/resize")
}

// obstacleOf is what the API server said of a size that the namespace does not
// allow; empty if it did not.
func obstacleOf(answers []error) string {
	for _, err := range answers {
		if namespaceRefuses(err) {
			return err.Error()
		}
	}
	return ""
}

// namespaceRefuses tells whether a quota or a LimitRange is in the way.
func namespaceRefuses(err error) bool {
	if !apierrors.IsForbidden(err) {
		return false
	}
	reason, _ := apply.NamespaceRefusal(err.Error())
	return reason != ""
}

// noResize is found out by asking: a version would say less than the answer.
const noResize = "the API server does not resize pods in place: it has no pods/resize, which Kubernetes 1.33 and later have unless it was turned off"

// lacksResize tells an unknown subresource from a pod that is gone: the answer to
// the former names no pod, or is not of the API server's own form.
func lacksResize(err error) bool {
	if apierrors.IsMethodNotSupported(err) {
		return true
	}
	var answer apierrors.APIStatus
	if !apierrors.IsNotFound(err) || !errors.As(err, &answer) {
		return false
	}
	what := answer.Status().Details
	return what == nil || what.Name == "" || apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}

// insteadOfResize evicts a pod that cannot be resized, if it may go in this
// round.
func (a *Applier) insteadOfResize(ctx context.Context, c change, why string, done *report) error {
	if c.mayEvict && !done.evicted {
		return a.evict(ctx, c.pod, why, done)
	}
	done.waits(c.pod, why)
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
		done.noteReplaced(pod, why)
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
