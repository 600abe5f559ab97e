package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WorkloadCourse is the course of a workload's demand over the last four weeks, and
// of the room on its nodes, which self-tuning replays settings on. It has the name
// of the WorkloadAutoscaler it belongs to and goes with it. Nobody needs to write
// one; to let the next comparison begin anew, delete it.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=wc,categories=tidemark
// +kubebuilder:printcolumn:name="Updated",type=date,JSONPath=`.updatedAt`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type WorkloadCourse struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// course is the course in a form of its own, which carries its version and a
	// checksum. It is at most 40 KiB.
	// +optional
	// +kubebuilder:validation:MaxLength=54616
	Course []byte `json:"course,omitempty"`

	// updatedAt is when the course was last written.
	// +optional
	UpdatedAt metav1.Time `json:"updatedAt,omitzero"`
}

// WorkloadCourseList is a list of WorkloadCourses.
//
// +kubebuilder:object:root=true
type WorkloadCourseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`

	Items []WorkloadCourse `json:"items"`
}
