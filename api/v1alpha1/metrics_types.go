package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// MetricSpec is one metric of autoscaling/v2, with a choice more: a target,
// as there, or a pair of watermarks, as in the Watermark KEP.
//
// +kubebuilder:validation:XValidation:rule="(self.type == 'Resource') == has(self.resource)",message="type: Resource and the field resource belong together: set exactly the source that type names"
// +kubebuilder:validation:XValidation:rule="(self.type == 'ContainerResource') == has(self.containerResource)",message="type: ContainerResource and the field containerResource belong together: set exactly the source that type names"
// +kubebuilder:validation:XValidation:rule="(self.type == 'Pods') == has(self.pods)",message="type: Pods and the field pods belong together: set exactly the source that type names"
// +kubebuilder:validation:XValidation:rule="(self.type == 'Object') == has(self.object)",message="type: Object and the field object belong together: set exactly the source that type names"
// +kubebuilder:validation:XValidation:rule="(self.type == 'External') == has(self.external)",message="type: External and the field external belong together: set exactly the source that type names"
// +kubebuilder:validation:XValidation:rule="!has(self.activation) || self.type in ['Object', 'External']",message="activation needs an Object or External metric: pods that do not run have no usage to wake up for"
type MetricSpec struct {
	// name is what formula calls the metric. Example: queue.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z_][A-Za-z0-9_]*$')",message="must be a name that a formula can use: letters, digits and _, not beginning with a digit"
	Name string `json:"name,omitempty"`

	// type names the source of the metric; the field of the same name, in
	// lower case, must be set, and no other.
	// +required
	Type MetricType `json:"type"`

	// resource is the CPU or memory that the pods use, all containers of a pod
	// together.
	// +optional
	Resource *ResourceMetric `json:"resource,omitempty"`

	// containerResource is the CPU or memory that one container of each pod
	// uses. Choose it when a sidecar would blur the picture.
	// +optional
	ContainerResource *ContainerResourceMetric `json:"containerResource,omitempty"`

	// pods is a custom metric that every pod has, such as requests per second.
	// +optional
	Pods *PodsMetric `json:"pods,omitempty"`

	// object is a custom metric of one other object in the namespace, such as
	// the requests per second of an Ingress.
	// +optional
	Object *ObjectMetric `json:"object,omitempty"`

	// external is a metric from outside of the cluster, such as the length of
	// a queue in a cloud service.
	// +optional
	External *ExternalMetric `json:"external,omitempty"`

	// onMissing says what this metric asks for while it has no usable
	// sample. Hold, the default, keeps the current count and so forbids
	// scaling down. Ignore leaves the decision to the other metrics. An object
	// such as {replicas: 10} asks for that count, for a workload that must
	// never be caught small while it is blind. With afterSeconds beside it the
	// metric holds for so long first, and behavior says how the count counts:
	// Static, Current, CurrentIfHigher or CurrentIfLower. Only Static and
	// CurrentIfLower lower the count.
	// +optional
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	OnMissing *OnMissing `json:"onMissing,omitempty"`

	// activation is what the value of the whole, not that of one pod, must be
	// above for the workload to leave zero or replicas.idle. At or below it the
	// metric asks for zero, or idle, unless it needs more pods than replicas.min.
	// It needs replicas.min: 0 or replicas.idle. Example: 5.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self >= 0 : !self.startsWith('-')",message="must be 0 or more: digits and a suffix if needed, such as 5 or 500m"
	Activation *resource.Quantity `json:"activation,omitempty"`
}

// ResourceMetric is the usage of a resource by whole pods.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.target) && has(self.watermarks))",message="set exactly one of target and watermarks"
// +kubebuilder:validation:XValidation:rule="!has(self.target) || !has(self.target.value)",message="a Resource metric has no value target: use averageUtilization or averageValue"
// +kubebuilder:validation:XValidation:rule="!has(self.watermarks) || has(self.watermarks.type) && self.watermarks.type != 'Value'",message="the watermarks of a Resource metric need a type: Utilization for a percentage of the request, or AverageValue for usage per pod"
type ResourceMetric struct {
	// name is the resource: cpu or memory.
	// +required
	// +kubebuilder:validation:Enum=cpu;memory
	Name string `json:"name"`

	// target is the average to hold. Example: {averageUtilization: 60}.
	// +optional
	Target *MetricTarget `json:"target,omitempty"`

	// watermarks are the marks to stay between. Example: {type: Utilization,
	// low: 40, high: 70}.
	// +optional
	Watermarks *Watermarks `json:"watermarks,omitempty"`
}

