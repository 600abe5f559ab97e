package podsize

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

// Requested tells of which resources a size requests more, and of which less, than is in
// force in any container of a pod. A resize that is still waited for is not in force.
func Requested(pod *corev1.Pod, want []scale.Container) (higher, lower [len(scale.EveryResource)]bool) {
	for _, c := range want {
		has := find(&pod.Spec, c.Name)
		if has == nil {
			continue
		}
		requests := quantity.Requests(requestsInForce(pod, has))
		for _, res := range scale.EveryResource {
			after, wanted := c.Requests.Get(res)
			if !wanted || after <= 0 {
				continue
			}
			before, had := requests.Get(res)
			higher[res], lower[res] = higher[res] || !had || after > before, lower[res] || had && after < before
		}
	}
	return higher, lower
}

// requestsInForce are those that the node has given a container, or else those that it
// was asked for.
func requestsInForce(pod *corev1.Pod, c *corev1.Container) corev1.ResourceList {
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		i := slices.IndexFunc(statuses, func(s corev1.ContainerStatus) bool { return s.Name == c.Name })
		if i >= 0 && statuses[i].Resources != nil {
			return statuses[i].Resources.Requests
		}
	}
	return c.Resources.Requests
}
