package webhook

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"

	"github.com/tidemark/tidemark/internal/observe/allowance"
)

// measured are the names of a quota that speak of the size of pods, and what
// they count.
var measured = map[corev1.ResourceName]struct {
	limits bool
	what   corev1.ResourceName
}{
	corev1.ResourceCPU: {what: corev1.ResourceCPU}, corev1.ResourceRequestsCPU: {what: corev1.ResourceCPU},
	corev1.ResourceMemory: {what: corev1.ResourceMemory}, corev1.ResourceRequestsMemory: {what: corev1.ResourceMemory},
	corev1.ResourceLimitsCPU:    {limits: true, what: corev1.ResourceCPU},
	corev1.ResourceLimitsMemory: {limits: true, what: corev1.ResourceMemory},
}

// exceeds says which amount of a quota has no room for a pod of the decided
// size, or nothing. A pod that takes no more than by its template is never in
// excess by its size.
func exceeds(quota *corev1.ResourceQuota, template, sized *corev1.Pod) string {
	if !allowance.Counts(quota, sized) {
		return ""
	}
	hard := quota.Status.Hard
	if hard == nil {
		hard = quota.Spec.Hard
	}
	options := resource.PodResourcesOptions{}
	for name, most := range hard {
		m, ok := measured[name]
		if !ok {
			continue
		}
		was, is := resource.PodRequests(template, options)[m.what], resource.PodRequests(sized, options)[m.what]
		if m.limits {
			was, is = resource.PodLimits(template, options)[m.what], resource.PodLimits(sized, options)[m.what]
		}
		total := quota.Status.Used[name].DeepCopy()
		total.Add(is)
		if is.Cmp(was) > 0 && total.Cmp(most) > 0 {
			used := quota.Status.Used[name]
			return fmt.Sprintf("quota %s allows %s of %s, %s are used, and a pod would take %s", quota.Name, most.String(), name, used.String(), is.String())
		}
	}
	return ""
}
