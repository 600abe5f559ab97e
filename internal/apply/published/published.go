package published

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// patience is how long the watch of VerticalPodAutoscalers may take to begin, and a
// write to be answered.
const patience = 5 * time.Second

// NameOf is the name of the VerticalPodAutoscaler of an object.
func NameOf(object string) string { return "tidemark-" + object }

// Applier keeps the VerticalPodAutoscaler of one object.
type Applier struct {
	// Client reads from the cache.
	Client client.Client
	Object *v1alpha1.WorkloadAutoscaler
	// Rules say what of a size is the object's to decide.
	Rules podsize.Rules
	Clock clock.PassiveClock
}

var _ apply.Applier = (*Applier)(nil)

// Apply shows the size that was decided. It writes only what differs.
func (a *Applier) Apply(ctx context.Context, target targetref.Target, d scale.Decision) (apply.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return apply.Outcome{}, err
	}
	sizes := a.Rules.Only(d.Want.Containers)
	if len(sizes) == 0 {
		return apply.Outcome{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	name := NameOf(a.Object.Name)
	if err := a.show(ctx, name, target, sizes); err != nil {
		return waits(name, err), nil
	}
	return apply.Outcome{Published: &name}, nil
}

func (a *Applier) show(ctx context.Context, name string, target targetref.Target, sizes []scale.Container) error {
	found := &vpav1.VerticalPodAutoscaler{}
	err := a.Client.Get(ctx, client.ObjectKey{Namespace: a.Object.Namespace, Name: name}, found)
	want := a.vpa(name, target)
	switch {
	case apierrors.IsNotFound(err):
		if err := a.Client.Create(ctx, want); err != nil {
			return err
		}
		found = want
	case err != nil:
		return err
	case !owned(found, a.Object):
		return errors.New("there is one of that name that is not ours: rename it")
	case !equality.Semantic.DeepEqual(found.Spec, want.Spec):
		if err := a.patch(ctx, a.Client, found, map[string]any{"spec": want.Spec}); err != nil {
			return err
		}
	}
	status := a.status(found, sizes)
	if equality.Semantic.DeepEqual(found.Status, status) {
		return nil
	}
	return a.patch(ctx, statusOf{a.Client.Status()}, found, map[string]any{"status": status})
}

// vpa is the object without its status. Its recommender is nobody else's, and its mode
// lets nobody follow it.
func (a *Applier) vpa(name string, target targetref.Target) *vpav1.VerticalPodAutoscaler {
	off := vpav1.UpdateModeOff
	return &vpav1.VerticalPodAutoscaler{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: a.Object.Namespace, Name: name, Labels: map[string]string{"app.kubernetes.io/managed-by": v1alpha1.RecommenderName},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "WorkloadAutoscaler", Name: a.Object.Name, UID: a.Object.UID, Controller: new(true),
			}},
		},
		Spec: vpav1.VerticalPodAutoscalerSpec{
			TargetRef:    &autoscalingv1.CrossVersionObjectReference{APIVersion: target.APIVersion, Kind: target.Kind, Name: target.Name},
			UpdatePolicy: &vpav1.PodUpdatePolicy{UpdateMode: &off},
			Recommenders: []*vpav1.VerticalPodAutoscalerRecommenderSelector{{Name: v1alpha1.RecommenderName}},
		},
	}
}

// status is what the object shows: one size, so that all bounds are the target.
func (a *Applier) status(found *vpav1.VerticalPodAutoscaler, sizes []scale.Container) vpav1.VerticalPodAutoscalerStatus {
	out := *found.Status.DeepCopy()
	out.Recommendation = &vpav1.RecommendedPodResources{}
	for _, c := range sizes {
		target := podsize.Requests(c.Requests)
		out.Recommendation.ContainerRecommendations = append(out.Recommendation.ContainerRecommendations, vpav1.RecommendedContainerResources{
			ContainerName: c.Name, Target: target, LowerBound: target, UpperBound: target, UncappedTarget: target,
		})
	}
	provided := vpav1.VerticalPodAutoscalerCondition{
		Type: vpav1.RecommendationProvided, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(a.Clock.Now()).Rfc3339Copy(),
	}
	for _, c := range found.Status.Conditions {
		if c.Type == provided.Type && c.Status == provided.Status {
			provided = c
		}
	}
	out.Conditions = []vpav1.VerticalPodAutoscalerCondition{provided}
	return out
}

// patcher is the object, or its status.
type patcher interface {
	Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error
}

// statusOf patches the status of objects.
type statusOf struct{ client.SubResourceWriter }

func (s statusOf) Patch(ctx context.Context, obj client.Object, patch client.Patch, _ ...client.PatchOption) error {
	return s.SubResourceWriter.Patch(ctx, obj, patch)
}

func (a *Applier) patch(ctx context.Context, to patcher, found *vpav1.VerticalPodAutoscaler, fields map[string]any) error {
	text, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	return to.Patch(ctx, found.DeepCopy(), client.RawPatch("application/merge-patch+json", text))
}

// owned tells whether an object wrote a VerticalPodAutoscaler.
func owned(vpa *vpav1.VerticalPodAutoscaler, by *v1alpha1.WorkloadAutoscaler) bool {
	owner := metav1.GetControllerOf(vpa)
	return owner != nil && owner.UID == by.UID
}

// waits tells that something could not be written, and what to do about it.
func waits(name string, err error) apply.Outcome {
	why := err.Error()
	switch {
	case meta.IsNoMatchError(err):
		why = "the cluster does not know VerticalPodAutoscalers: install the VPA's CustomResourceDefinitions, or remove vertical.publish"
	case apierrors.IsForbidden(err):
		why = "the controller may not write it: turn nodeAutoscalers.publishVPA on in the chart, or apply config/node-autoscalers"
	}
	return apply.Outcome{Waiting: []apply.Wait{{Who: "VerticalPodAutoscaler " + name, Why: why}}}
}

// Withdrawal deletes what an object has published, once it publishes nothing or does
// not act any more.
type Withdrawal struct {
	Client client.Client
	Object *v1alpha1.WorkloadAutoscaler
}

var _ apply.Applier = (*Withdrawal)(nil)

// Apply deletes the VerticalPodAutoscaler, if it is the object's.
func (w *Withdrawal) Apply(ctx context.Context, _ targetref.Target, _ scale.Decision) (apply.Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	name, gone := w.Object.Status.PublishedVPA, ""
	found := &vpav1.VerticalPodAutoscaler{}
	err := w.Client.Get(ctx, client.ObjectKey{Namespace: w.Object.Namespace, Name: name}, found)
	if err == nil && owned(found, w.Object) {
		err = w.Client.Delete(ctx, found, client.Preconditions{UID: &found.UID})
	}
	if client.IgnoreNotFound(err) != nil && !meta.IsNoMatchError(err) {
		return waits(name, err), nil
	}
	return apply.Outcome{Published: &gone}, nil
}