// ContainerResourceMetric is the usage of a resource by one container of
// each pod.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.target) && has(self.watermarks))",message="set exactly one of target and watermarks"
// +kubebuilder:validation:XValidation:rule="!has(self.target) || !has(self.target.value)",message="a ContainerResource metric has no value target: use averageUtilization or averageValue"
// +kubebuilder:validation:XValidation:rule="!has(self.watermarks) || has(self.watermarks.type) && self.watermarks.type != 'Value'",message="the watermarks of a ContainerResource metric need a type: Utilization for a percentage of the request, or AverageValue for usage per pod"
type ContainerResourceMetric struct {
	// name is the resource: cpu or memory.
	// +required
	// +kubebuilder:validation:Enum=cpu;memory
	Name string `json:"name"`

	// container is the name of the container.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",message="must be the name of a container: lower case letters, digits and -"
	Container string `json:"container"`

	// target is the average to hold. Example: {averageUtilization: 60}.
	// +optional
	Target *MetricTarget `json:"target,omitempty"`

	// watermarks are the marks to stay between. Example: {type: Utilization,
	// low: 40, high: 70}.
	// +optional
	Watermarks *Watermarks `json:"watermarks,omitempty"`
}

// PodsMetric is a custom metric of every pod. It is averaged over the pods.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.target) && has(self.watermarks))",message="set exactly one of target and watermarks"
// +kubebuilder:validation:XValidation:rule="!has(self.target) || has(self.target.averageValue)",message="a Pods metric is an average over pods: use averageValue"
// +kubebuilder:validation:XValidation:rule="!has(self.watermarks) || !has(self.watermarks.type) || self.watermarks.type == 'AverageValue'",message="a Pods metric is an average over pods: use watermarks of type AverageValue"
type PodsMetric struct {
	// metric names the metric. Example: {name: requests_per_second}.
	// +required
	Metric MetricIdentifier `json:"metric"`

	// target is the average to hold. Example: {averageValue: 100}.
	// +optional
	Target *MetricTarget `json:"target,omitempty"`

	// watermarks are the marks to stay between. Example: {type: AverageValue,
	// low: 50, high: 100}.
	// +optional
	Watermarks *Watermarks `json:"watermarks,omitempty"`
}

// ObjectMetric is a custom metric of one object.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.target) && has(self.watermarks))",message="set exactly one of target and watermarks"
// +kubebuilder:validation:XValidation:rule="!has(self.target) || !has(self.target.averageUtilization)",message="an Object metric has no utilization, which is a share of the pods' requests: use value or averageValue"
// +kubebuilder:validation:XValidation:rule="!has(self.watermarks) || !has(self.watermarks.type) || self.watermarks.type != 'Utilization'",message="an Object metric has no utilization, which is a share of the pods' requests: use type Value or AverageValue"
type ObjectMetric struct {
	// describedObject is the object the metric belongs to. Example:
	// {apiVersion: networking.k8s.io/v1, kind: Ingress, name: main}.
	// +required
	DescribedObject ObjectReference `json:"describedObject"`

	// metric names the metric. Example: {name: requests_per_second}.
	// +required
	Metric MetricIdentifier `json:"metric"`

	// target is the value to hold. Example: {averageValue: 100}, which is the
	// value divided by the count of pods.
	// +optional
	Target *MetricTarget `json:"target,omitempty"`

	// watermarks are the marks to stay between. Example: {type: Value, low:
	// 150m, high: 400m}.
	// +optional
	Watermarks *Watermarks `json:"watermarks,omitempty"`
}

