package v1alpha1

import "k8s.io/apimachinery/pkg/api/resource"

// Behavior says how fast the desired size may become the actual one.
//
// +kubebuilder:validation:XValidation:rule="!has(self.scaleDown) || !has(self.scaleDown.limitPercent) || self.scaleDown.limitPercent <= 100",message="scaleDown.limitPercent must be at most 100: no more than all pods can go"
// +kubebuilder:validation:XValidation:rule="!has(self.scaleUp) || !has(self.scaleUp.emptiestFirst)",message="emptiestFirst belongs to scaleDown: no pod goes on the way up"
// +kubebuilder:validation:XValidation:rule="!has(self.scaleUp) || !has(self.scaleUp.toZeroDelaySeconds)",message="toZeroDelaySeconds belongs to scaleDown: nothing goes to zero on the way up"
type Behavior struct {
	// scaleUp holds the rules for more pods, and for larger ones. Left out, an
	// HPA's defaults apply: no stabilization, and the larger of 100 % and 4
	// pods every 15 seconds.
	// +optional
	ScaleUp *ScalingRules `json:"scaleUp,omitempty"`

	// scaleDown holds the rules for fewer pods, and for smaller ones. Left
	// out, an HPA's defaults apply: the largest count desired in the last 300 s
	// counts, and then all pods above it may go at once.
	// +optional
	ScaleDown *ScalingRules `json:"scaleDown,omitempty"`

	// converge lets the count creep toward a mark while the value is inside
	// the band, one step a decision. HighWatermark removes pods as long as the
	// value stays below high: it saves money. LowWatermark adds pods as long
	// as it stays above low: it buys room. The default is None.
	// +optional
	Converge Converge `json:"converge,omitempty"`

	// onPartial says how a metric goes on where pods that should have a sample
	// have none. Fill, the default, takes them to be at the target on the way
	// down and idle on the way up, as long as at least half of the pods are
	// measured, and holds below that. Hold lets the metric hold as soon as one
	// is not measured. A metric that holds forbids scaling down, and nothing
	// else. With compatibility HPA pods are filled in as upstream does.
	// +optional
	OnPartial OnPartial `json:"onPartial,omitempty"`

	// syncPeriodSeconds is how often a decision is made. The default is 15.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=3600
	SyncPeriodSeconds *int32 `json:"syncPeriodSeconds,omitempty"`

	// cpuInitializationSeconds is how long after its start the CPU usage of a
	// pod is not trusted unless the pod was ready during the sample. The
	// default is 300. Raise it for pods that burn CPU while they warm up.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	CPUInitializationSeconds *int32 `json:"cpuInitializationSeconds,omitempty"`

	// initialReadinessSeconds is how long after its start a pod that turns
	// unready counts as never having been ready. The default is 30.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	InitialReadinessSeconds *int32 `json:"initialReadinessSeconds,omitempty"`

	// staleAfterSeconds is how old a sample may be before it counts as
	// missing. The default is 300.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=604800
	StaleAfterSeconds *int32 `json:"staleAfterSeconds,omitempty"`

	// emergencyAfterSeconds declares an emergency when no metric, nobody who
	// requests a count and no recommendation has said anything usable for so
	// long: the workload then runs at its maximum until one of them comes back,
	// and returns to its minimum gradually. Unset means never, and the workload
	// simply keeps its size while nothing is known. Example: 600.
	// +optional
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=604800
	EmergencyAfterSeconds *int32 `json:"emergencyAfterSeconds,omitempty"`
}

// DeletionCostAnnotation is on pods whose deletion cost is ours. Its value is that
// cost: one that is not the same is somebody else's, and is left alone.
const DeletionCostAnnotation = "autoscaling.tidemark.dev/deletion-cost"

