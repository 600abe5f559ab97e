//go:build e2e

package e2e

import (
	"fmt"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// TestAnHPAIsTuned: the HPA gets our bounds and goes on scaling by itself.
func TestAnHPAIsTuned(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.workload("web", 2)
	p.queue("70")
	p.create(&autoscalingv2.HorizontalPodAutoscaler{}, `{metadata: {name: theirs}, spec: {minReplicas: 1, maxReplicas: 3,
		scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {type: AverageValue, averageValue: "10"}}}]}}`)
	p.eventuallyHas("web", 3)

	p.autoscaler("web", `{actuator: HPA, hpaName: theirs, replicas: {min: 2, max: 7},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	eventually(t, patience, func() error {
		var hpa autoscalingv2.HorizontalPodAutoscaler
		if err := p.get(&hpa, "theirs"); err != nil {
			return err
		}
		if *hpa.Spec.MinReplicas != 2 || hpa.Spec.MaxReplicas != 7 {
			return fmt.Errorf("the HPA is from %d to %d, want from 2 to 7", *hpa.Spec.MinReplicas, hpa.Spec.MaxReplicas)
		}
		return nil
	})
	p.eventuallyHas("web", 7)
	eventually(t, patience, p.told("web", "Normal LeftToHPA"))
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}
