package hpa

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/scale"
)

// annotationDomains are whose annotations are read: ours, and those of the
// Tortoise design, so that its HPAs can be taken over as they are.
var annotationDomains = [...]string{"autoscaling.tidemark.dev", "tortoises.autoscaling.mercari.com"}

// carried returns the target whose percentage stands in a metric, if there is
// one. Two prefixes can give an External metric to two targets at once. Then it
// is left alone: tuning it to either could be wrong, and tuning it to both in
// turn would never come to rest.
func carried(metric *autoscalingv2.MetricSpec, annotations map[string]string, asked []scale.LearnedTarget, alone string) (scale.LearnedTarget, bool) {
	var found scale.LearnedTarget
	count := 0
	for _, t := range asked {
		if carries(metric, annotations, t, alone) {
			found = t
			count++
		}
	}
	return found, count == 1
}

// carries tells whether a metric is the one of a target. A metric of whole pods
// is that of their only container, if there is just one.
func carries(metric *autoscalingv2.MetricSpec, annotations map[string]string, t scale.LearnedTarget, alone string) bool {
	switch metric.Type {
	case autoscalingv2.ResourceMetricSourceType:
		src := metric.Resource
		return src != nil && alone != "" && alone == t.Container && string(src.Name) == t.Resource.String() && isUtilization(src.Target)
	case autoscalingv2.ContainerResourceMetricSourceType:
		src := metric.ContainerResource
		return src != nil && src.Container == t.Container && string(src.Name) == t.Resource.String() && isUtilization(src.Target)
	case autoscalingv2.ExternalMetricSourceType:
		src := metric.External
		return src != nil && named(src.Metric.Name, annotations, t) && isPercentage(src.Target)
	}
	return false
}

// isUtilization tells whether a target is a share of requests. One that is an
// average amount is in another unit and is left alone.
func isUtilization(target autoscalingv2.MetricTarget) bool {
	return target.AverageUtilization != nil && target.AverageValue == nil
}

// isPercentage tells whether an External target can be a utilization in
// percent. A value below 1 is a share of one: setting 60 where 600m was would
// be a target a hundred times too high.
func isPercentage(target autoscalingv2.MetricTarget) bool {
	return target.Value != nil && target.AverageValue == nil && target.Value.Cmp(*quantity(1)) >= 0
}

// named tells whether a metric's name is a prefix for the target's resource and
// then its container. An empty prefix is none, or every metric that happens to
// be called like a container would be tuned.
func named(name string, annotations map[string]string, t scale.LearnedTarget) bool {
	for _, domain := range annotationDomains {
		prefix := annotations[prefixAnnotation(domain, t.Resource)]
		if prefix != "" && name == prefix+t.Container {
			return true
		}
	}
	return false
}

func prefixAnnotation(domain string, r scale.Resource) string {
	return domain + "/container-based-" + r.String() + "-metric-prefix"
}

func quantity(percent int32) *resource.Quantity {
	return resource.NewQuantity(int64(percent), resource.DecimalSI)
}
