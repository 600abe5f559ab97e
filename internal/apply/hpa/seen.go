package hpa

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/scale"
)

// Seen returns what a decision may know of an HPA whose pods have these
// containers: the bounds that its owner gave it, the targets that it has now, and
// which of its metrics have none that could be tuned.
func Seen(hpa *autoscalingv2.HorizontalPodAutoscaler, containers []scale.Container) *scale.HPA {
	out := &scale.HPA{Min: owners(hpa, minKey), Max: owners(hpa, maxKey)}
	all, alone := everyTarget(containers)
	for i := range hpa.Spec.Metrics {
		metric := &hpa.Spec.Metrics[i]
		target, ok := carried(metric, hpa.Annotations, all, alone)
		if !ok {
			out.Untuned = append(out.Untuned, fmt.Sprintf("metrics[%d] %s", i, untuned(metric, hpa.Annotations, containers)))
			continue
		}
		target.Percent = percentOf(metric)
		if same := find(out.Targets, target); same != nil {
			same.Percent = min(same.Percent, target.Percent)
			continue
		}
		out.Targets = append(out.Targets, target)
	}
	// Recorded decisions know them by their names, and are made again in this
	// order.
	slices.SortFunc(out.Targets, func(a, b scale.LearnedTarget) int {
		return cmp.Or(cmp.Compare(a.Container, b.Container), cmp.Compare(a.Resource, b.Resource))
	})
	return out
}

// owners is a bound as the HPA's owner gave it.
func owners(hpa *autoscalingv2.HorizontalPodAutoscaler, key string) int32 {
	n := noteOf(hpa)
	for _, f := range fields(hpa) {
		if f.key != key {
			continue
		}
		if found, ours := n.ours(f); ours {
			if own, ok := count(found, 0); ok {
				return own
			}
		}
		own, _ := count(f.get(), 0)
		return own
	}
	return 0
}

// everyTarget lists what could be tuned of pods with these containers, and names
// the only container if there is just one.
func everyTarget(containers []scale.Container) (all []scale.LearnedTarget, alone string) {
	for _, c := range containers {
		for _, r := range scale.EveryResource {
			all = append(all, scale.LearnedTarget{Container: c.Name, Resource: r})
		}
	}
	if len(containers) == 1 {
		alone = containers[0].Name
	}
	return all, alone
}

// percentOf is the percentage of a metric that carries one. What is not whole is
// rounded down, which leaves more room.
func percentOf(metric *autoscalingv2.MetricSpec) int32 {
	if target, _ := utilization(metric); target != nil {
		return *target.AverageUtilization
	}
	return int32(min(metric.External.Target.Value.MilliValue()/1000, 1000))
}

// untuned says which metric it is, and why it has no target that can be tuned.
func untuned(metric *autoscalingv2.MetricSpec, annotations map[string]string, containers []scale.Container) string {
	const inAmounts = "has its target in amounts, not in percent of the request"
	switch {
	case metric.Resource != nil:
		name := string(metric.Resource.Name)
		switch {
		case !measured(name):
			return fmt.Sprintf("(%s of the pods) stays as it is: only cpu and memory are measured", name)
		case !isUtilization(metric.Resource.Target):
			return fmt.Sprintf("(%s of the pods) stays as it is: it %s", name, inAmounts)
		}
		return fmt.Sprintf("(%s of the pods) stays as it is: the pods have %d containers, and each needs a target of its own; "+
			"use ContainerResource metrics", name, len(containers))
	case metric.ContainerResource != nil:
		src := metric.ContainerResource
		who := fmt.Sprintf("(%s of %s) stays as it is: ", src.Name, src.Container)
		switch {
		case !measured(string(src.Name)):
			return who + "only cpu and memory are measured"
		case !isUtilization(src.Target):
			return who + "it " + inAmounts
		}
		return who + "the pods have no such container"
	case metric.External != nil:
		return untunedExternal(metric.External, annotations)
	}
	return fmt.Sprintf("(%s) stays as it is: it is no utilization of a container", metric.Type)
}

func untunedExternal(src *autoscalingv2.ExternalMetricSource, annotations map[string]string) string {
	who := fmt.Sprintf("(External %s) stays as it is: ", strconv.QuoteToASCII(src.Metric.Name))
	prefixed := 0
	for _, domain := range annotationDomains {
		for _, r := range scale.EveryResource {
			if annotations[prefixAnnotation(domain, r)] != "" {
				prefixed++
			}
		}
	}
	switch {
	case prefixed == 0:
		return who + "no annotation of the HPA says that it is the utilization of a container"
	case !isPercentage(src.Target):
		return who + "its target is no value in percent"
	}
	return who + "it is not one prefix of the HPA's annotations and the name of one container"
}

func measured(name string) bool {
	_, ok := scale.ParseResource(name)
	return ok
}
