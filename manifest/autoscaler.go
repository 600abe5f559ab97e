package manifest

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// Autoscaler is what to scale, on which evidence, and how fast. Target and
// MaxReplicas are required.
//
// The JSON names are those of the compact form that tidemark synth reads, and
// faults use them as paths.
type Autoscaler struct {
	// Name is the object's own name. Left out, it is made from the target's.
	Name string `json:"name,omitempty"`
	// Namespace is the target's too: an autoscaler cannot reach any other.
	Namespace string `json:"namespace,omitempty"`
	// Labels are the object's own.
	Labels map[string]string `json:"labels,omitempty"`
	// Annotations are the object's own.
	Annotations map[string]string `json:"annotations,omitempty"`

	// Target is the workload to scale.
	Target Target `json:"target,omitzero"`
	// MinReplicas is 1 when left out. 0 needs an Object or External metric, or
	// a schedule that has a minimum.
	MinReplicas *int32 `json:"minReplicas,omitempty"`
	// MaxReplicas is the largest count.
	MaxReplicas int32 `json:"maxReplicas,omitempty"`

	// Metrics each ask for a count, and the largest one wins, unless Combine says otherwise. Without any,
	// the average CPU utilization is held at 80 %, unless Containers or
	// Intervals size the pods, or there are Schedules.
	Metrics []Metric `json:"metrics,omitempty"`

	// ScaleUpPolicies cap how much may be added within a period. The default
	// is the larger of 4 pods and 100 % every 15 seconds.
	ScaleUpPolicies []Policy `json:"scaleUpPolicies,omitempty"`
	// ScaleDownPolicies cap how much may be removed within a period. The
	// default is 100 % every 15 seconds.
	ScaleDownPolicies []Policy `json:"scaleDownPolicies,omitempty"`
	// ScaleUp holds the rest of the rules of the way up.
	ScaleUp *Rules `json:"scaleUp,omitempty"`
	// ScaleDown holds the rest of the rules of the way down.
	ScaleDown *Rules `json:"scaleDown,omitempty"`

	// The rest is known to WorkloadAutoscalers only.

	// IdleReplicas is the count while no metric is active, below MinReplicas.
	IdleReplicas *int32 `json:"idleReplicas,omitempty"`
	// Combine says how the metrics' counts become one: Max, the default, Min, or All.
	Combine v1alpha1.Combine `json:"combine,omitempty"`
	// Formula is a metric that is computed from those that have an alias.
	Formula *v1alpha1.Formula `json:"formula,omitempty"`
	// Containers says which requests of which containers are changed, and
	// within which bounds. "*" stands for every container without an entry.
	Containers []v1alpha1.ContainerPolicy `json:"containers,omitempty"`
	// Vertical says where recommended requests come from and how they reach
	// the pods. It needs Containers or Intervals.
	Vertical *v1alpha1.VerticalSpec `json:"vertical,omitempty"`
	// Intervals choose count and requests together. Their last range brings
	// the maximum if MaxReplicas is left out.
	Intervals *v1alpha1.Intervals `json:"intervals,omitempty"`
	// Learn takes bounds and targets from history. MaxReplicas may then be
	// left out.
	Learn *v1alpha1.Learn `json:"learn,omitempty"`
	// Schedules bound the count, or forbid changes, at some times. Without
	// Metrics they alone decide.
	Schedules []v1alpha1.Schedule `json:"schedules,omitempty"`
	// Pause keeps the workload as it is, or at a count.
	Pause *v1alpha1.Pause `json:"pause,omitempty"`
}

// Kind is a kind of object that an Autoscaler can become.
type Kind string

// The kinds.
const (
	HorizontalPodAutoscaler Kind = "HorizontalPodAutoscaler"
	WorkloadAutoscaler      Kind = "WorkloadAutoscaler"
)

// Object returns the object of a kind.
func (a Autoscaler) Object(kind Kind) (any, error) {
	switch kind {
	case HorizontalPodAutoscaler:
		return object(a.HorizontalPodAutoscaler())
	case WorkloadAutoscaler:
		return object(a.WorkloadAutoscaler())
	}
	var faults fault.List
	faults.Add("kind", "must be %s or %s, got %q", HorizontalPodAutoscaler, WorkloadAutoscaler, kind)
	return nil, faults
}

// object keeps a nil pointer from becoming an interface that is not nil.
func object[T any](o *T, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return o, nil
}
