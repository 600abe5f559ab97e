package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WorkloadHistory is what the controller has learned of a workload over weeks.
// It has the name of the WorkloadAutoscaler it belongs to and goes with it.
// Nobody needs to write one. One that is deleted is written again; to let a
// workload be learned anew, take learn out of the object first. To let one begin
// with a recording, use tidemark learn.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=wh,categories=tidemark
// +kubebuilder:printcolumn:name="Updated",type=date,JSONPath=`.updatedAt`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type WorkloadHistory struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// history is the history in a form of its own, which carries its version
	// and a checksum. It is at most 64 KiB.
	// +optional
	// +kubebuilder:validation:MaxLength=87384
	History []byte `json:"history,omitempty"`

	// updatedAt is when the history was last written.
	// +optional
	UpdatedAt metav1.Time `json:"updatedAt,omitzero"`
}

// WorkloadHistoryList is a list of WorkloadHistories.
//
// +kubebuilder:object:root=true
type WorkloadHistoryList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`

	Items []WorkloadHistory `json:"items"`
}

// HistoryHandedOver is the annotation of a WorkloadAutoscaler that says when a
// WorkloadHistory was last handed over to it. A new value makes the controller
// read the history again.
const HistoryHandedOver = "autoscaling.tidemark.dev/history-handed-over"

// OwnerReference makes an object that is kept for this one go when it goes. It
// does not keep this one from going, which would take a permission more.
func (in *WorkloadAutoscaler) OwnerReference() metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: GroupVersion.String(), Kind: Kind, Name: in.Name, UID: in.UID, Controller: new(true)}
}
