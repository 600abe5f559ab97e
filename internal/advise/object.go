package advise

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/convert"
)

// objectFor is the object to apply, in mode Recommend: it says what it would do
// and changes nothing. Where cpu alone decides, it is the policy that was replayed;
// otherwise what is there is converted. The text says why there is none.
func objectFor(w Workload, is present, spec v1alpha1.WorkloadAutoscalerSpec) (*v1alpha1.WorkloadAutoscaler, string) {
	out := &v1alpha1.WorkloadAutoscaler{Spec: spec}
	switch {
	case is.spec != nil && is.from.Kind == ours:
		return nil, fmt.Sprintf("Tidemark scales it already: change WorkloadAutoscaler %s itself, since one in mode Recommend would end what it does", is.from.Name)
	case is.spec != nil && !is.byCPU && is.from.Partial:
		return nil, "Prometheus does not know what else than cpu it scales by: give a cluster with --kubeconfig"
	case is.spec != nil && !is.byCPU:
		out = is.joined()
	}
	out.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: ours}
	out.ObjectMeta = metav1.ObjectMeta{Namespace: w.Namespace, Name: w.Name}
	out.Status = v1alpha1.WorkloadAutoscalerStatus{}
	out.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: w.Kind, Name: w.Name}
	out.Spec.Mode = v1alpha1.ModeRecommend
	return out, ""
}

// joined is the conversion of what decides about the count, with that of what
// decides about sizes, where the two can share an object.
func (is *present) joined() *v1alpha1.WorkloadAutoscaler {
	if is.sizes == nil {
		return is.object.DeepCopy()
	}
	count, size := convert.Result{Object: is.object.DeepCopy()}, *is.sizes
	// Where they cannot, the count stays as it is.
	_ = convert.Join(&count, &size)
	return count.Object.(*v1alpha1.WorkloadAutoscaler)
}

// shut keeps of a behavior what may not happen at all; nil where everything may.
func shut(b *v1alpha1.Behavior) *v1alpha1.Behavior {
	if b == nil {
		return nil
	}
	out := v1alpha1.Behavior{}
	if b.ScaleUp != nil && b.ScaleUp.SelectPolicy == v1alpha1.SelectDisabled {
		out.ScaleUp = &v1alpha1.ScalingRules{SelectPolicy: v1alpha1.SelectDisabled}
	}
	if b.ScaleDown != nil && b.ScaleDown.SelectPolicy == v1alpha1.SelectDisabled {
		out.ScaleDown = &v1alpha1.ScalingRules{SelectPolicy: v1alpha1.SelectDisabled}
	}
	if out.ScaleUp == nil && out.ScaleDown == nil {
		return nil
	}
	return &out
}
