package deletioncost

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Pods finds the pods of a workload. They are only read.
type Pods interface {
	Of(ctx context.Context, target targetref.Target) ([]*corev1.Pod, error)
}

// Applier marks the pods that are to go first.
type Applier struct {
	Pods   Pods
	Client client.Writer
}

var _ apply.Applier = (*Applier)(nil)

// Apply marks the pods that leave, the first of them with the lowest cost, and takes the
// marks of others back.
func (a *Applier) Apply(ctx context.Context, target targetref.Target, d scale.Decision) (apply.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return apply.Outcome{}, err
	}
	pods, err := a.Pods.Of(ctx, target)
	if err != nil {
		return waits(err), nil
	}
	for _, pod := range pods {
		if pod.DeletionTimestamp != nil {
			continue
		}
		cost := ""
		if i := slices.Index(d.Leaving, pod.Name); i >= 0 {
			cost = strconv.Itoa(i - len(d.Leaving))
		}
		if err := a.mark(ctx, pod, cost); client.IgnoreNotFound(err) != nil && !apierrors.IsConflict(err) {
			return waits(err), nil // the next pod would most likely meet the same
		}
	}
	return apply.Outcome{}, nil
}

// mark gives a pod a cost; empty takes ours back.
func (a *Applier) mark(ctx context.Context, pod *corev1.Pod, cost string) error {
	has, ours := pod.Annotations[corev1.PodDeletionCost], pod.Annotations[v1alpha1.DeletionCostAnnotation]
	if has == cost && ours == cost || has != ours {
		return nil // as it should be, or somebody else's
	}
	value := any(cost)
	if cost == "" {
		value = nil
	}
	// The uid is a precondition: a new pod may have the name of an old one.
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{
		"uid": pod.UID, "annotations": map[string]any{corev1.PodDeletionCost: value, v1alpha1.DeletionCostAnnotation: value},
	}})
	if err != nil {
		return err
	}
	written := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name}}
	return a.Client.Patch(ctx, written, client.RawPatch(types.MergePatchType, patch))
}

// waits tells that pods could not be marked, and what to do about it.
func waits(err error) apply.Outcome {
	why := err.Error()
	if apierrors.IsForbidden(err) {
		why = "the controller may not patch pods: turn nodeAutoscalers.deletionCost on in the chart, or apply config/node-autoscalers"
	}
	return apply.Outcome{Waiting: []apply.Wait{{Who: "behavior.scaleDown.emptiestFirst", Why: why}}}
}