// ScalingRules are the rules for one direction.
type ScalingRules struct {
	// tolerance widens the band: a value that is off by no more than this
	// share changes nothing. The default is "0.1", which is 10 %. Lower it, to
	// "0.01" for example, where every hundredth of a large workload costs.
	// Quote it: a bare number with a point is not a quantity in YAML.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self >= 0 : !self.startsWith('-')",message="must be 0 or more: a share such as \"0.1\", which is 10 %"
	Tolerance *resource.Quantity `json:"tolerance,omitempty"`

	// stabilizationWindowSeconds is how far back desired counts are remembered.
	// Scaling down, the largest of the window counts; scaling up, the
	// smallest. The default is 0 for scaleUp and 300 for scaleDown.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=3600
	StabilizationWindowSeconds *int32 `json:"stabilizationWindowSeconds,omitempty"`

	// selectPolicy says which of several policies counts: the one that allows
	// the most (Max, the default) or the least (Min). Disabled forbids the
	// direction.
	// +optional
	SelectPolicy SelectPolicy `json:"selectPolicy,omitempty"`

	// policies cap what may change within a period, as in autoscaling/v2. Left
	// out, an HPA's defaults apply, or none with intervals; an empty list is refused, because it could
	// mean "no cap" as well as "no change". Example: [{type: Pods, value: 4,
	// periodSeconds: 60}].
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:XValidation:rule="self.size() > 0",message="must not be an empty list: leave it out for the defaults, or say selectPolicy: Disabled to forbid the direction"
	Policies []ScalingPolicy `json:"policies,omitzero"`

	// limitPercent caps one decision at this percentage of the current count,
	// but always lets one pod move, as in the Watermark KEP. 0 forbids the
	// direction. Left out, there is no such cap; given, it stands in the place
	// of the default policies. Example: 50.
	// +optional
	// +kubebuilder:validation:Minimum=0
	LimitPercent *int32 `json:"limitPercent,omitempty"`

	// forbiddenWindowSeconds forbids this direction for so long after any
	// change of the count, in either direction and by whomever. The default is
	// 0. Choose it, 60 for example, to let the effect of a change be measured
	// before the next one.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	ForbiddenWindowSeconds *int32 `json:"forbiddenWindowSeconds,omitempty"`

	// delaySeconds is how long the value must have been outside of the band
	// before this direction may act. The default is 0. Choose it to sleep
	// through short spikes.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	DelaySeconds *int32 `json:"delaySeconds,omitempty"`

	// toZeroDelaySeconds is how long zero, or replicas.idle, must have been asked
	// for without a break before the last pods go. Until then there are
	// replicas.min of them, and at least one. It runs beside the stabilization
	// window, not after it, belongs to scaleDown alone, and needs replicas.min: 0
	// or replicas.idle. The default is 0. Example: 300.
	// +optional
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:Maximum=604800
	ToZeroDelaySeconds *int32 `json:"toZeroDelaySeconds,omitempty"`

	// emptiestFirst lets the pods go first that have the least to do, by the first
	// metric of type Pods or else by the CPU they use: they are given a pod deletion
	// cost when the count falls, which Deployments and ReplicaSets heed. It belongs to
	// scaleDown alone. The default is false.
	// +optional
	EmptiestFirst *bool `json:"emptiestFirst,omitempty"`

	// update says whether this direction changes the workload: Auto, the
	// default, at any time; "Off", in quotes, never; MaintenanceWindow only
	// while one of maintenanceWindows is open.
	// +optional
	Update UpdateMode `json:"update,omitempty"`

	// minChange drops changes that are too small to be worth a restart, for
	// each resource: cpu, memory. It is compared with the change of the total
	// over all replicas. Example: {cpu: {value: 100m, percentage: 10}}, where
	// the larger of the two counts.
	// +optional
	// +kubebuilder:validation:MaxProperties=8
	// +kubebuilder:validation:XValidation:rule="self.all(name, name in ['cpu', 'memory'])",message="unknown resource: use cpu or memory"
	MinChange map[string]ChangeParams `json:"minChange,omitempty"`
}

// ScalingPolicy caps what may change within a period.
type ScalingPolicy struct {
	// type says what value counts: Pods, or Percent of the count at the start
	// of the period.
	// +required
	Type ScalingPolicyType `json:"type"`

	// value is how much may change within the period.
	// +required
	// +kubebuilder:validation:Minimum=1
	Value int32 `json:"value"`

	// periodSeconds is the length of the period, at most half an hour.
	// +required
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=1800
	PeriodSeconds int32 `json:"periodSeconds"`
}

// ChangeParams is an amount, given as a quantity, as a percentage, or as
// both: then the larger one counts.
//
// +kubebuilder:validation:XValidation:rule="has(self.value) || has(self.percentage)",message="set value, percentage, or both; the larger one counts"
type ChangeParams struct {
	// value is the amount as a quantity. Example: 100m of cpu, 256Mi of memory.
	// +optional
	// +kubebuilder:validation:XValidation:rule="type(self) == int ? self >= 0 : !self.startsWith('-')",message="must be 0 or more: digits and a suffix if needed, such as 100m, 2 or 256Mi"
	Value *resource.Quantity `json:"value,omitempty"`

	// percentage is the amount as a percentage. Example: 10.
	// +optional
	// +kubebuilder:validation:Minimum=0
	Percentage *int32 `json:"percentage,omitempty"`
}

// OnPartial says how a metric goes on where some pods have no usable sample.
//
// +kubebuilder:validation:Enum=Fill;Hold
type OnPartial string

// The ways to go on.
const (
	OnPartialFill OnPartial = "Fill"
	OnPartialHold OnPartial = "Hold"
)

// Converge says toward which mark the count creeps inside the band.
//
// +kubebuilder:validation:Enum=None;HighWatermark;LowWatermark
type Converge string

// The ways to converge.
const (
	ConvergeNone          Converge = "None"
	ConvergeHighWatermark Converge = "HighWatermark"
	ConvergeLowWatermark  Converge = "LowWatermark"
)

// SelectPolicy says which of several policies counts.
//
// +kubebuilder:validation:Enum=Max;Min;Disabled
type SelectPolicy string

// The ways to select a policy.
const (
	SelectMax      SelectPolicy = "Max"
	SelectMin      SelectPolicy = "Min"
	SelectDisabled SelectPolicy = "Disabled"
)

// ScalingPolicyType says what the value of a policy counts.
//
// +kubebuilder:validation:Enum=Pods;Percent
type ScalingPolicyType string

// The types of policies.
const (
	PodsScalingPolicy    ScalingPolicyType = "Pods"
	PercentScalingPolicy ScalingPolicyType = "Percent"
)

// UpdateMode says whether and when a direction changes the workload.
//
// +kubebuilder:validation:Enum=Auto;Off;MaintenanceWindow
type UpdateMode string

// The update modes.
const (
	UpdateAuto              UpdateMode = "Auto"
	UpdateOff               UpdateMode = "Off"
	UpdateMaintenanceWindow UpdateMode = "MaintenanceWindow"
)
