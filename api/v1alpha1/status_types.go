package v1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// WorkloadAutoscalerStatus is what was last decided, and why.
type WorkloadAutoscalerStatus struct {
	// observedGeneration is the generation of the spec that the rest of the
	// status is about.
	// +optional
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`

	// replicas is the count of pods that the target has now. The scale
	// subresource shows it.
	// +optional
	Replicas int32 `json:"replicas"`

	// selector selects the pods of the target, in the form of a query. The
	// scale subresource shows it, so that an HPA can find the pods.
	// +optional
	Selector string `json:"selector,omitempty"`

	// desiredReplicas is the count that was last decided.
	// +optional
	DesiredReplicas *int32 `json:"desiredReplicas,omitempty"`

	// paused is the pause in force, of the spec or of the annotation, in the
	// words of the annotation: true, in, out or a count, and until= with a
	// moment. Empty is none.
	// +optional
	Paused string `json:"paused,omitempty"`

	// conditions are AbleToScale, ScalingActive and ScalingLimited, with the
	// meaning they have for an HPA.
	// +optional
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`

	// lastDecision is the last decision with every step that led to it. It is
	// what tidemark explain reads.
	// +optional
	LastDecision *Decision `json:"lastDecision,omitempty"`

	// publishedVPA is the VerticalPodAutoscaler that shows the decided size, where
	// vertical.publish asks for one.
	// +optional
	PublishedVPA string `json:"publishedVPA,omitempty"`

	// lastScaleTime is when the size of the target last changed, by whomever.
	// +optional
	LastScaleTime *metav1.Time `json:"lastScaleTime,omitempty"`

	// memory is what the next decision must know of the past: recent desired counts,
	// scaling events, since when a value has been outside of its band. It is
	// kept here so that a restart or a change of leader forgets nothing. Its
	// form is the engine's own; nothing else should read or write it.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	Memory *runtime.RawExtension `json:"memory,omitempty"`
}

// Decision is a decision with its reasons inside, in the form that tidemark
// decide prints.
type Decision struct {
	// at is the moment of the decision. The status is written when something
	// changed that matters, so a decision that only repeats this one at a later
	// moment, with other values of the metrics, is not shown.
	// +optional
	At metav1.Time `json:"at,omitzero"`

	// from is the size that was found.
	// +optional
	From Size `json:"from"`

	// want is the size that is applied.
	// +optional
	Want Size `json:"want"`

	// proposed is the size that mode Auto would apply. It differs from want
	// only where the mode, or a global pause, keeps changes back.
	// +optional
	Proposed Size `json:"proposed"`

	// steps are the stages that looked at the decision, in their order.
	// +optional
	// +listType=atomic
	Steps []Step `json:"steps,omitempty"`

	// reason is why the size was desired, as one word.
	// +optional
	Reason string `json:"reason,omitempty"`

	// limitedBy is the reason of the last stage that held it back. It is
	// empty if none did.
	// +optional
	LimitedBy string `json:"limitedBy,omitempty"`

	// recheckAfter is how long after the decision the next one is due, such as
	// 15s.
	// +optional
	RecheckAfter string `json:"recheckAfter,omitempty"`

	// tuning is what an existing HPA is set to, where actuator is HPA.
	// +optional
	Tuning *Tuning `json:"tuning,omitempty"`
}

// Tuning is what an existing HPA is set to. What was neither learned nor stated
// is left out: there the HPA has what its owner gave it.
type Tuning struct {
	// minReplicas is its minimum.
	// +optional
	MinReplicas *int32 `json:"minReplicas,omitempty"`

	// maxReplicas is its maximum.
	// +optional
	MaxReplicas *int32 `json:"maxReplicas,omitempty"`

	// targets are its target utilizations in percent, by container and
	// resource, such as {app: {cpu: 70}}.
	// +optional
	Targets map[string]map[string]int32 `json:"targets,omitempty"`
}

// Size is how many pods there are and how large each one is.
type Size struct {
	// replicas is the count of pods.
	// +optional
	Replicas int32 `json:"replicas"`

	// containers are the requests of one pod, by container and resource, such
	// as {app: {cpu: 500m, memory: 1Gi}}.
	// +optional
	Containers map[string]map[string]string `json:"containers,omitempty"`

	// limits are the limits of one pod, by container and resource, where there
	// are any.
	// +optional
	Limits map[string]map[string]string `json:"limits,omitempty"`
}

// Step is one stage's part in a decision.
type Step struct {
	// stage is the place in the pipeline, such as horizontal or limit.
	// +optional
	Stage string `json:"stage,omitempty"`

	// reason is why the stage did what it did, as one word.
	// +optional
	Reason string `json:"reason,omitempty"`

	// in is the size that came to the stage.
	// +optional
	In Size `json:"in"`

	// out is the size that left it.
	// +optional
	Out Size `json:"out"`

	// message tells the same in a sentence, with the numbers.
	// +optional
	Message string `json:"message,omitempty"`
}
