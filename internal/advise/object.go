package advise

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// objectFor is the object to apply, in mode Recommend: it says what it would do
// and changes nothing. What is there is converted; where cpu alone decides, its
// metrics make room for the recommended policy. The text says why there is none.
func objectFor(w Workload, is present, spec v1alpha1.WorkloadAutoscalerSpec) (*v1alpha1.WorkloadAutoscaler, string) {
	out := &v1alpha1.WorkloadAutoscaler{Spec: spec}
	switch {
	case is.spec != nil && !is.byCPU && is.from.Partial:
		return nil, "Prometheus does not know what else than cpu it scales by: give a cluster with --kubeconfig"
	case is.spec != nil && !is.byCPU:
		out = is.object.DeepCopy()
	case is.spec != nil && !is.from.Partial:
		// Schedules and pauses stay; how fast to follow a target has no part where
		// there is none.
		out.Spec.Schedules = is.object.Spec.Schedules
	}
	out.TypeMeta = metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: ours}
	out.ObjectMeta = metav1.ObjectMeta{Namespace: w.Namespace, Name: w.Name}
	out.Status = v1alpha1.WorkloadAutoscalerStatus{}
	out.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: w.Kind, Name: w.Name}
	out.Spec.Mode = v1alpha1.ModeRecommend
	return out, ""
}
