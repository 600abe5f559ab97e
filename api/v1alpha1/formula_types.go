package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// Formula is a metric that is computed from others.
//
// +kubebuilder:validation:XValidation:rule="has(self.target.value) != has(self.target.averageValue) && !has(self.target.averageUtilization)",message="the target of a formula needs exactly one of value and averageValue"
type Formula struct {
	// expression is in CEL, over the names of metrics. It knows + - * / min max
	// ?: and comparisons, and name.orValue(5) for a metric that may be missing. A
	// name stands for the whole workload: the sum of the metric's series, or of
	// what its pods have, in cores or bytes where that is a resource. Numbers are
	// exact fractions. Example: "max(queue / 10, workers.orValue(0))".
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=1024
	Expression string `json:"expression"`

	// target is the result to hold. Example: {averageValue: 1}, where the result
	// is the count of pods.
	// +required
	Target MetricTarget `json:"target"`

	// activation is what the result must be above for the workload to leave zero
	// or replicas.idle, as that of a metric. Example: 5.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self >= 0 : !self.startsWith('-')",message="must be 0 or more: digits and a suffix if needed, such as 5 or 500m"
	Activation *resource.Quantity `json:"activation,omitempty"`
}

// Combine says how the counts that metrics ask for become one.
//
// +kubebuilder:validation:Enum=Max;Min;All
type Combine string

// The ways to combine.
const (
	CombineMax Combine = "Max"
	CombineMin Combine = "Min"
	CombineAll Combine = "All"
)
