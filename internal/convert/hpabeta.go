package convert

import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"

	"github.com/tidemark/tidemark/fault"
)

// hpav2beta1 is a HorizontalPodAutoscaler of autoscaling/v2beta1, whose metrics
// have the flat form that autoscaling/v1 keeps in an annotation.
type hpav2beta1 struct {
	header
	Spec struct {
		ScaleTargetRef reference                  `json:"scaleTargetRef"`
		MinReplicas    *int32                     `json:"minReplicas"`
		MaxReplicas    int32                      `json:"maxReplicas"`
		Metrics        []autoscalingv1.MetricSpec `json:"metrics"`
	} `json:"spec"`
}

// fromHPAv2beta1 converts a HorizontalPodAutoscaler of autoscaling/v2beta1. No
// cluster serves it any more, and many repositories still hold it.
func fromHPAv2beta1(d *draft) fault.List {
	var in hpav2beta1
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	faults := d.target("spec.scaleTargetRef", in.Spec.ScaleTargetRef)
	d.asHPA()
	d.bounds("spec", in.Spec.MinReplicas, in.Spec.MaxReplicas)
	d.leave("spec.targetCPUUtilizationPercentage", "autoscaling/v2beta1 has no such field, so its API server dropped it")
	for i := range in.Spec.Metrics {
		d.flatMetric(fault.Path("spec.metrics").Index(i), &in.Spec.Metrics[i])
	}
	return append(faults, d.v1Behavior(in.Metadata.Annotations)...)
}

// flatMetric carries a metric of the flat form. An Object metric always has a
// targetValue there, even where its averageValue is what counts.
func (d *draft) flatMetric(from fault.Path, in *autoscalingv1.MetricSpec) {
	d.metric(from, inV2(in))
	if in.Object != nil && in.Object.AverageValue != nil {
		d.leave(from.Field("object.targetValue"), "averageValue is set, so an HPA does not look at it")
	}
}

// fromHPAv2beta2 converts a HorizontalPodAutoscaler of autoscaling/v2beta2,
// which has the form of autoscaling/v2 but no tolerances yet.
func fromHPAv2beta2(d *draft) fault.List {
	faults := fromHPA(d)
	b := d.out.Spec.Behavior
	if b == nil {
		return faults
	}
	if b.ScaleUp != nil {
		b.ScaleUp.Tolerance = nil
	}
	if b.ScaleDown != nil {
		b.ScaleDown.Tolerance = nil
	}
	for _, name := range []fault.Path{"scaleUp", "scaleDown"} {
		d.leave("spec.behavior."+name+".tolerance", "autoscaling/v2beta2 has no tolerance, so its API server dropped it")
	}
	return faults
}
