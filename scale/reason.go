package scale

// Reason is a stable, machine-readable word for why. Reasons are API: they
// may be added, never renamed. This file is their only list.
type Reason string

// Why a metric, or someone else, asks for a size.
const (
	AboveHighWatermark Reason = "AboveHighWatermark"
	BelowLowWatermark  Reason = "BelowLowWatermark"
	WithinWatermarks   Reason = "WithinWatermarks"
	AboveTarget        Reason = "AboveTarget"
	BelowTarget        Reason = "BelowTarget"
	WithinTolerance    Reason = "WithinTolerance"
	NoData             Reason = "NoData"
	PartialData        Reason = "PartialData"
	Fallback           Reason = "Fallback"
	DirectionGuard     Reason = "DirectionGuard"
	Converging         Reason = "Converging"
	HeadroomShort      Reason = "HeadroomShort"
	HeadroomAmple      Reason = "HeadroomAmple"
	HeadroomKept       Reason = "HeadroomKept"
	HeadroomHeld       Reason = "HeadroomHeld"
	Saturated          Reason = "Saturated"
	Requested          Reason = "Requested"
	ScalingDisabled    Reason = "ScalingDisabled"
	NotActivated       Reason = "NotActivated"
	Activated          Reason = "Activated"
	NotAllAgree        Reason = "NotAllAgree"
	FormulaMissing     Reason = "FormulaMissing"
)

// Why a desired size was held back or changed.
const (
	Stabilized        Reason = "Stabilized"
	VelocityUp        Reason = "VelocityUp"
	VelocityDown      Reason = "VelocityDown"
	StepRounded       Reason = "StepRounded"
	MinReplicas       Reason = "MinReplicas"
	MaxReplicas       Reason = "MaxReplicas"
	Delayed           Reason = "Delayed"
	ForbiddenWindow   Reason = "ForbiddenWindow"
	MinChange         Reason = "MinChange"
	MaintenanceWindow Reason = "MaintenanceWindow"
	UpdateOff         Reason = "UpdateOff"
	ModeOff           Reason = "ModeOff"
	Recommend         Reason = "Recommend"
	Paused            Reason = "Paused"
	Emergency         Reason = "Emergency"
	OutOfMemory       Reason = "OutOfMemory"
	LeftToHPA         Reason = "LeftToHPA"
	ScheduledMin      Reason = "ScheduledMin"
	ScheduledMax      Reason = "ScheduledMax"
	ScheduledFreeze   Reason = "ScheduledFreeze"
	CrashLooping      Reason = "CrashLooping"
	NodeSize          Reason = "NodeSize"
)

// Why replicas and requests were chosen together as they were.
const (
	NextInterval         Reason = "NextInterval"
	PreviousInterval     Reason = "PreviousInterval"
	WithinInterval       Reason = "WithinInterval"
	KeepLargerRequest    Reason = "KeepLargerRequest"
	ScaleInPostponed     Reason = "ScaleInPostponed"
	LearnedMin           Reason = "LearnedMin"
	LearnedMax           Reason = "LearnedMax"
	TargetLearned        Reason = "TargetLearned"
	TargetKept           Reason = "TargetKept"
	NotTuned             Reason = "NotTuned"
	SelfTuned            Reason = "SelfTuned"
	PreferredMaxReplicas Reason = "PreferredMaxReplicas"
	RightSized           Reason = "RightSized"
	ResizedInPlace       Reason = "ResizedInPlace"
	Rebalanced           Reason = "Rebalanced"
	MaximumResource      Reason = "MaximumResource"
	MinimumResource      Reason = "MinimumResource"
	ResizePending        Reason = "ResizePending"
	Unrecommended        Reason = "Unrecommended"
	ResizeLagging        Reason = "ResizeLagging"
	ApplicationCeiling   Reason = "ApplicationCeiling"
	StartupBoost         Reason = "StartupBoost"
	EmptiestFirst        Reason = "EmptiestFirst"
)

