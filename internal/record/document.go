package record

import (
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/scale"
)

// Document is everything one decision looks at.
type Document struct {
	Spec        v1alpha1.WorkloadAutoscalerSpec `json:"spec"`
	Admin       v1alpha1.AdminSettings          `json:"admin,omitzero"`
	Observation Observation                     `json:"observation"`
	// Memory is what an earlier answer returned; empty for the first decision.
	Memory engine.Memory `json:"memory,omitzero"`
}

// Observation is what was seen of the workload at one moment.
type Observation struct {
	At     time.Time `json:"at,omitzero"`
	Target Target    `json:"target"`
	// Pods left out means that they were not listed: then there are
	// statusReplicas ready pods whose usage is unknown. An empty list means
	// that there are none.
	Pods []Pod `json:"pods,omitzero"`
	// Metrics has one entry for each of the spec's metrics, in their order.
	Metrics         []Metric         `json:"metrics,omitempty"`
	Recommendations *Recommendations `json:"recommendations,omitempty"`
	Learned         *Learned         `json:"learned,omitempty"`
	// HPA is the HorizontalPodAutoscaler that is kept tuned with actuator HPA.
	// Left out, one with the metrics of the spec is assumed.
	HPA  *HPA  `json:"hpa,omitempty"`
	Room *Room `json:"room,omitempty"`
	// Capacity is what there is for the pods, whatever is decided.
	Capacity *Capacity `json:"capacity,omitempty"`
}

// HPA is what its owner gave a HorizontalPodAutoscaler, and what of it can be
// tuned.
type HPA struct {
	// MinReplicas left out is 1.
	MinReplicas *int32 `json:"minReplicas,omitempty"`
	MaxReplicas *int32 `json:"maxReplicas"`
	// Targets are its target utilizations in percent, by the containers' names.
	Targets map[string]LearnedTarget `json:"targets,omitempty"`
	// Untuned says of each metric that cannot be tuned which one it is, and why.
	Untuned []string `json:"untuned,omitempty"`
}

// Target is the workload's own view of its size.
type Target struct {
	SpecReplicas *int32 `json:"specReplicas"`
	// StatusReplicas left out is the same as SpecReplicas.
	StatusReplicas *int32      `json:"statusReplicas,omitempty"`
	Containers     []Container `json:"containers,omitempty"`
	// Template is what the workload states for its containers itself, where its
	// pods may have been given something else; left out it is unknown.
	Template []Container `json:"template,omitempty"`
}

// Container is a container of the workload's template.
type Container struct {
	Name     string    `json:"name"`
	Requests Resources `json:"requests,omitzero"`
	Limits   Resources `json:"limits,omitzero"`
}

// Resources are amounts that someone stated.
type Resources struct {
	CPU    Quantity `json:"cpu,omitempty"`
	Memory Quantity `json:"memory,omitempty"`
}

// Usage are amounts that someone measured.
type Usage struct {
	CPU    Reading `json:"cpu,omitempty"`
	Memory Reading `json:"memory,omitempty"`
}

// Pod is one pod of the workload.
type Pod struct {
	Name string `json:"name,omitempty"`
	// Phase left out is Running, or Pending where pending says why.
	Phase string `json:"phase,omitempty"`
	// Ready left out is true for a running pod whose containers do not wait, and
	// false for any other.
	Ready *bool `json:"ready,omitempty"`
	// Readiness stands instead of ready where that cannot say it: Unknown when
	// the node no longer answers, Absent when nobody has said anything yet.
	Readiness      string    `json:"readiness,omitempty"`
	ReadyChangedAt time.Time `json:"readyChangedAt,omitzero"`
	StartedAt      time.Time `json:"startedAt,omitzero"`
	Deleting       bool      `json:"deleting,omitempty"`
	// RestartedAt is when a container was last started again, or ended and is to
	// be started again.
	RestartedAt time.Time `json:"restartedAt,omitzero"`
	// Waiting is why a container does not run, such as CrashLoopBackOff.
	Waiting string `json:"waiting,omitempty"`
	// Pending is why the pod has no node, such as Unschedulable, and PendingSince
	// since when.
	Pending      string    `json:"pending,omitempty"`
	PendingSince time.Time `json:"pendingSince,omitzero"`
	// Requests are the pod's own, beside those of its containers, and InForce
	// is what it has of them, where that is something else.
	Requests   Resources      `json:"requests,omitzero"`
	InForce    Resources      `json:"inForce,omitzero"`
	Containers []PodContainer `json:"containers,omitempty"`
	// Resize stands for that of every container. ResizeSince is since when it
	// is what it is.
	Resize      string    `json:"resize,omitempty"`
	ResizeSince time.Time `json:"resizeSince,omitzero"`
	// OutOfMemoryAt is when memory last ran out: a container was killed for it,
	// or the pod evicted.
	OutOfMemoryAt time.Time `json:"outOfMemoryAt,omitzero"`
	// UsageAt left out is the moment of the observation.
	UsageAt     time.Time `json:"usageAt,omitzero"`
	UsageWindow Duration  `json:"usageWindow,omitzero"`
	// Boosted is set while the pod has more cpu in force than it settles at, because
	// it starts. BoostEnds is when that is taken back.
	Boosted   bool      `json:"boosted,omitempty"`
	BoostEnds time.Time `json:"boostEnds,omitzero"`
}

