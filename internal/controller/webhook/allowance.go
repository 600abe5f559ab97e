package webhook

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/allowance"
	"github.com/tidemark/tidemark/scale"
)

// Allowances tells what a namespace allows. It answers at once, or with an
// error.
type Allowances interface {
	Of(ctx context.Context, namespace string) (allowance.Allowance, error)
}

// Refusal is why a pod of the decided size could not be created.
type Refusal struct {
	Reason scale.Reason
	Words  string
}

// refuses returns why the API server would refuse a pod of the decided size, or
// nil. Both pods are the same but for their sizes. What the template's size
// would be refused for as well is not the decision's fault, but then the
// template is no worse.
func refuses(a *allowance.Allowance, template, sized *corev1.Pod) *Refusal {
	if words := beyondWhole(&sized.Spec); words != "" {
		return &Refusal{scale.ApplyFailed, words}
	}
	for i := range a.LimitRanges {
		if words := outside(&a.LimitRanges[i], sized); words != "" {
			return &Refusal{scale.LimitRange, words}
		}
	}
	for i := range a.Quotas {
		if words := exceeds(&a.Quotas[i], template, sized); words != "" {
			return &Refusal{scale.Quota, words}
		}
	}
	return nil
}
