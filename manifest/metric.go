package manifest

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// Metric is one piece of evidence. It is a plain value: build it once and use
// it in as many autoscalers as you like. Exactly one quantity is given, and it
// implies the type of the target; Low and High together are one quantity.
type Metric struct {
	// Type is where the value comes from.
	Type v1alpha1.MetricType `json:"type,omitempty"`
	// Name is the resource of a Resource or ContainerResource metric, cpu when
	// left out, and the name of any other metric, which nobody can guess.
	Name string `json:"name,omitempty"`
	// Container belongs to a ContainerResource metric.
	Container string `json:"container,omitempty"`
	// DescribedObject belongs to an Object metric.
	DescribedObject *v1alpha1.ObjectReference `json:"describedObject,omitempty"`
	// Selector narrows a Pods, Object or External metric down.
	Selector *metav1.LabelSelector `json:"selector,omitempty"`

	// AverageUtilization is a percentage of the pods' requests.
	AverageUtilization *int32 `json:"averageUtilization,omitempty"`
	// AverageValue is an amount per pod.
	AverageValue *resource.Quantity `json:"averageValue,omitempty"`
	// Value is the amount as it is, however many pods there are.
	Value *resource.Quantity `json:"value,omitempty"`
	// Low is the lower watermark, which only a WorkloadAutoscaler has. One
	// watermark alone stands for both.
	Low *resource.Quantity `json:"low,omitempty"`
	// High is the upper watermark.
	High *resource.Quantity `json:"high,omitempty"`
	// Marks says what watermarks are compared with. The default is Utilization
	// for the two kinds of resources, AverageValue for a Pods metric and Value
	// for the others.
	Marks v1alpha1.TargetType `json:"marks,omitempty"`

	// Alias is what Formula calls the metric. One that has it may do without a
	// quantity: then it is there for the formula alone.
	Alias string `json:"alias,omitempty"`
	// Activation is what the value must be above for the workload to leave zero, or
	// IdleReplicas.
	Activation *resource.Quantity `json:"activation,omitempty"`
	// Prometheus asks the administrator's Prometheus server for an External metric,
	// which is then only called by its name.
	Prometheus *v1alpha1.PrometheusQuery `json:"prometheus,omitempty"`
	// GRPC asks an external scaler for an External metric. It may do without a
	// quantity: then the scaler's own target counts, per pod.
	GRPC *v1alpha1.GRPCScaler `json:"grpc,omitempty"`
	// OnMissing is what the metric asks for while it has no usable sample: Hold,
	// the default, Ignore, or a count such as {replicas: 10}, with afterSeconds and
	// behavior beside it.
	OnMissing *v1alpha1.OnMissing `json:"onMissing,omitempty"`

	// faults are those of the functions that made the metric.
	faults fault.List
}

// Resource is the usage of cpu or memory by whole pods.
func Resource(name string, goal Goal) Metric {
	return goal.on(Metric{Type: v1alpha1.ResourceMetricType, Name: name})
}

// ContainerResource is the usage of cpu or memory by one container of each
// pod. Choose it when a sidecar would blur the picture.
func ContainerResource(container, name string, goal Goal) Metric {
	return goal.on(Metric{Type: v1alpha1.ContainerResourceMetricType, Container: container, Name: name})
}

// Pods is a custom metric that every pod has, averaged over the pods.
func Pods(name string, goal Goal) Metric {
	return goal.on(Metric{Type: v1alpha1.PodsMetricType, Name: name})
}

// Object is a custom metric of one other object in the namespace.
func Object(of v1alpha1.ObjectReference, name string, goal Goal) Metric {
	return goal.on(Metric{Type: v1alpha1.ObjectMetricType, DescribedObject: &of, Name: name})
}

// External is a metric from outside of the cluster.
func External(name string, goal Goal) Metric {
	return goal.on(Metric{Type: v1alpha1.ExternalMetricType, Name: name})
}

// Where returns the metric narrowed down to series with these labels.
func (m Metric) Where(labels map[string]string) Metric {
	m.Selector = &metav1.LabelSelector{MatchLabels: labels}
	return m
}

// As returns the metric with the name by which a formula knows it.
func (m Metric) As(alias string) Metric {
	m.Alias = alias
	return m
}

// ActiveAbove returns the metric with an activation: a workload that sleeps wakes
// when the value is above it.
func (m Metric) ActiveAbove(quantity string) Metric {
	m.Activation = m.parse("activation", quantity)
	return m
}

// Asked returns the metric as a query to the administrator's Prometheus server.
// Address and IgnoreNullValues are fields of the result's Prometheus.
func (m Metric) Asked(query string) Metric {
	m.Prometheus = &v1alpha1.PrometheusQuery{Query: query}
	return m
}

// AskedOf returns the metric as an external scaler at HOST:PORT tells it, and what the
// scaler is told of what to measure. TLS and Push are fields of the result's GRPC.
func (m Metric) AskedOf(address string, metadata map[string]string) Metric {
	m.GRPC = &v1alpha1.GRPCScaler{Address: address}
	for key, value := range metadata {
		if m.GRPC.Metadata == nil {
			m.GRPC.Metadata = map[string]v1alpha1.ScalerValue{}
		}
		m.GRPC.Metadata[key] = v1alpha1.ScalerValue(value)
	}
	return m
}

// IfMissing returns the metric with what it asks for while it has no usable sample.
func (m Metric) IfMissing(what v1alpha1.OnMissing) Metric {
	m.OnMissing = &what
	return m
}

// ofResource tells whether the metric is the usage of a resource.
func (m Metric) ofResource() bool {
	return m.Type == v1alpha1.ResourceMetricType || m.Type == v1alpha1.ContainerResourceMetricType
}

// withName fills in the name where it can be right.
func (m Metric) withName() Metric {
	if m.Name == "" && m.ofResource() {
		m.Name = "cpu"
	}
	return m
}

// hasMarks tells whether the quantity is a pair of watermarks.
func (m Metric) hasMarks() bool { return m.Low != nil || m.High != nil }

// marksType is what watermarks are compared with.
func (m Metric) marksType() v1alpha1.TargetType {
	switch {
	case m.Marks != "":
		return m.Marks
	case m.ofResource():
		return v1alpha1.UtilizationTarget
	case m.Type == v1alpha1.PodsMetricType:
		return v1alpha1.AverageValueTarget
	}
	return v1alpha1.ValueTarget
}

// defaultMetric is what an HPA without metrics holds.
func defaultMetric() Metric { return Resource("cpu", Utilization(80)) }