// PodContainer is one container of a pod.
type PodContainer struct {
	Name string `json:"name,omitempty"`
	// Requests and Limits are what the container was asked to have; InForce and
	// LimitsInForce what it has, where that is something else.
	Requests      Resources `json:"requests,omitzero"`
	Limits        Resources `json:"limits,omitzero"`
	InForce       Resources `json:"inForce,omitzero"`
	LimitsInForce Resources `json:"limitsInForce,omitzero"`
	// Resize is InProgress, Deferred or Infeasible while a resize has not come.
	Resize string `json:"resize,omitempty"`
	// Restarts says that a resize of cpu restarts the container.
	Restarts bool  `json:"restarts,omitempty"`
	Usage    Usage `json:"usage,omitzero"`
}

// Metric is what a source answered for one metric. Which of the fields may be
// there depends on the metric's kind; none of them is a missing sample.
type Metric struct {
	// Value or Series are for Object and External metrics; series are summed.
	Value  Reading   `json:"value,omitempty"`
	Series []Reading `json:"series,omitzero"`
	// Target is what the source wants the value to be for each pod, for metrics
	// that leave it to their source.
	Target Reading `json:"target,omitempty"`
	// Active is what the source says of its work beside the value, where it does.
	Active *bool `json:"active,omitempty"`
	// Samples are for Pods metrics, by the pods' names.
	Samples map[string]Reading `json:"samples,omitzero"`
	// Error says why there is no answer.
	Error string `json:"error,omitempty"`
	// At left out is the moment of the observation.
	At time.Time `json:"at,omitzero"`
}

// Recommendations are what someone else thinks the size should be.
type Recommendations struct {
	Replicas   *int32                    `json:"replicas,omitempty"`
	Containers []ContainerRecommendation `json:"containers,omitempty"`
	// Error says why there is no recommendation for the containers.
	Error string `json:"error,omitempty"`
}

// ContainerRecommendation is a recommended size of one container.
type ContainerRecommendation struct {
	Name   string    `json:"name"`
	Target Resources `json:"target,omitzero"`
	// Total is for all pods together, where that is known; it then counts
	// before target.
	Total Resources `json:"total,omitzero"`
	// The bounds say how sure the recommender is; a decision goes by the target.
	LowerBound Resources `json:"lowerBound,omitzero"`
	UpperBound Resources `json:"upperBound,omitzero"`
}

// Learned is what history knows for the moment of the observation.
type Learned struct {
	MinReplicas *int32 `json:"minReplicas,omitempty"`
	MaxReplicas *int32 `json:"maxReplicas,omitempty"`
	// StartUp is how long before a schedule starts its pods are started.
	StartUp Duration `json:"startUp,omitzero"`
	// Targets are in percent of the request, by the containers' names.
	Targets map[string]LearnedTarget `json:"targets,omitempty"`
	// Headroom is how much the usage may grow within the reaction time.
	Headroom []LearnedHeadroom `json:"headroom,omitempty"`
	// Peaks are how busy containers were under their present targets.
	Peaks []LearnedPeak `json:"peaks,omitempty"`
	// Tuned is what self-tuning found last.
	Tuned *scale.Tuned `json:"tuned,omitempty"`
}

// LearnedPeak is how busy a container was under its present target.
type LearnedPeak struct {
	Container string `json:"container"`
	Resource  string `json:"resource"`
	// Percent is the usage at the busiest in percent of the request; left out
	// while too little was seen.
	Percent int32 `json:"percent,omitempty"`
	// Under is the target it was seen under, and Days for how many whole days.
	Under int32 `json:"under"`
	Days  int32 `json:"days,omitempty"`
}

// LearnedHeadroom is the growth of one resource's total usage.
type LearnedHeadroom struct {
	// Container left out is the whole pod.
	Container string `json:"container,omitempty"`
	Resource  string `json:"resource"`
	// Expected left out is what the usage is now.
	Expected Quantity `json:"expected,omitempty"`
	Extra    Quantity `json:"extra"`
	// Full says that the pods used all they could when they were measured.
	Full bool `json:"full,omitempty"`
	// Ceiling is the most that the application of one pod uses, where that is
	// less than it may.
	Ceiling Quantity `json:"ceiling,omitempty"`
	// PerPod is what the busiest pod used.
	PerPod Quantity `json:"perPod,omitempty"`
	Within Duration `json:"within"`
	// Risk left out is one case in a thousand.
	Risk Quantity `json:"risk,omitempty"`
	// Demand is what may be asked for, and Room what nodes may have left by the
	// requests, where prices weigh them. The chances of each come to a million.
	Demand []Likely `json:"demand,omitempty"`
	Room   []Likely `json:"room,omitempty"`
}

// Likely is an amount that something may come to.
type Likely struct {
	Amount Quantity `json:"amount"`
	// Chance is how likely that is, in millionths.
	Chance int64 `json:"chance"`
}

// LearnedTarget is the learned target utilization of one container.
type LearnedTarget struct {
	CPU    *int32 `json:"cpu,omitempty"`
	Memory *int32 `json:"memory,omitempty"`
}
