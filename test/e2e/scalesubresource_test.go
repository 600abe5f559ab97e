//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestAnHPAFeedsTheScaleSubresource: the controller manager's HPA scales our
// object, and the workload follows, within our bounds.
func TestAnHPAFeedsTheScaleSubresource(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.eventuallyReady("web", 2)
	p.queue("50")
	p.autoscaler("web", `{replicas: {min: 1, max: 6}}`)
	p.create(&autoscalingv2.HorizontalPodAutoscaler{}, `{metadata: {name: feeds}, spec: {minReplicas: 1, maxReplicas: 9,
		scaleTargetRef: {apiVersion: autoscaling.tidemark.dev/v1alpha1, kind: WorkloadAutoscaler, name: web},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {type: AverageValue, averageValue: "10"}}}]}}`)
	p.eventuallyHas("web", 5)
	eventually(t, patience, p.told("web", "Normal Requested"))

	p.queue("80")
	eventually(t, patience, func() error {
		var obj v1alpha1.WorkloadAutoscaler
		if err := p.get(&obj, "web"); err != nil {
			return err
		}
		if got := obj.Spec.Replicas.Requested; got == nil || *got != 8 {
			return fmt.Errorf("the HPA requested %v, want 8", got)
		}
		return nil
	})
	p.eventuallyHas("web", 6)
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "MaxReplicas"))
	eventually(t, patience, func() error {
		var scale autoscalingv1.Scale
		obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: p.name, Name: "web"}}
		err := world.SubResource("scale").Get(t.Context(), obj, &scale)
		if err == nil && (scale.Spec.Replicas != 8 || scale.Status.Replicas != 6 || scale.Status.Selector != "app=web") {
			err = fmt.Errorf("the scale is %+v, want 8 that are desired, and 6 that are there", scale)
		}
		return err
	})
}
