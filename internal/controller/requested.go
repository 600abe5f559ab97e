package controller

import (
	"context"
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/targetref"
)

// offerScale makes the object's scale subresource readable for an HPA that
// points at it. The API server cannot serve one without a number in
// spec.replicas.requested, and the HPA cannot write the first number before it
// has read one. So the current count is written there, once, on behalf of the
// HPA: it asks for nothing new. Without such an HPA the spec is never touched.
func (r *Reconciler) offerScale(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler, current int32) error {
	if obj.Spec.Replicas.Requested != nil || r.Permits.DryRun {
		return nil
	}
	self := targetref.Target{APIVersion: v1alpha1.GroupVersion.String(), Kind: v1alpha1.Kind, Namespace: obj.Namespace, Name: obj.Name}
	var feeding autoscalingv2.HorizontalPodAutoscalerList
	if err := targetref.List(ctx, r.Client, self, &feeding); err != nil {
		return fmt.Errorf("looking for HPAs that point at this object: %w", err)
	}
	if len(feeding.Items) == 0 {
		return nil
	}
	patch := fmt.Appendf(nil, `{"metadata":{"uid":%q,"resourceVersion":%q},"spec":{"replicas":{"requested":%d}}}`, obj.UID, obj.ResourceVersion, current)
	if err := r.Client.Patch(ctx, obj.DeepCopy(), client.RawPatch(types.MergePatchType, patch)); err != nil {
		return fmt.Errorf("writing spec.replicas.requested for the HPA %s: %w", feeding.Items[0].Name, err)
	}
	return nil
}
