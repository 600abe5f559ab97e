package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// MetricType names the source of a metric.
//
// +kubebuilder:validation:Enum=Resource;ContainerResource;Pods;Object;External
type MetricType string

// The metric types.
const (
	ResourceMetricType          MetricType = "Resource"
	ContainerResourceMetricType MetricType = "ContainerResource"
	PodsMetricType              MetricType = "Pods"
	ObjectMetricType            MetricType = "Object"
	ExternalMetricType          MetricType = "External"
)

// TargetType says what a number is compared with: the metric's value as it
// is, its average per pod, or a percentage of the pods' requests.
//
// +kubebuilder:validation:Enum=Value;AverageValue;Utilization
type TargetType string

// The target types.
const (
	ValueTarget        TargetType = "Value"
	AverageValueTarget TargetType = "AverageValue"
	UtilizationTarget  TargetType = "Utilization"
)

// MetricTarget is one number to hold, as in autoscaling/v2.
//
// +kubebuilder:validation:XValidation:rule="[has(self.value), has(self.averageValue), has(self.averageUtilization)].exists_one(given, given)",message="set exactly one of value, averageValue and averageUtilization"
// +kubebuilder:validation:XValidation:rule="!has(self.type) || (self.type == 'Value' ? has(self.value) : self.type == 'AverageValue' ? has(self.averageValue) : has(self.averageUtilization))",message="type does not name the number that is set: Value goes with value, AverageValue with averageValue, Utilization with averageUtilization; type may be left out"
type MetricTarget struct {
	// type says which of the numbers is set. It may be left out: the number
	// says so itself.
	// +optional
	Type TargetType `json:"type,omitempty"`

	// value is held by the metric as it is, however many pods there are.
	// Example: 400m, for a latency of 0.4 seconds.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0: digits and a suffix if needed, such as 400m, 30 or 1.5k"
	Value *resource.Quantity `json:"value,omitempty"`

	// averageValue is held by the average per pod. Example: 100, for a hundred
	// requests per second and pod.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0: digits and a suffix if needed, such as 400m, 30 or 1.5k"
	AverageValue *resource.Quantity `json:"averageValue,omitempty"`

	// averageUtilization is held by the pods' usage as a percentage of their
	// requests. Example: 60.
	// +optional
	// +kubebuilder:validation:Minimum=1
	AverageUtilization *int32 `json:"averageUtilization,omitempty"`
}

// Watermarks are two marks to stay between, as in the Watermark KEP. Above
// high, pods are added until the value is back at high; below low, pods are
// removed until it is back at low; in between nothing happens. The wider the
// band, the calmer the workload.
//
// +kubebuilder:validation:XValidation:rule="has(self.low) || has(self.high)",message="set low, high, or both; one mark alone stands for both"
// +kubebuilder:validation:XValidation:rule="!has(self.low) || !has(self.high) || string(self.low).matches('[eE][^i]') || string(self.high).matches('[eE][^i]') || !quantity(string(self.low)).isGreaterThan(quantity(string(self.high)))",message="low must not be above high: lower low or raise high"
type Watermarks struct {
	// type says what the marks are compared with. Resource and
	// ContainerResource metrics need it, because 70 could be percent or cores.
	// Left out, it is AverageValue for a Pods metric and Value for an Object or
	// External metric.
	// +optional
	Type TargetType `json:"type,omitempty"`

	// low is the mark below which pods are removed. Left out, it equals high.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0: digits and a suffix if needed, such as 400m, 30 or 1.5k"
	Low *resource.Quantity `json:"low,omitempty"`

	// high is the mark above which pods are added. Left out, it equals low.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self > 0 : self.matches('^[0-9.]*[1-9]')",message="must be above 0: digits and a suffix if needed, such as 400m, 30 or 1.5k"
	High *resource.Quantity `json:"high,omitempty"`
}
