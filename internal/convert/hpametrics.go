package convert

import (
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// metrics carries the metrics of autoscaling/v2, which are ours too.
func (d *draft) metrics(from fault.Path, in []autoscalingv2.MetricSpec) {
	for i := range in {
		d.metric(from.Index(i), &in[i])
	}
}

// metric carries one metric. Only the source that its type names is looked
// at, as the HPA does.
func (d *draft) metric(from fault.Path, in *autoscalingv2.MetricSpec) {
	to := d.nextMetric()
	out := v1alpha1.MetricSpec{Type: v1alpha1.MetricType(in.Type)}
	switch {
	case in.Type == autoscalingv2.ResourceMetricSourceType && in.Resource != nil:
		s := in.Resource
		out.Resource = &v1alpha1.ResourceMetric{Name: string(s.Name), Target: d.goal(from.Field("resource.target"), s.Target)}
	case in.Type == autoscalingv2.ContainerResourceMetricSourceType && in.ContainerResource != nil:
		s := in.ContainerResource
		out.ContainerResource = &v1alpha1.ContainerResourceMetric{Name: string(s.Name), Container: s.Container,
			Target: d.goal(from.Field("containerResource.target"), s.Target)}
	case in.Type == autoscalingv2.PodsMetricSourceType && in.Pods != nil:
		s := in.Pods
		out.Pods = &v1alpha1.PodsMetric{Metric: v1alpha1.MetricIdentifier(s.Metric), Target: d.goal(from.Field("pods.target"), s.Target)}
	case in.Type == autoscalingv2.ObjectMetricSourceType && in.Object != nil:
		s := in.Object
		out.Object = &v1alpha1.ObjectMetric{
			DescribedObject: v1alpha1.ObjectReference{APIVersion: s.DescribedObject.APIVersion, Kind: s.DescribedObject.Kind, Name: s.DescribedObject.Name},
			Metric:          v1alpha1.MetricIdentifier(s.Metric), Target: d.goal(from.Field("object.target"), s.Target),
		}
	case in.Type == autoscalingv2.ExternalMetricSourceType && in.External != nil:
		s := in.External
		out.External = &v1alpha1.ExternalMetric{Metric: v1alpha1.MetricIdentifier(s.Metric), Target: d.goal(from.Field("external.target"), s.Target)}
	}
	d.carry(from, to)
	d.otherSources(from, in)
	d.addMetric(from, out)
}

// otherSources reports the sources that the type of a metric does not name.
func (d *draft) otherSources(from fault.Path, in *autoscalingv2.MetricSpec) {
	for name, there := range map[autoscalingv2.MetricSourceType]bool{
		autoscalingv2.ResourceMetricSourceType: in.Resource != nil, autoscalingv2.ContainerResourceMetricSourceType: in.ContainerResource != nil,
		autoscalingv2.PodsMetricSourceType: in.Pods != nil, autoscalingv2.ObjectMetricSourceType: in.Object != nil,
		autoscalingv2.ExternalMetricSourceType: in.External != nil,
	} {
		if there && name != in.Type {
			field := strings.ToLower(string(name[:1])) + string(name[1:])
			d.leave(from.Field(field), "the type is %s, so an HPA does not look at it", in.Type)
		}
	}
}

// goal carries a target. An HPA goes by the number that is set and not by the
// type, except where an Object metric has two numbers.
func (d *draft) goal(from fault.Path, in autoscalingv2.MetricTarget) *v1alpha1.MetricTarget {
	out := &v1alpha1.MetricTarget{Value: in.Value, AverageValue: in.AverageValue, AverageUtilization: in.AverageUtilization}
	if in.Value != nil && in.AverageValue != nil {
		if in.Type == autoscalingv2.AverageValueMetricType {
			out.Value = nil
			d.leave(from.Field("value"), "the type says AverageValue, so an HPA does not look at it")
		} else {
			out.AverageValue = nil
			d.leave(from.Field("averageValue"), "the type says %s, so an HPA does not look at it", in.Type)
		}
	}
	switch {
	case out.AverageUtilization != nil:
		out.Type = v1alpha1.UtilizationTarget
	case out.AverageValue != nil:
		out.Type = v1alpha1.AverageValueTarget
	case out.Value != nil:
		out.Type = v1alpha1.ValueTarget
	}
	if in.Type != "" && string(in.Type) != string(out.Type) {
		d.change(from.Field("type"), d.nextMetric(), "is %s: an HPA goes by the number that is set, and the type has to agree with it here", out.Type)
	}
	return out
}
