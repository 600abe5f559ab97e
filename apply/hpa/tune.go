package hpa

import (
	"fmt"
	"strconv"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/apply"
	"github.com/tidemark/tidemark/scale"
)

// Tune returns a copy of the HPA as the tuning wants it, and each field in
// which the copy differs. Without a difference the list is nil, and there is
// nothing to write. What a tuning must not ask for is corrected, and the
// change says so in its reason; a correction that leaves the HPA as it is is
// no change.
func Tune(hpa *autoscalingv2.HorizontalPodAutoscaler, t scale.Tuning) (*autoscalingv2.HorizontalPodAutoscaler, []apply.Change) {
	tuned := hpa.DeepCopy()
	changes := tuneBounds(&tuned.Spec, t)
	asked := asked(t)
	for i := range tuned.Spec.Metrics {
		metric := &tuned.Spec.Metrics[i]
		target, ok := carried(metric, hpa.Annotations, asked, t.Alone)
		if !ok {
			continue
		}
		if change, changed := tuneMetric(metric, target.Percent); changed {
			change.Path = fmt.Sprintf("spec.metrics[%d].%s", i, change.Path)
			changes = append(changes, change)
		}
	}
	return tuned, changes
}

// tuneMetric sets the percentage of a metric that carries one, and tells
// whether that changed anything. The change's path starts inside the metric. A
// quantity that is written in another way, such as 60000m for 60, is left as
// its owner wrote it.
func tuneMetric(metric *autoscalingv2.MetricSpec, percent int32) (apply.Change, bool) {
	to := strconv.Itoa(int(percent))
	if target, path := utilization(metric); target != nil {
		from := *target.AverageUtilization
		target.AverageUtilization = &percent
		return apply.Change{Path: path, From: strconv.Itoa(int(from)), To: to}, from != percent
	}
	target, want := &metric.External.Target, quantity(percent)
	if target.Value.Cmp(*want) == 0 {
		return apply.Change{}, false
	}
	from := target.Value.String()
	target.Value = want
	return apply.Change{Path: valuePath, From: from, To: to}, true
}

const valuePath = "external.target.value"

// utilization returns the target of a metric that has one in percent of
// requests, and its place inside the metric; nil for any other.
func utilization(metric *autoscalingv2.MetricSpec) (*autoscalingv2.MetricTarget, string) {
	switch {
	case metric.Type == autoscalingv2.ContainerResourceMetricSourceType && metric.ContainerResource != nil && isUtilization(metric.ContainerResource.Target):
		return &metric.ContainerResource.Target, "containerResource.target.averageUtilization"
	case metric.Type == autoscalingv2.ResourceMetricSourceType && metric.Resource != nil && isUtilization(metric.Resource.Target):
		return &metric.Resource.Target, "resource.target.averageUtilization"
	}
	return nil, ""
}

// Missing returns the targets of the tuning that no metric of the HPA carries,
// so that no tuning can bring them about.
func Missing(hpa *autoscalingv2.HorizontalPodAutoscaler, t scale.Tuning) []scale.LearnedTarget {
	asked := asked(t)
	found := map[scale.LearnedTarget]bool{}
	for i := range hpa.Spec.Metrics {
		if target, ok := carried(&hpa.Spec.Metrics[i], hpa.Annotations, asked, t.Alone); ok {
			found[target] = true
		}
	}
	var missing []scale.LearnedTarget
	for _, target := range asked {
		if !found[target] {
			missing = append(missing, target)
		}
	}
	return missing
}
