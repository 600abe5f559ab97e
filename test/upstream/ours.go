package upstream

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Ours is the engine's proposal for the case's metric, read from the decision
// it is part of.
func Ours(c *Case, compatibility v1alpha1.Compatibility) Proposal {
	past := engine.Memory{}
	if c.SpecReplicas == 0 {
		// At zero the HPA looks at metrics only if it brought that about.
		past.Slept = true
	}
	decision, _ := engine.Decide(Compile(bounded(c), compatibility), Observe(&c.World, c.HPA.Metrics), past)
	for _, step := range decision.Steps {
		if step.Stage == scale.StageHorizontal && step.Metric != nil && step.Metric.Index == 0 {
			return Proposal{Replicas: step.Out.Replicas, Known: step.Reason != scale.NoData}.orNothing()
		}
	}
	panic(fmt.Sprintf("the decision has no step of the metric: %+v", decision))
}

func (p Proposal) orNothing() Proposal {
	if !p.Known {
		return Proposal{}
	}
	return p
}

// bounded is the case's HPA with bounds so wide that they never decide. A
// minimum of zero is valid only beside a metric that needs no pods.
func bounded(c *Case) *autoscalingv2.HorizontalPodAutoscalerSpec {
	hpa, minimum := c.HPA, min(c.SpecReplicas, 1)
	hpa.MinReplicas, hpa.MaxReplicas = &minimum, 1<<31-1
	if minimum == 0 && perPod(c.Metric()) {
		waker := FromBytes(nil).external(1)
		hpa.Metrics = append(hpa.Metrics[:1:1], waker)
	}
	return &hpa
}

// Compile makes the policy of our object that says what the HPA says.
func Compile(hpa *autoscalingv2.HorizontalPodAutoscalerSpec, compatibility v1alpha1.Compatibility) engine.Policy {
	spec := v1alpha1.WorkloadAutoscalerSpec{Compatibility: compatibility}
	spec.Replicas.Min, spec.Replicas.Max = hpa.MinReplicas, &hpa.MaxReplicas
	for i := range hpa.Metrics {
		spec.Metrics = append(spec.Metrics, ourMetric(&hpa.Metrics[i]))
	}
	if b := hpa.Behavior; b != nil {
		spec.Behavior = &v1alpha1.Behavior{ScaleUp: ourRules(b.ScaleUp), ScaleDown: ourRules(b.ScaleDown)}
	}
	p, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	if err != nil {
		panic(fmt.Sprintf("a valid HPA has no policy: %v\n%+v", err, hpa))
	}
	return p
}

func ourMetric(m *autoscalingv2.MetricSpec) v1alpha1.MetricSpec {
	s := sourceOf(m)
	out := v1alpha1.MetricSpec{Type: v1alpha1.MetricType(m.Type)}
	target := &v1alpha1.MetricTarget{
		Type: v1alpha1.TargetType(s.target.Type), Value: s.target.Value,
		AverageValue: s.target.AverageValue, AverageUtilization: s.target.AverageUtilization,
	}
	id := v1alpha1.MetricIdentifier{Name: metricName(m)}
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		out.Resource = &v1alpha1.ResourceMetric{Name: string(s.resource), Target: target}
	case autoscalingv2.ContainerResourceMetricSourceType:
		out.ContainerResource = &v1alpha1.ContainerResourceMetric{Name: string(s.resource), Container: s.container, Target: target}
	case autoscalingv2.PodsMetricSourceType:
		out.Pods = &v1alpha1.PodsMetric{Metric: id, Target: target}
	case autoscalingv2.ObjectMetricSourceType:
		o := m.Object.DescribedObject
		out.Object = &v1alpha1.ObjectMetric{Metric: id, Target: target,
			DescribedObject: v1alpha1.ObjectReference{APIVersion: o.APIVersion, Kind: o.Kind, Name: o.Name}}
	case autoscalingv2.ExternalMetricSourceType:
		out.External = &v1alpha1.ExternalMetric{Metric: id, Target: target}
	}
	return out
}

func ourRules(r *autoscalingv2.HPAScalingRules) *v1alpha1.ScalingRules {
	if r == nil {
		return nil
	}
	out := &v1alpha1.ScalingRules{Tolerance: r.Tolerance, StabilizationWindowSeconds: r.StabilizationWindowSeconds}
	if r.SelectPolicy != nil {
		out.SelectPolicy = v1alpha1.SelectPolicy(*r.SelectPolicy)
	}
	for _, p := range r.Policies {
		out.Policies = append(out.Policies, v1alpha1.ScalingPolicy{
			Type: v1alpha1.ScalingPolicyType(p.Type), Value: p.Value, PeriodSeconds: p.PeriodSeconds})
	}
	return out
}
