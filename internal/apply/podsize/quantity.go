package podsize

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/scale"
)

// Requests are amounts as Kubernetes writes them; those that are no size are left out.
func Requests(of scale.Resources) corev1.ResourceList {
	out := corev1.ResourceList{}
	for _, res := range scale.EveryResource {
		if amount, known := of.Get(res); known && amount > 0 {
			out[corev1.ResourceName(res.String())] = quantityOf(res, amount)
		}
	}
	return out
}

// quantityOf is an amount of a resource as Kubernetes writes it, rounded up to
// what it can express.
func quantityOf(res scale.Resource, a scale.Amount) resource.Quantity {
	if res == scale.Memory {
		return *resource.NewQuantity(int64(res.RoundUp(a)/scale.Thousand), resource.BinarySI)
	}
	return *resource.NewMilliQuantity(int64(a), resource.DecimalSI)
}

// set puts a quantity into a list unless the same amount stands there already,
// so that a quantity keeps the form its owner gave it. It returns the list,
// which is made if it was nil.
func set(list corev1.ResourceList, name corev1.ResourceName, q resource.Quantity) corev1.ResourceList {
	if has, ok := list[name]; ok && has.Cmp(q) == 0 {
		return list
	}
	if list == nil {
		list = corev1.ResourceList{}
	}
	list[name] = q
	return list
}
