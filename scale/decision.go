package scale

import (
	"slices"
	"time"
)

// Decision is the answer, with its reasons inside. Status conditions, events,
// gauges and texts are renderings of it.
type Decision struct {
	// From is the size found, Want the size to apply now.
	From, Want Size
	// Proposed is what mode Auto would apply. It differs from Want only where
	// the mode, or a pause, keeps changes back.
	Proposed Size
	// Steps are the stages that looked at it, in order.
	Steps []Step
	// Reason is why the size was desired.
	Reason Reason
	// LimitedBy is the last stage that held the desired size back; empty if none
	// did.
	LimitedBy Reason
	// RecheckAfter is when to look again.
	RecheckAfter time.Duration
	// Countdown is, per direction, how long forbidden windows last once this
	// decision is carried out.
	Countdown Countdown
	// Bounds are the bounds of the count that held: those of the spec, of
	// history or of an emergency.
	Bounds Bounds
	// Pause is the object's own pause that is in force; nil when none is.
	Pause *Pause
	// Leaving are the pods that are to go first, the first of them first; none where
	// the policy has no opinion.
	Leaving []string
	// Tuning is what an existing HPA should be set to; nil when we scale the
	// workload ourselves.
	Tuning *Tuning
}

// Bounds are the smallest and the largest count that is allowed, each with the
// reason that is given when it holds a change back.
type Bounds struct {
	Min, Max             int32
	MinReason, MaxReason Reason
	// MinWait is how long the minimum will hold, where time alone ends it.
	MinWait time.Duration
}

// Clamp returns the allowed count that is closest to n.
func (b *Bounds) Clamp(n int32) int32 { return max(b.Min, min(b.Max, n)) }

// Countdown is the time left until a change is allowed again.
type Countdown struct {
	Up, Down time.Duration
}

// Earlier returns a moment that is remembered, but never one after now: what a
// clock that was set back left behind counts as just made.
func Earlier(remembered, now time.Time) time.Time {
	if remembered.After(now) {
		return now
	}
	return remembered
}

// Stage is a place in the pipeline.
type Stage string

// The stages of the pipeline.
const (
	StageSchedule   Stage = "schedule"
	StageLearn      Stage = "learn"
	StageHorizontal Stage = "horizontal"
	StageCombine    Stage = "combine"
	StageLimit      Stage = "limit"
)

// Step is one stage's part in a decision: what came in, what went out, why,
// and the numbers behind it. Its words are made from them by package explain.
type Step struct {
	Stage  Stage
	Reason Reason
	In     Size
	Out    Size
	// Metric is set on the steps of metrics.
	Metric *MetricFacts
	// Limit is the count a limit allowed.
	Limit int32
	// Resize is how far the resize of the last of Pods has come.
	Resize Resize
	// Target is set on steps about a learned target.
	Target *LearnedTarget
	// Tuned is set on the step of self-tuning.
	Tuned *Tuned
	// Wait is how long the reason will last, where time alone ends it.
	Wait time.Duration
	// Problem says why there is nothing to go by, where a source said so.
	Problem string
	// Resources names those that the step is about, such as memory of app, where it
	// is about some of them.
	Resources string
	// Pods are those that the step is about, where it is about some of them.
	Pods *PodNames
	// When is set on the steps of schedules and pauses.
	When *When
	// Boost is set on the step of start-up boosts.
	Boost *BoostFacts
}

// BoostFacts are what new pods start with.
type BoostFacts struct {
	// Starts is how many pods this decision starts.
	Starts int32
	// Containers are what each of them starts with, and For is for how long it keeps
	// that once it is ready.
	Containers []Container
	For        time.Duration
	// CutBy is what kept a boost from being as much as stated; empty where nothing
	// did.
	CutBy Reason
}

// Limits tells whether the step held a desired size back. The bounds that
// history knows stand in a step of their own, which keeps nothing back yet.
func (s Step) Limits() bool {
	return (s.Stage == StageLimit || s.Stage == StageCombine) && slices.Contains(Limiting, s.Reason)
}

