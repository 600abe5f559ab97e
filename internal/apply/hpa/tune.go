package hpa

import (
	"fmt"
	"strconv"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/internal/apply"
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
	for i, percent := range moved(hpa, t) {
		if percent == 0 {
			continue
		}
		if change, changed := tuneMetric(&tuned.Spec.Metrics[i], percent); changed {
			change.Path = fmt.Sprintf("spec.metrics[%d].%s", i, change.Path)
			changes = append(changes, change)
		}
	}
	return tuned, changes
}

// moved returns the percentage that each metric of the HPA should be set to; 0
// leaves it alone. Where several metrics speak of one container and resource,
// the smallest decides, and is what a target means: it moves, and of the others
// only those that would be in its way. A target that is what the HPA has already
// moves nothing, however its owner wrote it.
func moved(hpa *autoscalingv2.HorizontalPodAutoscaler, t scale.Tuning) []int32 {
	asked, metrics := asked(t), hpa.Spec.Metrics
	to, present := make([]int32, len(metrics)), map[scale.LearnedTarget]int32{}
	for i := range metrics {
		if target, ok := carried(&metrics[i], hpa.Annotations, asked, t.Alone); ok {
			has := percentOf(&metrics[i])
			if least, several := present[target]; several {
				has = min(has, least)
			}
			present[target] = has
		}
	}
	for i := range metrics {
		target, ok := carried(&metrics[i], hpa.Annotations, asked, t.Alone)
		if !ok || present[target] == target.Percent {
			continue
		}
		if has := percentOf(&metrics[i]); has == present[target] || has < target.Percent {
			to[i] = target.Percent
		}
	}
	return to
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
