package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// WorkloadAutoscaler decides how many pods a workload has and how large each
// of them is, and says why.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=wa,categories=all;tidemark
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas.requested,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Kind",type=string,priority=1,JSONPath=`.spec.targetRef.kind`
// +kubebuilder:printcolumn:name="Target",type=string,JSONPath=`.spec.targetRef.name`
// +kubebuilder:printcolumn:name="Mode",type=string,priority=1,JSONPath=`.spec.mode`
// +kubebuilder:printcolumn:name="Min",type=integer,JSONPath=`.spec.replicas.min`
// +kubebuilder:printcolumn:name="Max",type=integer,JSONPath=`.spec.replicas.max`
// +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.status.replicas`
// +kubebuilder:printcolumn:name="Desired",type=integer,JSONPath=`.status.desiredReplicas`
// +kubebuilder:printcolumn:name="Reason",type=string,JSONPath=`.status.lastDecision.reason`
// +kubebuilder:printcolumn:name="Limited by",type=string,JSONPath=`.status.lastDecision.limitedBy`
// +kubebuilder:printcolumn:name="Paused",type=string,priority=1,JSONPath=`.status.paused`
// +kubebuilder:printcolumn:name="Able",type=string,JSONPath=`.status.conditions[?(@.type=="AbleToScale")].status`
// +kubebuilder:printcolumn:name="Last scale",type=date,priority=1,JSONPath=`.status.lastScaleTime`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type WorkloadAutoscaler struct {
	metav1.TypeMeta `json:",inline"`
	// +optional
	metav1.ObjectMeta `json:"metadata,omitzero"`

	// spec is what you ask for. It is never rewritten: a field you leave out
	// stays out, and its default is used when a decision is made.
	// +required
	Spec WorkloadAutoscalerSpec `json:"spec"`

	// status is what was last decided, and why.
	// +optional
	Status WorkloadAutoscalerStatus `json:"status,omitzero"`
}

// WorkloadAutoscalerList is a list of WorkloadAutoscalers.
//
// +kubebuilder:object:root=true
type WorkloadAutoscalerList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitzero"`

	Items []WorkloadAutoscaler `json:"items"`
}

