package hpa_test

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/scale"
)

// Names are few, and prefixes run into each other, so that targets and metrics
// meet often and sometimes by accident.
var (
	containers  = rapid.SampledFrom([]string{"app", "sidecar", "memory-app"})
	prefixes    = rapid.SampledFrom([]string{"", "load-", "load-memory-", "app"})
	annotations = []string{
		"autoscaling.tidemark.dev/container-based-cpu-metric-prefix",
		"autoscaling.tidemark.dev/container-based-memory-metric-prefix",
		"tortoises.autoscaling.mercari.com/container-based-cpu-metric-prefix",
		"tortoises.autoscaling.mercari.com/container-based-memory-metric-prefix",
		"team",
	}
	resources = rapid.SampledFrom(scale.EveryResource[:])
)

// tunings draws every tuning, most of them with something to correct.
func tunings() *rapid.Generator[scale.Tuning] {
	return rapid.Custom(func(t *rapid.T) scale.Tuning {
		return scale.Tuning{
			Min:   rapid.Ptr(rapid.Int32Range(-2, 12), true).Draw(t, "min"),
			Max:   rapid.Ptr(rapid.Int32Range(-2, 12), true).Draw(t, "max"),
			Alone: rapid.SampledFrom([]string{"", "app", "sidecar"}).Draw(t, "alone"),
			Targets: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) scale.LearnedTarget {
				return scale.LearnedTarget{
					Container: containers.Draw(t, "container"),
					Resource:  resources.Draw(t, "resource"),
					Percent:   rapid.Int32Range(-2, 120).Draw(t, "percent"),
				}
			}), 0, 6).Draw(t, "targets"),
		}
	})
}

// objects draws HPAs that an API server has accepted.
func objects() *rapid.Generator[*autoscalingv2.HorizontalPodAutoscaler] {
	return rapid.Custom(func(t *rapid.T) *autoscalingv2.HorizontalPodAutoscaler {
		object := &autoscalingv2.HorizontalPodAutoscaler{
			ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: map[string]string{"team": "shop"}, Annotations: map[string]string{}},
			Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
				MaxReplicas: rapid.Int32Range(1, 12).Draw(t, "max"),
				Metrics:     rapid.SliceOfN(metrics(), 0, 5).Draw(t, "metrics"),
				Behavior:    &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleDown: &autoscalingv2.HPAScalingRules{}},
			},
			Status: autoscalingv2.HorizontalPodAutoscalerStatus{CurrentReplicas: rapid.Int32Range(0, 12).Draw(t, "current")},
		}
		for _, name := range annotations {
			if rapid.Bool().Draw(t, name) {
				object.Annotations[name] = prefixes.Draw(t, "prefix")
			}
		}
		if rapid.Bool().Draw(t, "has a minimum") {
			least := rapid.Int32Range(0, object.Spec.MaxReplicas).Draw(t, "min")
			object.Spec.MinReplicas = &least
			if before := object.DeepCopy(); len(refusals(before, object)) > 0 {
				least = 1
			}
		}
		return object
	})
}

func metrics() *rapid.Generator[autoscalingv2.MetricSpec] {
	return rapid.Custom(func(t *rapid.T) autoscalingv2.MetricSpec {
		m := autoscalingv2.MetricSpec{Type: rapid.SampledFrom([]autoscalingv2.MetricSourceType{
			autoscalingv2.ContainerResourceMetricSourceType, autoscalingv2.ExternalMetricSourceType,
			autoscalingv2.ResourceMetricSourceType, autoscalingv2.PodsMetricSourceType, autoscalingv2.ObjectMetricSourceType,
		}).Draw(t, "type")}
		name := corev1.ResourceName(resources.Draw(t, "resource").String())
		id := autoscalingv2.MetricIdentifier{Name: prefixes.Draw(t, "prefix") + containers.Draw(t, "container")}
		switch m.Type {
		case autoscalingv2.ContainerResourceMetricSourceType:
			m.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{
				Name: name, Container: containers.Draw(t, "container"), Target: utilizations().Draw(t, "target"),
			}
		case autoscalingv2.ExternalMetricSourceType:
			m.External = &autoscalingv2.ExternalMetricSource{Metric: id, Target: values().Draw(t, "target")}
		case autoscalingv2.ResourceMetricSourceType:
			m.Resource = &autoscalingv2.ResourceMetricSource{Name: name, Target: utilizations().Draw(t, "target")}
		case autoscalingv2.PodsMetricSourceType:
			m.Pods = &autoscalingv2.PodsMetricSource{Metric: id, Target: averages().Draw(t, "target")}
		case autoscalingv2.ObjectMetricSourceType:
			m.Object = &autoscalingv2.ObjectMetricSource{Metric: id, Target: values().Draw(t, "target")}
		}
		return m
	})
}

func averages() *rapid.Generator[autoscalingv2.MetricTarget] {
	return rapid.Custom(func(t *rapid.T) autoscalingv2.MetricTarget {
		return autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: amounts().Draw(t, "average")}
	})
}

func values() *rapid.Generator[autoscalingv2.MetricTarget] {
	return rapid.OneOf(averages(), rapid.Custom(func(t *rapid.T) autoscalingv2.MetricTarget {
		return autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: amounts().Draw(t, "value")}
	}))
}

func utilizations() *rapid.Generator[autoscalingv2.MetricTarget] {
	return rapid.OneOf(averages(), rapid.Custom(func(t *rapid.T) autoscalingv2.MetricTarget {
		percent := rapid.Int32Range(1, 120).Draw(t, "percent")
		return autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent}
	}))
}

// amounts are whole numbers and thousandths.
func amounts() *rapid.Generator[*resource.Quantity] {
	return rapid.Custom(func(t *rapid.T) *resource.Quantity {
		n := rapid.Int64Range(1, 120).Draw(t, "amount")
		if rapid.Bool().Draw(t, "thousandths") {
			return resource.NewMilliQuantity(n*250, resource.DecimalSI)
		}
		return resource.NewQuantity(n, resource.DecimalSI)
	})
}
