package webhook

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"

	"github.com/tidemark/tidemark/internal/apply/podsize"
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
	if !counts(quota, sized) {
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

// counts tells whether a quota counts a pod. A scope that is not known here is
// taken for one that does: then a pod may keep the size of its template without
// need, and is resized later.
func counts(quota *corev1.ResourceQuota, pod *corev1.Pod) bool {
	for _, scope := range quota.Spec.Scopes {
		if !inScope(corev1.ScopedResourceSelectorRequirement{ScopeName: scope, Operator: corev1.ScopeSelectorOpExists}, pod) {
			return false
		}
	}
	if quota.Spec.ScopeSelector == nil {
		return true
	}
	return !slices.ContainsFunc(quota.Spec.ScopeSelector.MatchExpressions,
		func(r corev1.ScopedResourceSelectorRequirement) bool { return !inScope(r, pod) })
}

func inScope(r corev1.ScopedResourceSelectorRequirement, pod *corev1.Pod) bool {
	bestEffort := podsize.Class(&pod.Spec) == corev1.PodQOSBestEffort
	ends := pod.Spec.ActiveDeadlineSeconds != nil
	switch r.ScopeName {
	case corev1.ResourceQuotaScopeTerminating:
		return ends
	case corev1.ResourceQuotaScopeNotTerminating:
		return !ends
	case corev1.ResourceQuotaScopeBestEffort:
		return bestEffort
	case corev1.ResourceQuotaScopeNotBestEffort:
		return !bestEffort
	case corev1.ResourceQuotaScopePriorityClass:
		return matches(r, pod.Spec.PriorityClassName)
	}
	return true
}

func matches(r corev1.ScopedResourceSelectorRequirement, value string) bool {
	switch r.Operator {
	case corev1.ScopeSelectorOpIn:
		return slices.Contains(r.Values, value)
	case corev1.ScopeSelectorOpNotIn:
		return !slices.Contains(r.Values, value)
	case corev1.ScopeSelectorOpDoesNotExist:
		return value == ""
	}
	return value != ""
}