// WorkloadAutoscalerSpec says what to scale, on which evidence, and how fast.
//
// The rules below hold between fields; rules about one field stand at it.
//
// +kubebuilder:validation:XValidation:rule="has(self.replicas) && has(self.replicas.max) || has(self.learn) || has(self.intervals)",message="replicas.max is required: set it, or give learn or intervals, which bring a maximum of their own"
// +kubebuilder:validation:XValidation:rule="!has(self.replicas) || !has(self.replicas.min) || self.replicas.min > 0 || has(self.metrics) && self.metrics.exists(m, m.type in ['Object', 'External']) || has(self.schedules) && self.schedules.exists(s, has(s.replicas) && has(s.replicas.min) && s.replicas.min > 0)",message="replicas.min: 0 needs an Object or External metric, or a schedule with a minimum: without pods there is no other evidence to start one again"
// +kubebuilder:validation:XValidation:rule="(has(self.actuator) && self.actuator == 'HPA') == has(self.hpaName)",message="actuator: HPA and hpaName belong together: set both, or neither"
// +kubebuilder:validation:XValidation:rule="!has(self.metrics) || has(self.learn) && has(self.learn.headroom) || self.metrics.all(m, has(self.formula) && has(m.name) || (!has(m.resource) || has(m.resource.target) || has(m.resource.watermarks)) && (!has(m.containerResource) || has(m.containerResource.target) || has(m.containerResource.watermarks)))",message="a metric of a resource needs target or watermarks: only with learn.headroom, or with a name that formula uses, it may do without"
// +kubebuilder:validation:XValidation:rule="!has(self.metrics) || self.metrics.all(m, has(self.formula) && has(m.name) || (!has(m.pods) || has(m.pods.target) || has(m.pods.watermarks)) && (!has(m.object) || has(m.object.target) || has(m.object.watermarks)) && (!has(m.external) || has(m.external.target) || has(m.external.watermarks) || has(m.external.grpc)))",message="a metric needs target or watermarks: only one with a name that formula uses, or with a scaler that has its own, may do without"
// +kubebuilder:validation:XValidation:rule="!has(self.formula) || has(self.metrics) && self.metrics.exists(m, has(m.name))",message="formula needs at least one metric with a name"
// +kubebuilder:validation:XValidation:rule="!has(self.compatibility) || self.compatibility != 'HPA' || !has(self.formula) && (!has(self.combine) || self.combine == 'Max')",message="combine and formula are not among the rules of an HPA: leave them out, or set compatibility to Tidemark"
// +kubebuilder:validation:XValidation:rule="!has(self.vertical) || !has(self.vertical.source) || self.vertical.source != 'None' || has(self.intervals) || !has(self.containers) || self.containers.all(c, (!has(c.cpu) || has(c.cpu.scaling) && c.cpu.scaling != 'Vertical') && (!has(c.memory) || has(c.memory.scaling) && c.memory.scaling != 'Vertical'))",message="scaling: Vertical follows a recommendation, and vertical.source: None gives none: use Horizontal or \"Off\", or another source"
// +kubebuilder:validation:XValidation:rule="has(self.maintenanceWindows) || !has(self.behavior) || ![has(self.behavior.scaleUp) && has(self.behavior.scaleUp.update) && self.behavior.scaleUp.update == 'MaintenanceWindow', has(self.behavior.scaleDown) && has(self.behavior.scaleDown.update) && self.behavior.scaleDown.update == 'MaintenanceWindow'].exists(waits, waits)",message="update: MaintenanceWindow needs at least one entry in maintenanceWindows: without one the direction could never change"
type WorkloadAutoscalerSpec struct {
	// targetRef names the workload: anything with a scale subresource, in the
	// namespace of this object. Example: {apiVersion: apps/v1, kind:
	// Deployment, name: web}.
	//
	// The cluster requires it. Scripts and offline decisions, which describe
	// their workload themselves, may leave it out.
	// +required
	TargetRef TargetReference `json:"targetRef,omitzero"`

	// mode says what becomes of a decision. Auto, the default, applies it.
	// Recommend decides and explains and changes nothing, which is how to try
	// a new policy on a live workload. "Off" changes nothing either, and says
	// that this is meant to last; quote it, because YAML reads a bare Off as
	// false. Emergency goes to the maximum at once; going back to Auto steps
	// down gently.
	// +optional
	Mode Mode `json:"mode,omitempty"`

	// compatibility says whose rules apply. Tidemark, the default, has every
	// deliberate improvement over the HorizontalPodAutoscaler. HPA switches
	// them all off, so that decisions equal the upstream controller's: choose
	// it to move an HPA here without a change in behavior, then switch. As
	// upstream's do, such decisions scale down by values that are negative, from
	// the future or of any age, and however few of the pods are measured.
	// +optional
	Compatibility Compatibility `json:"compatibility,omitempty"`

	// replicas bounds the count of pods. Example: {min: 2, max: 20}.
	// +optional
	Replicas ReplicaSpec `json:"replicas,omitzero"`

	// metrics are the evidence. Each one asks for a count, and the largest
	// is the desired one. Without any, only a requested count, recommendations and the
	// bounds move the workload, unless compatibility is HPA: then the average
	// CPU utilization is held at 80 %, as an HPA does.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=20
	Metrics []MetricSpec `json:"metrics,omitempty"`

	// combine says how the counts that metrics ask for become one. Max, the
	// default, takes the largest, Min the smallest. All moves only as far as every
	// metric agrees: out where all ask for more, in where all ask for fewer. A
	// requested count and a formula are one more metric in this.
	// +optional
	Combine Combine `json:"combine,omitempty"`

	// formula is one more metric, computed from those that have a name. Example:
	// {expression: "max(queue / 10, workers * 2)", target: {averageValue: 1}}.
	// +optional
	Formula *Formula `json:"formula,omitempty"`

	// behavior says how fast the desired size may become the actual one, in each
	// direction.
	// +optional
	Behavior *Behavior `json:"behavior,omitempty"`

	// pause, when present, keeps the workload as it is, or at a count, while
	// decisions are still made and explained. Example: {replicas: 5, until:
	// "2026-11-30T00:00:00Z"}. The annotation autoscaling.tidemark.dev/paused
	// does the same without a change of the spec, and wins over this.
	// +optional
	Pause *Pause `json:"pause,omitempty"`

	// schedules bound the count, or forbid changes, at some times of the calendar.
	// Where two of them hold, the later in the list wins. Pods are started ahead
	// of a minimum, by as long as they have been seen to take. Without a metric,
	// the smallest count that holds is the desired one.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=50
	Schedules []Schedule `json:"schedules,omitempty"`

	// maintenanceWindows are the times of the day in which a direction whose
	// update is MaintenanceWindow may change the workload.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=20
	MaintenanceWindows []MaintenanceWindow `json:"maintenanceWindows,omitempty"`

	// containers says, for each container, which of its resources are scaled
	// by size rather than by count, and within which bounds. The name "*"
	// stands for every container that has no entry of its own.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=20
	Containers []ContainerPolicy `json:"containers,omitempty"`

	// vertical says where recommended requests come from and how they are
	// brought to the pods. It matters as soon as containers, intervals or
	// learn.headroom.resize let requests change, of the last only update does, or
	// targets are learned.
	// +optional
	Vertical *VerticalSpec `json:"vertical,omitempty"`

	// intervals, when present, choose replicas and requests together, from the
	// total of a resource that the workload needs, as HVPA-EP-0001 proposes.
	// +optional
	Intervals *Intervals `json:"intervals,omitempty"`

	// learn, when present, takes bounds and targets from the workload's own
	// history, as the Tortoise design proposes.
	// +optional
	Learn *Learn `json:"learn,omitempty"`

	// actuator says who changes the count. Scale, the default, is us, through
	// the target's scale subresource. HPA keeps the HorizontalPodAutoscaler
	// named by hpaName tuned (its minimum, maximum and targets, as far as they
	// are stated or learned) and leaves the count to it. It gets back what was
	// found in it when this object goes or stops tuning.
	// +optional
	Actuator Actuator `json:"actuator,omitempty"`

	// hpaName is the HorizontalPodAutoscaler to keep tuned when actuator is
	// HPA. It must be in the namespace of this object.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$')",message="must be the name of an object: lower case letters, digits, - and ."
	HPAName string `json:"hpaName,omitempty"`
}

