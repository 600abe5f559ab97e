package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is the kind of the object.
const Kind = "WorkloadAutoscaler"

// GroupVersion is the group and version of everything in this package.
var GroupVersion = schema.GroupVersion{Group: "autoscaling.tidemark.dev", Version: "v1alpha1"}

var (
	// SchemeBuilder collects the kinds of this package. It is apimachinery's
	// own, so that a reader of the API does not have to import a controller
	// framework.
	SchemeBuilder = runtime.NewSchemeBuilder(addKinds)
	// AddToScheme teaches a scheme the kinds of this package.
	AddToScheme = SchemeBuilder.AddToScheme
)

func addKinds(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion,
		&WorkloadAutoscaler{}, &WorkloadAutoscalerList{},
		&WorkloadHistory{}, &WorkloadHistoryList{},
		&WorkloadCourse{}, &WorkloadCourseList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