// ExternalMetric is a metric from outside of the cluster. If several series
// match, they are summed.
//
// +kubebuilder:validation:XValidation:rule="!(has(self.target) && has(self.watermarks))",message="set exactly one of target and watermarks"
// +kubebuilder:validation:XValidation:rule="!has(self.target) || !has(self.target.averageUtilization)",message="an External metric has no utilization, which is a share of the pods' requests: use value or averageValue"
// +kubebuilder:validation:XValidation:rule="!has(self.watermarks) || !has(self.watermarks.type) || self.watermarks.type != 'Utilization'",message="an External metric has no utilization, which is a share of the pods' requests: use type Value or AverageValue"
// +kubebuilder:validation:XValidation:rule="!has(self.prometheus) || !has(self.metric.selector)",message="prometheus and metric.selector exclude each other: write the labels into the query"
// +kubebuilder:validation:XValidation:rule="!has(self.grpc) || !has(self.prometheus)",message="prometheus and grpc exclude each other: a metric has one source"
// +kubebuilder:validation:XValidation:rule="!has(self.grpc) || !has(self.metric.selector)",message="grpc and metric.selector exclude each other: write what the scaler is to know into grpc.metadata"
type ExternalMetric struct {
	// metric names the metric. Example: {name: queue_length, selector:
	// {matchLabels: {queue: invoices}}}.
	// +required
	Metric MetricIdentifier `json:"metric"`

	// prometheus, when present, asks the administrator's Prometheus server for
	// the value instead of the external metrics API. The name of the metric is
	// then only what the metric is called, and a selector belongs into the query.
	// +optional
	Prometheus *PrometheusQuery `json:"prometheus,omitempty"`

	// grpc, when present, asks an external scaler for the value, in the protocol
	// of KEDA's external scalers. The name of the metric is the one that the
	// scaler calls it by; where the scaler has a single metric, any name will do.
	// Without target and watermarks the scaler's own target is held per pod.
	// +optional
	GRPC *GRPCScaler `json:"grpc,omitempty"`

	// target is the value to hold. Example: {averageValue: 30}, which is the
	// value divided by the count of pods.
	// +optional
	Target *MetricTarget `json:"target,omitempty"`

	// watermarks are the marks to stay between. Example: {type: Value, low:
	// 150m, high: 400m}.
	// +optional
	Watermarks *Watermarks `json:"watermarks,omitempty"`
}

// PrometheusQuery is a question to a Prometheus server.
type PrometheusQuery struct {
	// query is an instant query in PromQL. Its result is a scalar, or a vector
	// whose series are summed. Example: sum(rate(orders_total[2m])).
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=4096
	Query string `json:"query"`

	// address, when present, is the server that the query was written for. It must
	// be the administrator's for the namespace: another is never asked, and the
	// object says so. Example: http://prometheus.monitoring:9090.
	// +optional
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:validation:XValidation:rule="self.matches('^https?://[^@?#[:cntrl:][:space:]]+$')",message="must be a URL such as http://prometheus.monitoring:9090, without a password and a query"
	Address string `json:"address,omitempty"`

	// headers, when present, are those that the query was written to be asked with, such
	// as one that names a tenant. Each must be one that the administrator has sent for the
	// namespace: from here they are compared and never sent. Example: {X-Scope-OrgID: shop}.
	// +optional
	// +kubebuilder:validation:MaxProperties=16
	Headers map[string]string `json:"headers,omitempty"`

	// matchers, when present, are labels that the query was written to be restricted to by
	// the server. Each must be one that the administrator restricts queries of the
	// namespace to. Example: {namespace: shop}.
	// +optional
	// +kubebuilder:validation:MaxProperties=16
	Matchers map[string]string `json:"matchers,omitempty"`

	// ignoreNullValues, when true, takes a result without any series for 0. By
	// default it is no sample: a target that was lost looks the same as no load. KEDA's
	// default is true.
	// +optional
	IgnoreNullValues bool `json:"ignoreNullValues,omitempty"`
}

// MetricIdentifier names a metric, and the series of it that count.
type MetricIdentifier struct {
	// name is the name of the metric.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=512
	// +kubebuilder:validation:XValidation:rule="self.matches('^[^/%[:cntrl:]]+$') && self != '.' && self != '..'",message="must be a part of a path: no /, no % and nothing that cannot be printed"
	Name string `json:"name"`

	// selector narrows the metric down to series with these labels. Without it
	// the name alone decides.
	// +optional
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
}

// ObjectReference names an object that has a metric.
type ObjectReference struct {
	// apiVersion is the group and version of the object, such as
	// networking.k8s.io/v1. Left out, it is the core group, as for a Service.
	// +optional
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^(([a-z0-9]([-.a-z0-9]*[a-z0-9])?/)?[a-z0-9]+)?$')",message="must be GROUP/VERSION, such as networking.k8s.io/v1, or empty"
	APIVersion string `json:"apiVersion,omitempty"`

	// kind is the kind of the object, such as Ingress.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z][A-Za-z0-9]*$')",message="must be the name of a kind, such as Deployment"
	Kind string `json:"kind"`

	// name is the name of the object.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$')",message="must be the name of an object: lower case letters, digits, - and ."
	Name string `json:"name"`
}
