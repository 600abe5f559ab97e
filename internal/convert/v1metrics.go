package convert

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func coreResource(name string) corev1.ResourceName { return corev1.ResourceName(name) }

// inV2 says a metric of autoscaling/v1, which is also that of the beta
// versions, in the words of autoscaling/v2.
func inV2(in *autoscalingv1.MetricSpec) *autoscalingv2.MetricSpec {
	out := &autoscalingv2.MetricSpec{Type: autoscalingv2.MetricSourceType(in.Type)}
	if s := in.Resource; s != nil {
		out.Resource = &autoscalingv2.ResourceMetricSource{Name: s.Name, Target: targetV2(nil, s.TargetAverageValue, s.TargetAverageUtilization)}
	}
	if s := in.ContainerResource; s != nil {
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{Name: s.Name, Container: s.Container,
			Target: targetV2(nil, s.TargetAverageValue, s.TargetAverageUtilization)}
	}
	if s := in.Pods; s != nil {
		out.Pods = &autoscalingv2.PodsMetricSource{
			Metric: autoscalingv2.MetricIdentifier{Name: s.MetricName, Selector: s.Selector}, Target: targetV2(nil, &s.TargetAverageValue, nil),
		}
	}
	if s := in.Object; s != nil {
		value := &s.TargetValue
		if s.AverageValue != nil {
			value = nil
		}
		out.Object = &autoscalingv2.ObjectMetricSource{
			DescribedObject: autoscalingv2.CrossVersionObjectReference(s.Target),
			Metric:          autoscalingv2.MetricIdentifier{Name: s.MetricName, Selector: s.Selector}, Target: targetV2(value, s.AverageValue, nil),
		}
	}
	if s := in.External; s != nil {
		out.External = &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{Name: s.MetricName, Selector: s.MetricSelector}, Target: targetV2(s.TargetValue, s.TargetAverageValue, nil),
		}
	}
	return out
}

// targetV2 makes a target of the one number that is given.
func targetV2(value, average *resource.Quantity, percent *int32) autoscalingv2.MetricTarget {
	out := autoscalingv2.MetricTarget{Value: value, AverageValue: average, AverageUtilization: percent}
	switch {
	case percent != nil:
		out.Type = autoscalingv2.UtilizationMetricType
	case average != nil:
		out.Type = autoscalingv2.AverageValueMetricType
	case value != nil:
		out.Type = autoscalingv2.ValueMetricType
	}
	return out
}
