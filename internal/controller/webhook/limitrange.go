package webhook

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

// outside says which bound of a LimitRange a pod breaks, or nothing. The API
// server applies its defaults before it asks the webhook, so what is absent here
// is absent.
func outside(limits *corev1.LimitRange, pod *corev1.Pod) string {
	for i := range limits.Spec.Limits {
		item := &limits.Spec.Limits[i]
		for _, p := range partsOf(pod, item.Type) {
			if words := p.outside(item); words != "" {
				return fmt.Sprintf("LimitRange %s allows %s", limits.Name, words)
			}
		}
	}
	return ""
}

// part is a pod, or one of its containers.
type part struct {
	name             string
	requests, limits corev1.ResourceList
}

func partsOf(pod *corev1.Pod, kind corev1.LimitType) []part {
	switch kind {
	case corev1.LimitTypePod:
		none := resource.PodResourcesOptions{}
		return []part{{"a pod", resource.PodRequests(pod, none), resource.PodLimits(pod, none)}}
	case corev1.LimitTypeContainer:
		var all []part
		for _, list := range [][]corev1.Container{pod.Spec.Containers, pod.Spec.InitContainers} {
			for i := range list {
				r := &list[i].Resources
				all = append(all, part{"container " + list[i].Name, r.Requests, r.Limits})
			}
		}
		return all
	}
	return nil
}

func (p part) outside(item *corev1.LimitRangeItem) string {
	for name, least := range item.Min {
		request, requested := p.requests[name]
		limit, limited := p.limits[name]
		if !requested || request.Cmp(least) < 0 || limited && limit.Cmp(least) < 0 {
			return fmt.Sprintf("%s no less %s than %s", p.name, name, least.String())
		}
	}
	for name, most := range item.Max {
		request, requested := p.requests[name]
		limit, limited := p.limits[name]
		if !limited || limit.Cmp(most) > 0 || requested && request.Cmp(most) > 0 {
			return fmt.Sprintf("%s no more %s than %s", p.name, name, most.String())
		}
	}
	for name, most := range item.MaxLimitRequestRatio {
		request, limit := p.requests[name], p.limits[name]
		// The ratio is limit by request; products of floats are close enough
		// for a bound that only decides which of two sizes is asked for.
		if request.IsZero() || limit.AsApproximateFloat64() > most.AsApproximateFloat64()*request.AsApproximateFloat64() {
			return fmt.Sprintf("%s a %s limit of no more than %s times its request", p.name, name, most.String())
		}
	}
	return ""
}

// beyondWhole says which amount of the containers a pod's own resources do not
// hold.
func beyondWhole(spec *corev1.PodSpec) string {
	if spec.Resources == nil {
		return ""
	}
	plain := &corev1.Pod{Spec: *spec}
	sum := resource.AggregateContainerRequests(plain, resource.PodResourcesOptions{})
	for name, whole := range spec.Resources.Requests {
		if asked := sum[name]; asked.Cmp(whole) > 0 {
			return fmt.Sprintf("its containers request %s of %s, and the pod as a whole %s", asked.String(), name, whole.String())
		}
	}
	for name, whole := range spec.Resources.Limits {
		for i := range spec.Containers {
			if limit := spec.Containers[i].Resources.Limits[name]; limit.Cmp(whole) > 0 {
				return fmt.Sprintf("container %s has a limit of %s %s, and the pod as a whole %s", spec.Containers[i].Name, limit.String(), name, whole.String())
			}
		}
	}
	return ""
}
