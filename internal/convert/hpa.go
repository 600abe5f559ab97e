package convert

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

type hpa struct {
	header
	Spec autoscalingv2.HorizontalPodAutoscalerSpec `json:"spec"`
}

// fromHPA converts a HorizontalPodAutoscaler of autoscaling/v2.
func fromHPA(d *draft) fault.List {
	var in hpa
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	faults := d.target("spec.scaleTargetRef", reference{
		APIVersion: in.Spec.ScaleTargetRef.APIVersion, Kind: in.Spec.ScaleTargetRef.Kind, Name: in.Spec.ScaleTargetRef.Name,
	})
	d.asHPA()
	d.bounds("spec", in.Spec.MinReplicas, in.Spec.MaxReplicas)
	d.metrics("spec.metrics", in.Spec.Metrics)
	d.proposedFallbacks()
	d.out.Spec.Behavior = d.hpaBehavior("spec.behavior", in.Spec.Behavior)
	return faults
}

// asHPA makes the object decide as an HPA does, and says so.
func (d *draft) asHPA() {
	d.out.Spec.Compatibility = v1alpha1.CompatibilityHPA
	d.assume("spec.compatibility", "is HPA, which keeps every decision as it was: remove it to have the improvements too")
}

// bounds carries minReplicas and maxReplicas, which many objects have.
func (d *draft) bounds(from fault.Path, least *int32, most int32) {
	d.out.Spec.Replicas.Min, d.out.Spec.Replicas.Max = least, &most
	d.carry(from.Field("minReplicas"), "spec.replicas.min")
	d.carry(from.Field("maxReplicas"), "spec.replicas.max")
}

// hpaBehavior carries a behavior. An empty one stays empty and an absent one
// absent, because an HPA with a behavior counts differently from one without.
func (d *draft) hpaBehavior(from fault.Path, in *autoscalingv2.HorizontalPodAutoscalerBehavior) *v1alpha1.Behavior {
	if in == nil {
		return nil
	}
	d.carry(from, "spec.behavior")
	return &v1alpha1.Behavior{
		ScaleUp:   d.hpaRules(from.Field("scaleUp"), "spec.behavior.scaleUp", in.ScaleUp),
		ScaleDown: d.hpaRules(from.Field("scaleDown"), "spec.behavior.scaleDown", in.ScaleDown),
	}
}

func (d *draft) hpaRules(from, to fault.Path, in *autoscalingv2.HPAScalingRules) *v1alpha1.ScalingRules {
	if in == nil {
		return nil
	}
	d.carry(from, to)
	out := &v1alpha1.ScalingRules{Tolerance: in.Tolerance, StabilizationWindowSeconds: in.StabilizationWindowSeconds}
	if in.SelectPolicy != nil {
		out.SelectPolicy = v1alpha1.SelectPolicy(*in.SelectPolicy)
	}
	if in.Policies != nil {
		out.Policies = []v1alpha1.ScalingPolicy{}
	}
	for _, p := range in.Policies {
		out.Policies = append(out.Policies, v1alpha1.ScalingPolicy{Type: v1alpha1.ScalingPolicyType(p.Type), Value: p.Value, PeriodSeconds: p.PeriodSeconds})
	}
	return out
}
