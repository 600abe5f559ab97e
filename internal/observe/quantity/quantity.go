package quantity

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/scale"
)

// safe is a bound below which a quantity certainly fits an amount, whatever
// its approximation as a float is off by.
const safe = math.MaxInt64 / 1000 / 2

// Amount returns a quantity in thousandths, rounded away from zero as
// Kubernetes does. Most quantities take the quick way; the rest is read as
// text, which is exact at any size.
func Amount(q resource.Quantity) (scale.Amount, error) {
	if f := q.AsApproximateFloat64(); f < safe && f > -safe {
		return scale.Amount(q.MilliValue()), nil
	}
	return scale.ParseAmount(q.String())
}

// Requests returns the resources of a list that someone asked for. An amount
// that is negative or out of range is left out: the API server refuses the one,
// and no node has room for the other.
func Requests(list corev1.ResourceList) scale.Resources {
	var out scale.Resources
	for _, r := range scale.EveryResource {
		q, given := list[corev1.ResourceName(r.String())]
		if amount, err := Amount(q); given && err == nil && amount >= 0 {
			out = out.With(r, amount)
		}
	}
	return out
}

// Usage returns the resources of a list that someone measured. An amount out of
// range is unusable. One that is negative is kept: what it means is for the
// rules of the decision to say.
func Usage(list corev1.ResourceList) scale.Resources {
	var out scale.Resources
	for _, r := range scale.EveryResource {
		q, given := list[corev1.ResourceName(r.String())]
		if !given {
			continue
		}
		if amount, err := Amount(q); err == nil {
			out = out.With(r, amount)
		} else {
			out = out.WithUnusable(r)
		}
	}
	return out
}