// Why no decision was made, or why one could not be carried out. They stand in
// conditions and events, and never in the steps of a decision, but for Quota, LimitRange and
// Unschedulable: these also keep a size from growing into what cannot be had.
const (
	InvalidSpec       Reason = "InvalidSpec"
	NamespaceExcluded Reason = "NamespaceExcluded"
	TooManyObjects    Reason = "TooManyObjects"
	SharedTarget      Reason = "SharedTarget"
	ForeignAutoscaler Reason = "ForeignAutoscaler"
	TargetMissing     Reason = "TargetMissing"
	TargetUnreadable  Reason = "TargetUnreadable"
	Forbidden         Reason = "Forbidden"
	HistoryUnreadable Reason = "HistoryUnreadable"
	HistoryRefused    Reason = "HistoryRefused"
	HistoryUnsaved    Reason = "HistoryUnsaved"
	Backfilling       Reason = "Backfilling"
	BackfillFailed    Reason = "BackfillFailed"
	Backfilled        Reason = "Backfilled"
	MemoryLost        Reason = "MemoryLost"
	Conflict          Reason = "Conflict"
	ApplyFailed       Reason = "ApplyFailed"
	Waiting           Reason = "Waiting"
	Quota             Reason = "Quota"
	LimitRange        Reason = "LimitRange"
	Unschedulable     Reason = "Unschedulable"
	GivenBack         Reason = "GivenBack"
)

// Limiting are the reasons that can hold a desired size back, in the order of the
// pipeline. Each has a series of its own.
var Limiting = []Reason{
	KeepLargerRequest, ScaleInPostponed, PreferredMaxReplicas, MinimumResource, MaximumResource, ResizeLagging,
	Stabilized, VelocityUp, VelocityDown, StepRounded, Unschedulable, CrashLooping, MinReplicas, MaxReplicas, ScheduledMin, ScheduledMax, LearnedMin,
	LearnedMax, Emergency, LimitRange, NodeSize, Quota, Delayed, ForbiddenWindow, MinChange, UpdateOff, MaintenanceWindow, ScheduledFreeze, LeftToHPA,
	Paused, ModeOff, Recommend,
}

// Doc is what a reason means, for people. docs/reasons.md is made from it.
type Doc struct {
	Reason  Reason
	Meaning string
}

