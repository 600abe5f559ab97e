package manifest

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// WorkloadAutoscaler returns the autoscaler as one of ours. Without metrics it
// holds the CPU utilization at 80 %, as an HPA does; that is written down,
// because ours has no such default. The error is a fault.List.
func (a Autoscaler) WorkloadAutoscaler() (*v1alpha1.WorkloadAutoscaler, error) {
	a = a.complete()
	if err := a.check(WorkloadAutoscaler); err != nil {
		return nil, err
	}
	out := &v1alpha1.WorkloadAutoscaler{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: string(WorkloadAutoscaler)},
		ObjectMeta: a.objectMeta(),
	}
	out.Spec = a.spec()
	return out.DeepCopy(), nil
}

// spec is what the object says.
func (a Autoscaler) spec() (out v1alpha1.WorkloadAutoscalerSpec) {
	out.TargetRef = v1alpha1.TargetReference{APIVersion: a.Target.APIVersion, Kind: a.Target.Kind, Name: a.Target.Name}
	out.Replicas, out.Combine, out.Formula = a.replicas(), a.Combine, a.Formula
	out.Containers, out.Vertical, out.Intervals, out.Learn = a.Containers, a.Vertical, a.Intervals, a.Learn
	out.Schedules, out.Pause = a.Schedules, a.Pause
	for _, m := range a.measured() {
		out.Metrics = append(out.Metrics, m.workload())
	}
	directions := a.directions()
	if up, down := directions[0].workload(), directions[1].workload(); up != nil || down != nil {
		out.Behavior = &v1alpha1.Behavior{ScaleUp: up, ScaleDown: down}
	}
	return out
}

func (m Metric) workload() v1alpha1.MetricSpec {
	out := v1alpha1.MetricSpec{Name: m.Alias, Type: m.Type, Activation: m.Activation, OnMissing: m.OnMissing}
	id := v1alpha1.MetricIdentifier{Name: m.Name, Selector: m.Selector}
	target, marks := m.workloadTarget()
	switch m.Type {
	case v1alpha1.ResourceMetricType:
		out.Resource = &v1alpha1.ResourceMetric{Name: m.Name, Target: target, Watermarks: marks}
	case v1alpha1.ContainerResourceMetricType:
		out.ContainerResource = &v1alpha1.ContainerResourceMetric{Name: m.Name, Container: m.Container, Target: target, Watermarks: marks}
	case v1alpha1.PodsMetricType:
		out.Pods = &v1alpha1.PodsMetric{Metric: id, Target: target, Watermarks: marks}
	case v1alpha1.ObjectMetricType:
		out.Object = &v1alpha1.ObjectMetric{DescribedObject: *m.DescribedObject, Metric: id, Target: target, Watermarks: marks}
	case v1alpha1.ExternalMetricType:
		out.External = &v1alpha1.ExternalMetric{Metric: id, Prometheus: m.Prometheus, GRPC: m.GRPC, Target: target, Watermarks: marks}
	}
	return out
}

// workloadTarget returns the target or the watermarks, whichever is given, if
// any is.
func (m Metric) workloadTarget() (*v1alpha1.MetricTarget, *v1alpha1.Watermarks) {
	if m.hasMarks() {
		return nil, &v1alpha1.Watermarks{Type: m.marksType(), Low: m.Low, High: m.High}
	}
	if len(m.given()) == 0 {
		// Measured growth, a formula or a scaler's own stands in the place of a target.
		return nil, nil
	}
	return &v1alpha1.MetricTarget{
		Type:               m.targetType(),
		Value:              m.Value,
		AverageValue:       m.AverageValue,
		AverageUtilization: m.AverageUtilization,
	}, nil
}

func (d direction) workload() *v1alpha1.ScalingRules {
	if d.silent() {
		return nil
	}
	out := &v1alpha1.ScalingRules{}
	for _, p := range d.policies {
		out.Policies = append(out.Policies, v1alpha1.ScalingPolicy{Type: p.Type, Value: p.Value, PeriodSeconds: p.Period})
	}
	if r := d.rules; r != nil {
		out.StabilizationWindowSeconds, out.Tolerance, out.SelectPolicy = r.StabilizationWindowSeconds, r.Tolerance, r.SelectPolicy
		out.LimitPercent, out.ForbiddenWindowSeconds, out.DelaySeconds = r.LimitPercent, r.ForbiddenWindowSeconds, r.DelaySeconds
		out.ToZeroDelaySeconds = r.ToZeroDelaySeconds
		out.EmptiestFirst = r.EmptiestFirst
	}
	return out
}
