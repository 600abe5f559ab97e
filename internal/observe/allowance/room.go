package allowance

import (
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

// Room is how much more the quotas allow to pods like one; nil where there is none to
// look at, and then only quotas count that count every pod. A quota whose usage nobody
// has counted yet, or whose scope is not known here, bounds nothing.
func (a *Allowance) Room(like *corev1.Pod) (out scale.QuotaRoom) {
	for i := range a.Quotas {
		q := &a.Quotas[i]
		if q.Status.Hard == nil || !understood(q) || like == nil && scoped(q) || like != nil && !Counts(q, like) {
			continue
		}
		seen := a.seen(q)
		for name, hard := range q.Status.Hard {
			most, err := quantity.Amount(hard)
			taken, err2 := quantity.Amount(q.Status.Used[name])
			if err != nil || err2 != nil {
				continue
			}
			lower(&out, name, max(most.Add(-max(taken, seen.of(name), 0)), 0))
		}
	}
	return out
}

// lower makes room for something no more than this.
func lower(room *scale.QuotaRoom, name corev1.ResourceName, left scale.Amount) {
	switch name {
	case corev1.ResourcePods, "count/pods":
		pods := int32(min(left/scale.Thousand, math.MaxInt32))
		if room.Pods == nil || pods < *room.Pods {
			room.Pods = &pods
		}
	case corev1.ResourceCPU, corev1.ResourceRequestsCPU:
		room.Requests = least(room.Requests, scale.CPU, left)
	case corev1.ResourceMemory, corev1.ResourceRequestsMemory:
		room.Requests = least(room.Requests, scale.Memory, left)
	case corev1.ResourceLimitsCPU:
		room.Limits = least(room.Limits, scale.CPU, left)
	case corev1.ResourceLimitsMemory:
		room.Limits = least(room.Limits, scale.Memory, left)
	}
}

func scoped(q *corev1.ResourceQuota) bool {
	return len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil
}

// understood tells whether every scope of a quota is one that can be told of a pod.
func understood(q *corev1.ResourceQuota) bool {
	known := []corev1.ResourceQuotaScope{
		corev1.ResourceQuotaScopeTerminating, corev1.ResourceQuotaScopeNotTerminating, corev1.ResourceQuotaScopeBestEffort,
		corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopePriorityClass,
	}
	for _, scope := range q.Spec.Scopes {
		if !slices.Contains(known, scope) {
			return false
		}
	}
	if q.Spec.ScopeSelector == nil {
		return true
	}
	return !slices.ContainsFunc(q.Spec.ScopeSelector.MatchExpressions,
		func(r corev1.ScopedResourceSelectorRequirement) bool { return !slices.Contains(known, r.ScopeName) })
}

// Range is what the LimitRanges allow containers and pods: the tightest of each.
func (a *Allowance) Range() (out scale.AllowedRange) {
	for i := range a.LimitRanges {
		for j := range a.LimitRanges[i].Spec.Limits {
			item := &a.LimitRanges[i].Spec.Limits[j]
			most, fewest := quantity.Requests(item.Max), quantity.Requests(item.Min)
			for _, res := range scale.EveryResource {
				bound, bounded := most.Get(res)
				switch {
				case bounded && item.Type == corev1.LimitTypeContainer:
					out.Max = least(out.Max, res, bound)
				case bounded && item.Type == corev1.LimitTypePod:
					out.PodMax = least(out.PodMax, res, bound)
				}
				bound, bounded = fewest.Get(res)
				switch {
				case bounded && item.Type == corev1.LimitTypeContainer:
					out.Min = largest(out.Min, res, bound)
				case bounded && item.Type == corev1.LimitTypePod:
					out.PodMin = largest(out.PodMin, res, bound)
				}
			}
		}
	}
	return out
}

// least has the smaller of two amounts.
func least(of scale.Resources, res scale.Resource, amount scale.Amount) scale.Resources {
	if before, known := of.Get(res); known && before <= amount {
		return of
	}
	return of.With(res, amount)
}

// largest has the larger of two amounts.
func largest(of scale.Resources, res scale.Resource, amount scale.Amount) scale.Resources {
	before, _ := of.Get(res)
	return of.With(res, max(before, amount))
}
