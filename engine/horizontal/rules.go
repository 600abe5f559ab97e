package horizontal

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Kind is where a metric's samples come from.
type Kind uint8

// The kinds, as in autoscaling/v2.
const (
	Resource Kind = iota
	ContainerResource
	Pods
	Object
	External
	// Computed is the value of a formula over other metrics.
	Computed
)

// PerPod tells whether the kind has a sample for every pod.
func (k Kind) PerPod() bool { return k <= Pods }

// Metric is one metric of a policy, compiled.
type Metric struct {
	// Name is what people call it: the metric's or the resource's name.
	Name string
	// Of tells it from others of that name.
	Of   scale.MetricSource
	Kind Kind
	Type scale.TargetType
	// Resource and Container say what Resource kinds read from the pods.
	Resource  scale.Resource
	Container string
	// Band is in the metric's unit; for Utilization in thousandths of a percent.
	Band scale.Band
	// Alike takes every pod to request what the target does. Where a count becomes
	// a size by the target's requests, pods that were resized before the others
	// would change the count in each round of a resize, and it would never end.
	Alike bool
	// BySource takes the band from the sample: its source states the target.
	BySource bool
	// Headroom sizes by measured growth, where it is known, instead of the band.
	Headroom  bool
	OnMissing OnMissing
	// Alias is what a formula calls the metric; empty where none may.
	Alias string
	// Input is set on a metric that only a formula looks at: it has no band, and
	// asks for nothing itself.
	Input bool
	// Formula is what a Computed metric is made of.
	Formula *Formula
	// Activation is what the value of the whole must be above for the workload to
	// leave zero or its idle count; nil where none is stated.
	Activation *scale.Amount
}

// Converge is the mark to creep toward while the value is inside the band.
type Converge uint8

// The marks to converge to.
const (
	NoConverge Converge = iota
	ToHigh
	ToLow
)

// Rules is the compiled policy of the stage.
type Rules struct {
	Metrics []Metric
	// Lacking is what is known of metrics without a sample, where one of them
	// falls back after a time; nil where none does.
	Lacking *Lacking
	// ToleranceUp and ToleranceDown are in billionths (scale.Parts is one).
	ToleranceUp, ToleranceDown int64
	Converge                   Converge
	// Step is how many replicas a converging decision moves.
	Step int32
	// ZeroAllowed lets a band ask for zero.
	ZeroAllowed bool
	// CPUInitialization and InitialReadiness are the two periods in which a
	// young pod's cpu usage says little about its load.
	CPUInitialization, InitialReadiness time.Duration
	// StaleAfter is the age at which a sample is no longer usable.
	StaleAfter time.Duration
	// Combine says how the metrics' counts become one.
	Combine Combine
	// Activates is set where a metric that is not active asks for Idle pods instead
	// of what its band leads to. Least is the smallest count of an active workload.
	Activates   bool
	Idle, Least int32
	// HoldPartial lets a metric hold as soon as one pod is not measured.
	HoldPartial bool
	// Upstream switches every deliberate difference from the HPA off.
	Upstream           bool
	UpstreamTolerances Tolerances
}

// Measured are the metrics that someone measures: all but one that is computed, which
// is the last.
func Measured(metrics []Metric) []Metric {
	if n := len(metrics); n > 0 && metrics[n-1].Kind == Computed {
		return metrics[:n-1]
	}
	return metrics
}

// HasMetricWithoutPods tells whether some metric can be read while there is
// no pod, which is what makes waking from zero possible.
func (r *Rules) HasMetricWithoutPods() bool {
	for i := range r.Metrics {
		if m := &r.Metrics[i]; !m.Kind.PerPod() && m.Kind != Computed {
			return true
		}
	}
	return false
}

// StartUp is how long the start of a pod lasts.
func (r *Rules) StartUp() scale.StartUp {
	return scale.StartUp{CPU: r.CPUInitialization, Readiness: r.InitialReadiness}
}
