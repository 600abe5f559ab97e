package allowance

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"

	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

// seen is what the pods that are seen take of a quota. The quota and its pods come by
// watches of their own, so a pod can be seen to have grown before the quota is seen to
// have counted that: what it took would be counted as room once more.
type seen struct {
	pods             int64
	requests, limits scale.Resources
}

// seen adds up the pods that a quota counts, and that nobody has ended.
func (a *Allowance) seen(q *corev1.ResourceQuota) (out seen) {
	for i := range a.Pods {
		pod := &a.Pods[i]
		if life := podview.Life(pod); life.Ended() || !Counts(q, pod) {
			continue
		}
		out.pods++
		out.requests = sum(out.requests, resource.PodRequests(pod, resource.PodResourcesOptions{}))
		out.limits = sum(out.limits, resource.PodLimits(pod, resource.PodResourcesOptions{}))
	}
	return out
}

func sum(of scale.Resources, pod corev1.ResourceList) scale.Resources {
	more := quantity.Requests(pod)
	for _, res := range scale.EveryResource {
		if amount, known := more.Usable(res); known {
			before, _ := of.Get(res)
			of = of.With(res, before.Add(amount))
		}
	}
	return of
}

// of is what they take of something that a quota names.
func (s *seen) of(name corev1.ResourceName) (amount scale.Amount) {
	switch name {
	case corev1.ResourcePods, "count/pods":
		amount = scale.Thousand.Times(s.pods)
	case corev1.ResourceCPU, corev1.ResourceRequestsCPU:
		amount, _ = s.requests.Get(scale.CPU)
	case corev1.ResourceMemory, corev1.ResourceRequestsMemory:
		amount, _ = s.requests.Get(scale.Memory)
	case corev1.ResourceLimitsCPU:
		amount, _ = s.limits.Get(scale.CPU)
	case corev1.ResourceLimitsMemory:
		amount, _ = s.limits.Get(scale.Memory)
	}
	return amount
}
