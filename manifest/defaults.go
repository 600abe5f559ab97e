package manifest

import (
	"cmp"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// WithDefaults returns the autoscaler with everything written down that
// Kubernetes would fill in. It does the same as before; it only says so.
//
// A direction gets its defaults only if one of the two says anything. An
// autoscaler that says nothing about either lets Kubernetes use its oldest
// rule, at most twice the count or 4 pods at a time, which no list of policies
// can express.
func (a Autoscaler) WithDefaults() Autoscaler {
	a = a.complete()
	a.MinReplicas = cmp.Or(a.MinReplicas, new(int32(1)))
	a.Metrics = a.measured()
	directions := a.directions()
	if directions[0].silent() && directions[1].silent() {
		return a
	}
	a.ScaleUpPolicies, a.ScaleUp = directions[0].withDefaults(0, PodsPer(4, 15), PercentPer(100, 15))
	a.ScaleDownPolicies, a.ScaleDown = directions[1].withDefaults(300, PercentPer(100, 15))
	return a
}

// withDefaults returns the policies and rules of a direction. limitPercent
// stands in the place of policies, so none are put beside it.
func (d direction) withDefaults(window int32, policies ...Policy) ([]Policy, *Rules) {
	var rules Rules
	if d.rules != nil {
		rules = *d.rules
	}
	if d.policies == nil && rules.LimitPercent == nil {
		d.policies = policies
	}
	rules.StabilizationWindowSeconds = cmp.Or(rules.StabilizationWindowSeconds, &window)
	rules.SelectPolicy = cmp.Or(rules.SelectPolicy, v1alpha1.SelectMax)
	return d.policies, &rules
}
