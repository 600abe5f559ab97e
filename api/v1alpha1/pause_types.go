package v1alpha1

// PausedAnnotation pauses an object, or goes on with it, without a change of its
// spec: true, false, in, out or a count, and after a space until= and a moment,
// where it is to end by itself. It wins over spec.pause.
const PausedAnnotation = "autoscaling.tidemark.dev/paused"

// Pause keeps the workload as it is, or at a count. An empty one pauses
// everything until it is removed.
//
// +kubebuilder:validation:XValidation:rule="!has(self.replicas) || !has(self.directions) || self.directions == 'Both'",message="replicas pauses both directions: remove directions, or replicas"
type Pause struct {
	// replicas is the count to stay at, also outside of the bounds. Left out, it
	// is the count there is.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Replicas *int32 `json:"replicas,omitempty"`

	// directions says what is paused. Both is the default; In lets the workload
	// grow only, Out lets it shrink only.
	// +optional
	Directions PauseDirections `json:"directions,omitempty"`

	// until is the moment at which the pause ends by itself.
	// Example: "2026-11-30T00:00:00+01:00".
	// +optional
	// +kubebuilder:validation:Format=date-time
	// +kubebuilder:validation:MaxLength=64
	Until string `json:"until,omitempty"`
}

// PauseDirections says what is paused.
//
// +kubebuilder:validation:Enum=Both;In;Out
type PauseDirections string

// The directions.
const (
	PauseBoth PauseDirections = "Both"
	PauseIn   PauseDirections = "In"
	PauseOut  PauseDirections = "Out"
)