// MetricFacts are the numbers a metric's proposal was made of. What is small stands
// together, because every decision makes room for them.
type MetricFacts struct {
	// Index is the metric's place in the policy, -1 for a requested count.
	Index int
	Name  string
	// Of tells metrics apart that have the same name.
	Of MetricSource
	// Value is what the band is compared with: a value, an average per pod, or
	// thousandths of a percent. Known is false when there is no usable sample.
	Value Amount
	Band  Band
	Pods  PodCounts
	Type  TargetType
	Known bool
	// Bytes is set when the value is an amount of memory.
	Bytes bool
	// Softened is set when the value is outside the band, and no longer is once
	// the pods that have no say are counted in.
	Softened bool
	// Unsure is set on a metric that is sized by measured growth, while a pod that has
	// no sample began to serve as the others were measured: more may be used than is
	// seen.
	Unsure bool
	// Sum is how the value became a count, where it did.
	Sum Sum
	// Aside are the pods that do not serve, by their standing.
	Aside []Aside
	// Headroom is set on a metric that is sized by measured growth: then Value
	// is the total usage.
	Headroom *LearnedHeadroom
	// Cost is set where totals are weighed by prices.
	Cost *Cost
	// Problem says why there is no usable sample.
	Problem string
	// Whole is set on a formula, and on a metric that has an activation.
	Whole *WholeFacts
}

// Sum is the arithmetic that makes a count of a metric's value:
//
//	Pods × (Used + Assumed × Mark) ÷ Shared ÷ Mark = Count
//
// with the mark of the band that MetricFacts.Mark is.
// Whatever becomes of the count then, by a guard or by an activation, is not in it.
type Sum struct {
	// Pods is how many pods the load is of, and Count how many bring it to the mark.
	Pods, Count int32
	// Rounded is how the result became a whole number; None where nothing was
	// computed.
	Rounded Direction
	// AtLeastOne is set where the result was none, and one pod remains.
	AtLeastOne bool
	// Used is what was measured, and Assumed what is taken to be exactly at the mark
	// because nobody measured it: so many pods, or for utilization what they request.
	Used    Amount
	Assumed int64
	// Shared is what that is shared by: so many, or for utilization what is requested.
	// It is 0 where Used is a share already.
	Shared int64
}

// Mark is the mark that a metric's count was computed by: what is below the band comes to
// its low mark, rounded down, everything else to the high one.
func (m *MetricFacts) Mark() Amount {
	if m.Sum.Rounded == Down {
		return m.Band.Low
	}
	return m.Band.High
}

// WholeFacts are the numbers of a value that is looked at as a whole.
type WholeFacts struct {
	// Total is the value of the whole, whatever it is shared by then, and Activation
	// what it must be above; nil where none is stated.
	Total      Amount
	Activation *Amount
	// Activity is what the source says of its work, where that counts.
	Activity Activity
	// Inputs are the metrics that a formula was computed from.
	Inputs []FormulaInput
}

// FormulaInput is a metric as a formula saw it.
type FormulaInput struct {
	Name  string
	Value Amount
	Bytes bool
	// Problem says why there is no value; empty when there is one.
	Problem string
}

// Cost is what the total that costs least is likely to cost, and what waiting for
// it has cost.
type Cost struct {
	// Best is that total. Used is what is used of what is billed, Idle the rest, and
	// Risk what lost and late work may cost: all of it each hour, in cores.
	Best, Used, Idle, Risk Amount
	// Waited is what it has cost so far not to change, and Change what a change
	// costs, in core-seconds.
	Waited, Change Amount
	// Unserved is what a core-hour of lost work costs, in core-hours.
	Unserved Amount
}

// MetricSource is what a metric is measured of. Several metrics of a policy may
// have one name: the cpu of two containers, or a queue's length by two selectors.
type MetricSource struct {
	// Name is the metric's own, where people call it by more than that.
	Name string
	// Container is set for a ContainerResource, Object as Kind/name for an
	// Object, Selector as a query where labels choose the series.
	Container, Object, Selector string
}

// TargetType is how a metric's value is compared with its band.
type TargetType uint8

// The target types.
const (
	Value TargetType = iota
	AverageValue
	Utilization
)

// String returns the type's name in the API.
func (t TargetType) String() string {
	return [...]string{"Value", "AverageValue", "Utilization"}[t]
}

// MostNames is how many pods are named where there are many.
const MostNames = 3

// Aside are pods that do not serve and so have no say in the direction.
type Aside struct {
	Standing Standing
	Pods     int32
	// Names are those of the first pods.
	Names []string
	// Weighed is set where their usage counts all the same: the pods that serve
	// point up, or there is none.
	Weighed bool
}

// PodCounts tells how the pods were grouped for a metric.
type PodCounts struct {
	// Counted pods decide the direction; Unready ones are too young or not
	// ready; Missing ones have no usable sample; Ignored ones are on their way
	// out or finished.
	Counted, Unready, Missing, Ignored int32
	// Unusable is how many of the missing ones had a sample that was stale,
	// from the future, negative or not a number.
	Unusable int32
}
