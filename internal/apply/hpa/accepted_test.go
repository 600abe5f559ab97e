package hpa_test

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// refusals restates the API server's rules for an update of an HPA, as far as
// bounds and targets go (pkg/apis/autoscaling/validation, and the strategy that
// lets a minimum of 0 stay where it was). The feature gate for a minimum of 0
// is taken to be off, which is its default. No refusal means accepted.
func refusals(before, after *autoscalingv2.HorizontalPodAutoscaler) []string {
	var all []string
	refuse := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }

	spec, least := after.Spec, int32(1)
	if spec.MinReplicas != nil {
		least = *spec.MinReplicas
	}
	hadZero := before.Spec.MinReplicas != nil && *before.Spec.MinReplicas == 0
	wakes := false
	for i, m := range spec.Metrics {
		wakes = wakes || m.Type == autoscalingv2.ObjectMetricSourceType || m.Type == autoscalingv2.ExternalMetricSourceType
		for _, problem := range targetRefusals(m) {
			refuse("metric %d: %s", i, problem)
		}
	}
	if least < 0 || least == 0 && !hadZero {
		refuse("minReplicas %d is too small", least)
	}
	if least == 0 && !wakes {
		refuse("minReplicas 0 without an Object or External metric")
	}
	if spec.MaxReplicas < 1 {
		refuse("maxReplicas %d is too small", spec.MaxReplicas)
	}
	if spec.MaxReplicas < least {
		refuse("maxReplicas %d is below minReplicas %d", spec.MaxReplicas, least)
	}
	return all
}

// targetRefusals are the rules for the target of one metric: which of its
// numbers its type must have, may have and must not have together.
func targetRefusals(m autoscalingv2.MetricSpec) []string {
	var all []string
	target, utilizationAllowed, both := autoscalingv2.MetricTarget{}, false, false
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		target, utilizationAllowed = m.Resource.Target, true
	case autoscalingv2.ContainerResourceMetricSourceType:
		target, utilizationAllowed = m.ContainerResource.Target, true
	case autoscalingv2.PodsMetricSourceType:
		target, both = m.Pods.Target, true
	case autoscalingv2.ObjectMetricSourceType:
		target, both = m.Object.Target, true
	case autoscalingv2.ExternalMetricSourceType:
		target = m.External.Target
	}
	stated := target.Value != nil
	if utilizationAllowed {
		stated = target.AverageUtilization != nil
	}
	if !stated && target.AverageValue == nil {
		all = append(all, "no target")
	}
	if stated && target.AverageValue != nil && !both {
		all = append(all, "two targets")
	}
	if target.AverageUtilization != nil && *target.AverageUtilization < 1 {
		all = append(all, "averageUtilization is too small")
	}
	if target.Value != nil && target.Value.Sign() != 1 {
		all = append(all, "value is not positive")
	}
	if target.AverageValue != nil && target.AverageValue.Sign() != 1 {
		all = append(all, "averageValue is not positive")
	}
	return all
}
