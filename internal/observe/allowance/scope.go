package allowance

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/apply/podsize"
)

// Counts tells whether a quota counts a pod. A scope that is not known here is
// taken for one that does: then a pod may keep the size of its template without
// need, and is resized later.
func Counts(quota *corev1.ResourceQuota, pod *corev1.Pod) bool {
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