// TargetReference names the workload to scale.
//
// +kubebuilder:validation:XValidation:rule="self.kind != 'WorkloadAutoscaler' || !self.apiVersion.startsWith('autoscaling.tidemark.dev/')",message="a WorkloadAutoscaler is no workload: name what it scales itself, or the two would scale each other"
type TargetReference struct {
	// apiVersion is the group and version of the workload, such as apps/v1.
	// It is required because a kind alone may exist in several groups.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^([a-z0-9]([-.a-z0-9]*[a-z0-9])?/)?[a-z0-9]+$')",message="must be GROUP/VERSION, such as apps/v1"
	APIVersion string `json:"apiVersion"`

	// kind is the kind of the workload, such as Deployment or StatefulSet.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=63
	// +kubebuilder:validation:XValidation:rule="self.matches('^[A-Za-z][A-Za-z0-9]*$')",message="must be the name of a kind, such as Deployment"
	Kind string `json:"kind"`

	// name is the name of the workload.
	// +required
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=253
	// +kubebuilder:validation:XValidation:rule="self.matches('^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$')",message="must be the name of an object: lower case letters, digits, - and ."
	Name string `json:"name"`
}

// ReplicaSpec bounds the count of pods.
//
// +kubebuilder:validation:XValidation:rule="!has(self.min) || !has(self.max) || self.min <= self.max",message="min must not be above max: lower min or raise max"
// +kubebuilder:validation:XValidation:rule="!has(self.idle) || self.idle < (has(self.min) ? self.min : 1)",message="idle must be below min, which is 1 unless stated: it is the count while no metric is active"
type ReplicaSpec struct {
	// min is the smallest count. The default is 1. With 0 the workload may
	// sleep, which needs an Object or External metric, or a schedule with a
	// minimum, to wake it.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Min *int32 `json:"min,omitempty"`

	// max is the largest count. It is required unless learn or intervals bring
	// a maximum of their own.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Max *int32 `json:"max,omitempty"`

	// step makes every count a multiple of it, rounding up. The default is 1.
	// Example: 3, for a workload spread evenly over three zones.
	// +optional
	// +kubebuilder:validation:Minimum=1
	Step *int32 `json:"step,omitempty"`

	// idle is the count while no metric is active, below min. As soon as one is
	// above its activation, which is 0 unless stated, min counts again. It needs
	// an Object or External metric. Example: 0, with min 3, for a workload that
	// runs as three pods or not at all.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Idle *int32 `json:"idle,omitempty"`

	// requested is a count that someone else asks for: this object has a
	// scale subresource, and what an HPA, a KEDA ScaledObject or kubectl scale
	// writes there lands here. It counts beside the metrics,
	// so that bounds, velocity and windows apply to it.
	//
	// The API server can only read the scale subresource of an object that has
	// a number here. As soon as an HPA points at this object, the controller
	// sets requested to the current count, once, on its behalf; that is the
	// only field of a spec that it ever writes. To stop following the HPA,
	// delete the HPA and remove this field.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Requested *int32 `json:"requested,omitempty"`
}

// Mode says what becomes of a decision.
//
// +kubebuilder:validation:Enum=Auto;Recommend;Off;Emergency
type Mode string

// The modes.
const (
	ModeAuto      Mode = "Auto"
	ModeRecommend Mode = "Recommend"
	ModeOff       Mode = "Off"
	ModeEmergency Mode = "Emergency"
)

// Compatibility says whose rules apply.
//
// +kubebuilder:validation:Enum=Tidemark;HPA
type Compatibility string

// The compatibilities.
const (
	CompatibilityTidemark Compatibility = "Tidemark"
	CompatibilityHPA      Compatibility = "HPA"
)

// Actuator says who changes the count.
//
// +kubebuilder:validation:Enum=Scale;HPA
type Actuator string

// The actuators.
const (
	ActuatorScale Actuator = "Scale"
	ActuatorHPA   Actuator = "HPA"
)
