package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WorkloadHistory is what the controller has learned of a workload over weeks.
// It has the name of the WorkloadAutoscaler it belongs to and goes with it.
// Nobody needs to write one; to let a workload be learned anew, delete it.
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
