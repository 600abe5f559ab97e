package manifest

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// HorizontalPodAutoscaler returns the autoscaler as one of Kubernetes' own.
// What is left out stays out: the API server fills in its defaults. The error
// is a fault.List.
func (a Autoscaler) HorizontalPodAutoscaler() (*autoscalingv2.HorizontalPodAutoscaler, error) {
	a = a.complete()
	if err := a.check(HorizontalPodAutoscaler); err != nil {
		return nil, err
	}
	out := &autoscalingv2.HorizontalPodAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: string(HorizontalPodAutoscaler)},
		ObjectMeta: a.objectMeta(),
	}
	out.Spec.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{APIVersion: a.Target.APIVersion, Kind: a.Target.Kind, Name: a.Target.Name}
	out.Spec.MinReplicas, out.Spec.MaxReplicas = a.MinReplicas, a.MaxReplicas
	for _, m := range a.Metrics {
		out.Spec.Metrics = append(out.Spec.Metrics, m.hpa())
	}
	directions := a.directions()
	if up, down := directions[0].hpa(), directions[1].hpa(); up != nil || down != nil {
		out.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: up, ScaleDown: down}
	}
	return out.DeepCopy(), nil
}

func (a Autoscaler) objectMeta() metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: a.Name, Namespace: a.Namespace, Labels: a.Labels, Annotations: a.Annotations}
}

func (m Metric) hpa() autoscalingv2.MetricSpec {
	out := autoscalingv2.MetricSpec{Type: autoscalingv2.MetricSourceType(m.Type)}
	id, target := autoscalingv2.MetricIdentifier{Name: m.Name, Selector: m.Selector}, m.hpaTarget()
	switch m.Type {
	case v1alpha1.ResourceMetricType:
		out.Resource = &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceName(m.Name), Target: target}
	case v1alpha1.ContainerResourceMetricType:
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{Name: corev1.ResourceName(m.Name), Container: m.Container, Target: target}
	case v1alpha1.PodsMetricType:
		out.Pods = &autoscalingv2.PodsMetricSource{Metric: id, Target: target}
	case v1alpha1.ObjectMetricType:
		of := autoscalingv2.CrossVersionObjectReference{APIVersion: m.DescribedObject.APIVersion, Kind: m.DescribedObject.Kind, Name: m.DescribedObject.Name}
		out.Object = &autoscalingv2.ObjectMetricSource{DescribedObject: of, Metric: id, Target: target}
	case v1alpha1.ExternalMetricType:
		out.External = &autoscalingv2.ExternalMetricSource{Metric: id, Target: target}
	}
	return out
}

func (m Metric) hpaTarget() autoscalingv2.MetricTarget {
	return autoscalingv2.MetricTarget{
		Type:               autoscalingv2.MetricTargetType(m.targetType()),
		Value:              m.Value,
		AverageValue:       m.AverageValue,
		AverageUtilization: m.AverageUtilization,
	}
}

// targetType is the type that the quantity implies.
func (m Metric) targetType() v1alpha1.TargetType {
	switch {
	case m.AverageUtilization != nil:
		return v1alpha1.UtilizationTarget
	case m.AverageValue != nil:
		return v1alpha1.AverageValueTarget
	}
	return v1alpha1.ValueTarget
}

func (d direction) hpa() *autoscalingv2.HPAScalingRules {
	if d.silent() {
		return nil
	}
	out := &autoscalingv2.HPAScalingRules{}
	for _, p := range d.policies {
		out.Policies = append(out.Policies, autoscalingv2.HPAScalingPolicy{
			Type: autoscalingv2.HPAScalingPolicyType(p.Type), Value: p.Value, PeriodSeconds: p.Period,
		})
	}
	if r := d.rules; r != nil {
		out.StabilizationWindowSeconds, out.Tolerance = r.StabilizationWindowSeconds, r.Tolerance
		if r.SelectPolicy != "" {
			out.SelectPolicy = new(autoscalingv2.ScalingPolicySelect(r.SelectPolicy))
		}
	}
	return out
}
