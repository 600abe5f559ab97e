package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// Intervals choose replicas and requests together, as HVPA-EP-0001 proposes:
// the total that the workload needs of a resource decides the count, and the
// total divided by the count is the request of a pod. The same total always
// gives the same size, whatever the way to it was.
type Intervals struct {
	// ranges are the sizes the workload may have, from the smallest to the
	// largest. Each one reaches from the count after the one before it up to
	// its maxReplicas. Example: up to 1 pod of 500m cpu, then up to 5 pods
	// that grow to 8 cores: [{maxReplicas: 1, maxResources: {cpu: 500m}},
	// {maxReplicas: 5, maxResources: {cpu: "8"}}].
	// +required
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	// +kubebuilder:validation:XValidation:rule="self.map(r, r.maxReplicas).isSorted() && self.all(r, self.exists_one(other, other.maxReplicas == r.maxReplicas))",message="maxReplicas must rise from range to range: each range starts after the one before it"
	Ranges []IntervalRange `json:"ranges"`

	// overlap is how far the total must fall below the boundary between two
	// counts before a pod is removed, for each resource: cpu, memory. It keeps
	// a workload whose need wavers around a boundary from flapping. Example:
	// {cpu: {value: 250m, percentage: 30}}, where the larger of the two counts.
	// +optional
	// +kubebuilder:validation:MaxProperties=8
	// +kubebuilder:validation:XValidation:rule="self.all(name, name in ['cpu', 'memory'])",message="unknown resource: use cpu or memory"
	Overlap map[string]ChangeParams `json:"overlap,omitempty"`

	// basePerReplica is what a pod uses before it does any work, for each
	// resource: cpu, memory. It is taken off and added again when the count
	// changes, because a pod more also brings its base. Example: {memory:
	// {value: 100Mi, percentage: 5}}, where the larger of the two counts.
	// +optional
	// +kubebuilder:validation:MaxProperties=8
	// +kubebuilder:validation:XValidation:rule="self.all(name, name in ['cpu', 'memory'])",message="unknown resource: use cpu or memory"
	BasePerReplica map[string]ChangeParams `json:"basePerReplica,omitempty"`
}

// IntervalRange is a range of counts and the largest pod in it.
type IntervalRange struct {
	// maxReplicas is the largest count of the range.
	// +required
	// +kubebuilder:validation:Minimum=1
	MaxReplicas *int32 `json:"maxReplicas,omitempty"`

	// maxResources is the largest request of one pod at that count, for each
	// resource: cpu, memory. Example: {cpu: "8", memory: 32Gi}.
	// +required
	// +kubebuilder:validation:MinProperties=1
	// +kubebuilder:validation:MaxProperties=8
	// +kubebuilder:validation:XValidation:rule="self.all(name, name in ['cpu', 'memory'])",message="unknown resource: use cpu or memory"
	// +kubebuilder:validation:XValidation:rule="self.all(name, type(self[name]) == int ? self[name] > 0 : self[name].matches('^[0-9.]*[1-9]'))",message="must be above 0: digits and a suffix if needed, such as 100m, 2 or 256Mi"
	MaxResources map[string]resource.Quantity `json:"maxResources,omitempty"`

	// extrapolation says how the totals of the range are divided among its
	// counts when it holds more than one. Linear, the default, gives every
	// count an equal share. Logarithmic adds pods early and lets them grow
	// late; Exponential does the opposite. HorizontalOnly pins the pod at
	// maxResources and changes the count alone.
	// +optional
	Extrapolation Extrapolation `json:"extrapolation,omitempty"`
}

// Extrapolation says how the totals of a range are divided among its counts.
//
// +kubebuilder:validation:Enum=Linear;HorizontalOnly;Logarithmic;Exponential
type Extrapolation string

// The ways to extrapolate.
const (
	ExtrapolationLinear         Extrapolation = "Linear"
	ExtrapolationHorizontalOnly Extrapolation = "HorizontalOnly"
	ExtrapolationLogarithmic    Extrapolation = "Logarithmic"
	ExtrapolationExponential    Extrapolation = "Exponential"
)
