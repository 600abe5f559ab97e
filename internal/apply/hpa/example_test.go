package hpa_test

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/apply/hpa"
	"github.com/tidemark/tidemark/scale"
)

func Example() {
	least, percent := int32(2), int32(70)
	object := &autoscalingv2.HorizontalPodAutoscaler{Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
		MinReplicas: &least, MaxReplicas: 10,
		Metrics: []autoscalingv2.MetricSpec{{
			Type: autoscalingv2.ContainerResourceMetricSourceType,
			ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
				Name: corev1.ResourceCPU, Container: "app",
				Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent},
			},
		}},
	}}
	tuning := scale.Tuning{Min: new(int32(4)), Max: new(int32(16)), Targets: []scale.LearnedTarget{
		{Container: "app", Resource: scale.CPU, Percent: 75},
		{Container: "app", Resource: scale.Memory, Percent: 80},
	}}

	_, changes := hpa.Tune(object, tuning)
	for _, c := range changes {
		fmt.Printf("%s: %s to %s\n", c.Path, c.From, c.To)
	}
	for _, t := range hpa.Missing(object, tuning) {
		fmt.Printf("no metric for the %s of container %s\n", t.Resource, t.Container)
	}
	// Output:
	// spec.minReplicas: 2 to 4
	// spec.maxReplicas: 10 to 16
	// spec.metrics[0].containerResource.target.averageUtilization: 70 to 75
	// no metric for the memory of container app
}
