package targetref

import (
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Target names the object that is changed: the workload itself, or the
// HorizontalPodAutoscaler that scales it.
type Target struct {
	APIVersion, Kind, Namespace, Name string
}

// String names the target as a user would: Deployment shop/web.
func (t Target) String() string {
	return t.Kind + " " + t.Namespace + "/" + t.Name
}

// Key names a target for the index, as namespace/group/kind/name. The version
// is left out: two versions of a kind are the same object.
func (t Target) Key() string {
	group, _, versioned := strings.Cut(t.APIVersion, "/")
	if !versioned {
		group = ""
	}
	return strings.Join([]string{t.Namespace, group, t.Kind, t.Name}, "/")
}

// Of returns what an object scales.
func Of(obj *v1alpha1.WorkloadAutoscaler) Target {
	ref := obj.Spec.TargetRef
	return Target{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: obj.Namespace, Name: ref.Name}
}

// OfHPA returns what an HPA scales.
func OfHPA(hpa *autoscalingv2.HorizontalPodAutoscaler) Target {
	ref := hpa.Spec.ScaleTargetRef
	return Target{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: hpa.Namespace, Name: ref.Name}
}

// TunedHPA returns the HPA that an object keeps tuned, and whether it does that
// at all.
func TunedHPA(obj *v1alpha1.WorkloadAutoscaler) (Target, bool) {
	hpa := Target{
		APIVersion: autoscalingv2.SchemeGroupVersion.String(), Kind: "HorizontalPodAutoscaler",
		Namespace: obj.Namespace, Name: obj.Spec.HPAName,
	}
	return hpa, obj.Spec.Actuator == v1alpha1.ActuatorHPA
}
