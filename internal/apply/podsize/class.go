package podsize

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/scale"
)

// Class returns the quality-of-service class that Kubernetes gives to a pod:
// Guaranteed where every container has limits for CPU and memory that equal
// its requests, BestEffort where nothing is asked for, else Burstable. A pod
// that has resources as a whole is judged by those.
func Class(spec *corev1.PodSpec) corev1.PodQOSClass {
	if whole := spec.Resources; whole != nil && (asks(whole.Requests) || asks(whole.Limits)) {
		if guaranteed(whole.Requests, whole.Limits) {
			return corev1.PodQOSGuaranteed
		}
		return corev1.PodQOSBurstable
	}
	every, some := true, false
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			r := &list[i].Resources
			every = every && guaranteed(r.Requests, r.Limits)
			some = some || asks(r.Requests) || asks(r.Limits)
		}
	}
	switch {
	case !some:
		return corev1.PodQOSBestEffort
	case every:
		return corev1.PodQOSGuaranteed
	}
	return corev1.PodQOSBurstable
}

// asks tells whether a list has an amount of CPU or memory.
func asks(list corev1.ResourceList) bool {
	for _, res := range scale.EveryResource {
		if q, ok := list[corev1.ResourceName(res.String())]; ok && !q.IsZero() {
			return true
		}
	}
	return false
}

// guaranteed tells whether CPU and memory are limited to what is requested. An
// absent request counts as its limit, as the API server makes it.
func guaranteed(requests, limits corev1.ResourceList) bool {
	for _, res := range scale.EveryResource {
		name := corev1.ResourceName(res.String())
		limit, ok := limits[name]
		if !ok || limit.IsZero() {
			return false
		}
		if request, ok := requests[name]; ok && request.Cmp(limit) != 0 {
			return false
		}
	}
	return true
}