// Docs lists every reason with its meaning, in the order of the pipeline.
var Docs = []Doc{
	{AboveHighWatermark, "The value is above the high watermark and its tolerance: more pods are desired."},
	{BelowLowWatermark, "The value is below the low watermark and its tolerance: fewer pods are desired."},
	{WithinWatermarks, "The value is between the watermarks: no other count is desired."},
	{AboveTarget, "The value is above the target and its tolerance: more pods are desired."},
	{BelowTarget, "The value is below the target and its tolerance: fewer pods are desired."},
	{WithinTolerance, "The value is within the tolerance of the target: no other count is desired."},
	{NoData, "The metric has no usable sample. It can hold or raise the count, never lower it."},
	{PartialData, "Fewer than half of the pods were measured, or with behavior.onPartial Hold not all of them: the metric holds the count. It forbids " +
		"scaling down, and nothing else."},
	{Fallback, "The metric has had no usable sample for as long as onMissing.afterSeconds says, and asks for what onMissing states. Only behavior Static and " +
		"CurrentIfLower lower the count."},
	{DirectionGuard, "The arithmetic would have moved against the metric (for example, fewer pods while the value is above target, because " +
		"pods are not ready): the count is kept."},
	{Converging, "The value is between the watermarks and behavior.converge asks to creep toward one of them, one step a decision."},
	{HeadroomShort, "The pods have less room than the usage may grow within the reaction time: more pods are desired."},
	{HeadroomAmple, "The pods have more room than the usage may grow within the reaction time: fewer pods are desired."},
	{HeadroomKept, "The pods have about the room that the usage may grow within the reaction time: no other count is desired."},
	{HeadroomHeld, "The pods have more room than the usage may grow, but keeping it has not yet cost as much as a change is worth: no other count is desired."},
	{Saturated, "Pods use all they may, so the demand is unknown: twice as much is assumed."},
	{Requested, "Someone else asked for this count through the object's scale subresource."},
	{ScalingDisabled, "Only with compatibility HPA: the target has zero replicas and the autoscaler did not bring it there, so it is left alone."},
	{NotActivated, "The value is not above its activation, or its source says that there is no work: the metric asks for zero, or for replicas.idle. " +
		"The workload goes there once no metric is active."},
	{Activated, "The source says that there is work, although its value asks for no pod: the metric asks for one."},
	{NotAllAgree, "With combine All: not every metric asks for more, nor every one for fewer, so the count stays."},
	{FormulaMissing, "The formula has no value: a metric that it needs is missing, it divides by zero, or its result is negative. " +
		"It can hold the count, never lower it."},
	{Stabilized, "More (scaling down) or less (scaling up) was desired within the stabilization window, so the change waits."},
	{VelocityUp, "The increase was cut to what limitPercent, the policies or the default cap allow at once."},
	{VelocityDown, "The decrease was cut to what limitPercent or the policies allow at once."},
	{StepRounded, "The count was rounded up to a multiple of replicas.step."},
	{CrashLooping, "Half of the pods or more have crashed again and again for five minutes, and no other became ready meanwhile: no more are ordered, " +
		"because they would crash too. It goes on as soon as one becomes ready."},
	{NodeSize, "Pods of the desired size would fit on no node: they grow to what the largest one has for a pod beside its daemons, and no further."},
	{MinReplicas, "The count was raised to the minimum."},
	{MaxReplicas, "The count was lowered to the maximum."},
	{ScheduledMin, "A schedule that is in force, or starts before new pods would be ready, asks for at least this count. Without a metric it is the desired one."},
	{ScheduledMax, "A schedule that is in force allows at most this count."},
	{ScheduledFreeze, "A schedule that is in force forbids changes in this direction. Only the stated replicas, and an emergency, pass it."},
	{Delayed, "The value has not been outside the band for delaySeconds yet."},
	{ForbiddenWindow, "A scaling event, of either direction, happened less than forbiddenWindowSeconds ago."},
	{MinChange, "The change of the total is smaller than minChange."},
	{MaintenanceWindow, "The direction may only change in a maintenance window, and none is open."},
	{UpdateOff, "The direction's update is Off."},
	{ModeOff, "The mode is Off: nothing is changed."},
	{Recommend, "The mode is Recommend: the decision is explained, nothing is changed."},
	{Paused, "Scaling is paused: by the administrator for everyone, by spec.pause or by the annotation autoscaling.tidemark.dev/paused. The message says whose " +
		"pause it is, and until when."},
	{LeftToHPA, "The actuator is HPA: its bounds and targets are tuned, and it alone scales."},
	{OutOfMemory, "A container was killed, or a pod evicted, because memory ran out: the scale-up passes windows, delays and minChange."},
	{Emergency, "The mode is Emergency: the workload runs at its maximum."},
	{NextInterval, "The total asks for more replicas than the current interval has."},
	{PreviousInterval, "The total allows fewer replicas than the current interval has."},
	{WithinInterval, "The total stays within the interval of the current replica count: only the requests change."},
	{KeepLargerRequest, "A step out never shrinks a pod: the larger of the current and the computed request is kept."},
	{ScaleInPostponed, "A step in would have to grow a pod, so replicas and requests wait."},
	{LearnedMin, "The count was raised to the minimum learned from history."},
	{LearnedMax, "The count was lowered to the maximum learned from history."},
	{TargetLearned, "The target utilization comes from history."},
	{TargetKept, "The target utilization would move, but too little was observed since it last did: what was seen before belongs to another target."},
	{NotTuned, "Something of the HPA stays as it is: a metric whose target cannot be learned, or a maximum below the stated minimum. The message names it."},
	{SelfTuned, "A replay of the workload's own past found the setting that costs least, and the workload is sized by it: headroom weighed by prices, or " +
		"a plain HPA. The message has what each candidate would have cost in both halves of that past."},
	{PreferredMaxReplicas, "The preferred maximum of replicas is reached, so the pods grow instead."},
	{RightSized, "Requests follow their recommendation, or shrink because there are as few pods as there may be."},
	{ResizedInPlace, "The pods are made larger or smaller in place, so that they have the desired room at once; their number stays."},
	{Rebalanced, "The pods would be too far from their usual size, so their number changes; until the new ones are ready, the others carry the load."},
	{MaximumResource, "A request reached its maximum."},
	{MinimumResource, "A request reached its minimum."},
	{Unrecommended, "A resource that recommendations size has none: its request stays as it is until there is one."},
	{ResizePending, "Pods have not got the size that they were asked to have: they are named, and waited for."},
	{ResizeLagging, "Pods have not got the size that was decided, so the count makes up for it: it does not fall below what the sizes in force " +
		"need and, after two looks, grows by what is missing."},
	{ApplicationCeiling, "Pods that were full use no more although they were given more, as a single thread does, so pods are added instead of " +
		"made larger: a tenth of them first, to see whether all of them then use more together."},
	{StartupBoost, "New pods start with more cpu than they settle at, as containers[].boost says, or have it now. In a status, an event or a series: a pod " +
		"whose boost is over still has it."},
	{EmptiestFirst, "The count falls, and the pods with the least to do are marked to go first."},
	{InvalidSpec, "The spec cannot be followed. Nothing is scaled until the field that the message names is changed."},
	{NamespaceExcluded, "The administrator has excluded the namespace: the object is left alone."},
	{TooManyObjects, "The namespace has more objects than the administrator allows. Those that were created first are looked after, this one is left alone."},
	{SharedTarget, "Several objects scale the same target. None of them does until only one is left."},
	{ForeignAutoscaler, "Another autoscaler scales the target, or sizes its pods. We do not until it is removed, or this object is in mode Recommend."},
	{TargetMissing, "The target does not exist, or has no scale subresource; with `actuator: HPA`, the HPA that `hpaName` names does not " +
		"exist. AbleToScale says what to do."},
	{TargetUnreadable, "The target could not be read, so nothing is decided. The controller tries again."},
	{Forbidden, "The controller lacks a permission that the message names."},
	{HistoryUnreadable, "What was learned of the workload could not be read, so nothing is decided. The controller tries again."},
	{HistoryRefused, "There is a WorkloadHistory of the object's name that is not its own, cannot be understood, or was learned under other " +
		"settings. The workload is scaled without it."},
	{HistoryUnsaved, "What was learned of the workload could not be written to its WorkloadHistory. The controller tries again every ten minutes, and the " +
		"workload is scaled with it all the same; it would be lost with the controller."},
	{Backfilling, "The past of the workload is being read from Prometheus, so that the history does not begin with nothing. The message says how far " +
		"that is; meanwhile the workload is scaled without it."},
	{BackfillFailed, "The past of the workload could not be read from Prometheus. The controller tries again where it stopped; meanwhile the workload " +
		"is scaled without it."},
	{Backfilled, "The past of the workload was read from Prometheus, and the history knows it."},
	{MemoryLost, "The memory in the status could not be read. The current size counts as desired just now, so nothing scales down for one window."},
	{Conflict, "Someone else changed the target at the same moment. The controller looks and decides again."},
	{ApplyFailed, "The decision could not be carried out. The controller tries again."},
	{Waiting, "Some pods cannot have their size yet, or an HPA lacks a metric to tune. The message says why; the controller tries again."},
	{Quota, "A quota of the namespace has no room for more pods, or for larger ones: they grow as far as it has. Where it refuses pods all the same, the " +
		"message says which to raise, or lower what is asked for."},
	{LimitRange, "A LimitRange of the namespace does not allow the desired size: a request stays within what it allows, and where no size is allowed nothing is " +
		"changed. Where it refuses pods all the same, the message has its words."},
	{Unschedulable, "Pods were created, but the scheduler finds no node for them. The message names them. After five minutes in which no other pod " +
		"found a node, no more are ordered; until then they are, so that a node autoscaler sees them."},
	{GivenBack, "The HPA is no longer tuned, and has again what was found in it before. Where someone changed it meanwhile, that is left alone."},
}
