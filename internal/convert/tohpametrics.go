package convert

import (
	"cmp"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// backMetrics carries the metrics that have a single number to hold. It refuses where
// none is left: Kubernetes would give the HPA one, cpu at 80 %, that nobody asked for.
func (d *draft) backMetrics(out *autoscalingv2.HorizontalPodAutoscalerSpec, spec *v1alpha1.WorkloadAutoscalerSpec) fault.List {
	in := spec.Metrics
	for i := range in {
		from, to := fault.Path("spec.metrics").Index(i), fault.Path("spec.metrics").Index(len(out.Metrics))
		m, ok := backMetric(&in[i])
		if !ok {
			d.drop(from, "an HPA has one target and no band: give the metric a target")
			d.affects(from, AffectsAll)
			continue
		}
		out.Metrics = append(out.Metrics, m)
		if d.backSource(from, to, in[i].External) {
			continue
		}
		d.carry(from, to)
		if on := in[i].OnMissing; on != nil && on.Policy == v1alpha1.OnMissingHold {
			d.carry(from.Field("onMissing"), to)
		} else {
			d.drop(from.Field("onMissing"), "an HPA always holds while a metric is missing; its fallback after a time is proposed (KEP-5679) and in no release")
			d.affects(from.Field("onMissing"), AffectsMissing)
		}
		d.leave(from.Field("name"), "is for a formula, which an HPA does not have")
		d.drop(from.Field("activation"), "an HPA has no activation: its target alone decides")
		d.affects(from.Field("activation"), AffectsZero)
	}
	const invented = "and an HPA without metrics scales by cpu at 80 %, which nobody asked for"
	switch {
	case len(out.Metrics) > 0 || len(in) == 0 && spec.Compatibility == v1alpha1.CompatibilityHPA:
		return nil
	case len(in) == 0:
		return fault.List{{Path: "spec.metrics", Message: "is empty, so that this object decides about no count, " + invented + ": state a metric"}}
	}
	return fault.List{{Path: "spec.metrics", Message: "holds none that an HPA can say, " + invented + ": give one of them a target"}}
}

// backSource tells whether a metric is one that we ask for ourselves, by a query or of
// a scaler. It is lost then, as a whole, and what the HPA has in its place is another
// one of the same name, which nobody may serve yet.
func (d *draft) backSource(from, to fault.Path, in *v1alpha1.ExternalMetric) bool {
	if in == nil || in.Prometheus == nil && in.GRPC == nil {
		return false
	}
	asked := "the query"
	if in.GRPC != nil {
		asked = "what the scaler says"
	}
	d.drop(from, "an HPA asks the metrics API: serve %s there, under the name of the metric", asked)
	d.affects(from, AffectsAll)
	d.assume(to, "is what the metrics API serves as %s, and not %s", in.Metric.Name, asked)
	return true
}

func backMetric(in *v1alpha1.MetricSpec) (autoscalingv2.MetricSpec, bool) {
	out := autoscalingv2.MetricSpec{Type: autoscalingv2.MetricSourceType(in.Type)}
	var target *autoscalingv2.MetricTarget
	switch {
	case in.Resource != nil:
		s := in.Resource
		out.Resource = &autoscalingv2.ResourceMetricSource{Name: coreResource(s.Name)}
		target = backTarget(&out.Resource.Target, s.Target, s.Watermarks, v1alpha1.UtilizationTarget)
	case in.ContainerResource != nil:
		s := in.ContainerResource
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{Name: coreResource(s.Name), Container: s.Container}
		target = backTarget(&out.ContainerResource.Target, s.Target, s.Watermarks, v1alpha1.UtilizationTarget)
	case in.Pods != nil:
		s := in.Pods
		out.Pods = &autoscalingv2.PodsMetricSource{Metric: autoscalingv2.MetricIdentifier(s.Metric)}
		target = backTarget(&out.Pods.Target, s.Target, s.Watermarks, v1alpha1.AverageValueTarget)
	case in.Object != nil:
		s, ref := in.Object, in.Object.DescribedObject
		out.Object = &autoscalingv2.ObjectMetricSource{
			Metric:          autoscalingv2.MetricIdentifier(s.Metric),
			DescribedObject: autoscalingv2.CrossVersionObjectReference{APIVersion: ref.APIVersion, Kind: ref.Kind, Name: ref.Name},
		}
		target = backTarget(&out.Object.Target, s.Target, s.Watermarks, v1alpha1.ValueTarget)
	case in.External != nil:
		s := in.External
		out.External = &autoscalingv2.ExternalMetricSource{Metric: autoscalingv2.MetricIdentifier(s.Metric)}
		target = backTarget(&out.External.Target, s.Target, s.Watermarks, v1alpha1.ValueTarget)
	}
	return out, target != nil
}

// backTarget writes the number to hold. Marks that are one and the same are a
// target too; two different ones are not.
func backTarget(into *autoscalingv2.MetricTarget, t *v1alpha1.MetricTarget, w *v1alpha1.Watermarks, otherwise v1alpha1.TargetType) *autoscalingv2.MetricTarget {
	switch {
	case t != nil:
		*into = targetV2(t.Value, t.AverageValue, t.AverageUtilization)
		return into
	case w == nil:
		return nil
	case w.Low != nil && w.High != nil && w.Low.Cmp(*w.High) != 0:
		return nil
	}
	mark := cmp.Or(w.High, w.Low)
	kind := cmp.Or(w.Type, otherwise)
	return markTarget(into, kind, mark)
}

func markTarget(into *autoscalingv2.MetricTarget, kind v1alpha1.TargetType, mark *resource.Quantity) *autoscalingv2.MetricTarget {
	switch kind {
	case v1alpha1.ValueTarget:
		*into = targetV2(mark, nil, nil)
	case v1alpha1.AverageValueTarget:
		*into = targetV2(nil, mark, nil)
	case v1alpha1.UtilizationTarget:
		// An HPA's percentages are whole.
		if mark.MilliValue()%1000 != 0 {
			return nil
		}
		*into = targetV2(nil, nil, new(int32(mark.Value())))
	}
	return into
}
