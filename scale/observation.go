package scale

import "time"

// Observation is everything a decision may look at, gathered before it is
// made. Gaps are values here, never errors: what could not be had is missing.
type Observation struct {
	// At is the moment of the observation. It is the only clock there is.
	At     time.Time
	Target Target
	// Pods are the target's pods. Nil means they were not listed: then there
	// are Target.StatusReplicas ready pods whose resource usage is unknown.
	Pods []Pod
	// Samples holds one entry per metric of the policy, in its order. Metrics
	// of resources read the pods instead; a missing entry is a missing sample.
	Samples []Sample
	// Requested is a replica count someone else asks for, through our scale
	// subresource; nil when nobody does.
	Requested *int32
	// Recommended is what each container should request, where that is known.
	Recommended []Recommendation
	// Unrecommended says in words why nothing is recommended; empty when
	// something is, or nobody was asked.
	Unrecommended string
	// Learned is what history knows for this moment; nil when it knows nothing.
	Learned *Learned
	// Room is what the nodes of the pods have left; nil where nobody measured it.
	Room *Room
	// Capacity is what there is for the pods; nil where nobody knows any of it.
	Capacity *Capacity
	// HPA is the HorizontalPodAutoscaler that is kept tuned; nil where none is,
	// or it could not be read.
	HPA *HPA
}

// Learned is the summary of weeks of history for one moment. Zero means that
// there is no opinion.
type Learned struct {
	Min, Max int32
	// StartUp is how long before pods are needed they have to be started.
	StartUp  time.Duration
	Targets  []LearnedTarget
	Headroom []LearnedHeadroom
	// Peaks are how busy containers were under their present targets. Where
	// there is one for a container's resource, nothing else says how busy it is.
	Peaks []LearnedPeak
	// Tuned is what self-tuning found last; nil is nothing.
	Tuned *Tuned
}

// LearnedHeadroom is how much the total usage of a resource grows within the
// workload's reaction time, except in a share of cases that is accepted.
type LearnedHeadroom struct {
	// Container is empty for the whole pod.
	Container string
	Resource  Resource
	// Expected is what the usage is likely to be by then; 0 is what it is now.
	// Headroom is by how much it may be more.
	Expected, Headroom Amount
	// Full is set when the pods used all they could at the time they were
	// measured. It counts only together with Expected.
	Full bool
	// Ceiling is the most that the application of one pod was seen to use,
	// although it was given more; 0 where it uses what it is given.
	Ceiling Amount
	// PerPod is what the busiest pod used; 0 where that is unknown.
	PerPod Amount
	// Within is the reaction time: until what is decided now takes effect.
	Within time.Duration
	// Risk is the accepted share of cases, in billionths.
	Risk int64
	// Demand is what may be asked for by then, and Room what nodes may have left
	// then, by the requests. Both are empty where a risk is stated.
	Demand, Room []Likely
}

// Likely is an amount that something may come to, and how likely that is, in
// millionths.
type Likely struct {
	Amount Amount
	Chance int64
}

// LearnedTarget is a target utilization for a container's resource.
type LearnedTarget struct {
	Container string
	Resource  Resource
	Percent   int32
}

// Recommendation is a size for one container, from its usage percentiles or
// from a VPA object.
type Recommendation struct {
	Container string
	// PerPod is for one pod, Total for all of them; where both are known the
	// total counts.
	PerPod, Total Resources
}

// Serves tells whether work reaches the pod.
func (p *Pod) Serves() bool {
	return p.Phase == Running && p.Ready == Ready && !p.Deleting && p.Waiting == ""
}

// Finished tells whether the pod has done all the work that it ever will.
func (p *Pod) Finished() bool { return p.Phase == Failed || p.Phase == Succeeded }

// Ended tells whether the pod does no more work and is being replaced, or is
// not needed any more: it has finished, or is on its way out.
func (p *Pod) Ended() bool { return p.Deleting || p.Finished() }

// PartlyInForce tells whether some container has something else in force than it
// was asked to have.
func (p *Pod) PartlyInForce() bool {
	for i := range p.Containers {
		if !p.Containers[i].InForce.Empty() {
			return true
		}
	}
	return false
}

// Resizing is how far the pod's resize has come: the worst of its containers.
func (p *Pod) Resizing() Resize {
	worst := NoResize
	for i := range p.Containers {
		worst = max(worst, p.Containers[i].Resize)
	}
	return worst
}

// Target is the workload's own view of its size.
type Target struct {
	SpecReplicas   int32
	StatusReplicas int32
	Containers     []Container
	// Template is what the workload itself states for its containers, whatever its
	// pods have been given since; nil where that is unknown.
	Template []Container
	// Refused is why the workload's own controller cannot create its pods; nil
	// when it can, or does not say.
	Refused *Refusal
}

// Refusal is what someone else refused, in their words.
type Refusal struct {
	// Reason is empty where the words are not understood.
	Reason Reason
	Words  string
	Since  time.Time
}

// Phase is a pod's phase.
type Phase uint8

// The phases.
const (
	Running Phase = iota
	Pending
	Succeeded
	Failed
	UnknownPhase
)

// Readiness is a pod's Ready condition.
type Readiness uint8

// The states of readiness. Unknown means that the node no longer answers,
// Absent that nobody has said anything yet.
const (
	NotReady Readiness = iota
	Ready
	ReadinessUnknown
	ReadinessAbsent
)

// Pod is one pod of the target. What every decision looks at comes first: there
// may be a thousand of them.
type Pod struct {
	Name       string
	Phase      Phase
	Deleting   bool
	Ready      Readiness
	Containers []PodContainer
	// Waiting is the word of Kubernetes for why a container does not run, such
	// as CrashLoopBackOff; empty when all do, or are only being created.
	Waiting string
	// ReadyChangedAt and StartedAt are zero when unknown, which means long ago.
	ReadyChangedAt time.Time
	StartedAt      time.Time
	// RestartedAt is when a container was last started again, or ended and is
	// to be started again; zero when none was.
	RestartedAt time.Time
	// Pending is the word of Kubernetes for why the pod has no node, such as
	// Unschedulable, and PendingSince since when; empty when it has one.
	Pending      string
	PendingSince time.Time
	// Requests are the pod's own, where it has any; they stand for the sum of
	// its containers'. InForce is what it has of them, where that is known.
	Requests, InForce Resources
	// ResizeSince is since when a resize is in progress, deferred or
	// infeasible; zero when unknown.
	ResizeSince time.Time
	// OutOfMemoryAt is when a container was last killed, or the pod evicted,
	// because memory ran out.
	OutOfMemoryAt time.Time
	// UsageAt and UsageWindow tell when and over how long the usage of all
	// containers was measured. A zero UsageAt means at the observation.
	UsageAt     time.Time
	UsageWindow time.Duration
	// Boosted is set while a container has more cpu in force than it settles at,
	// because the pod starts, and BoostEnds is when that is taken back. Requests
	// are those that it settles at.
	Boosted   bool
	BoostEnds time.Time
}

// PodContainer is one running container, restartable init containers included.
type PodContainer struct {
	Name string
	// Requests and Limits are what it was asked to have. InForce and
	// LimitsInForce are what it has, where that is known: a resize takes time,
	// and may never come.
	Requests, InForce     Resources
	Usage                 Resources
	Limits, LimitsInForce Resources
	Resize                Resize
	// Restarts is set where a resize of cpu restarts the container, or replaces its
	// pod: then its size cannot follow the demand.
	Restarts bool
}

// Has is what the container requests in force: what it was asked to, where
// nothing else is known.
func (c *PodContainer) Has(r Resource) (Amount, bool) {
	if c.InForce.known[r] {
		return c.InForce.amounts[r], true
	}
	return c.Requests.amounts[r], c.Requests.known[r]
}

// HasLimit is the limit in force.
func (c *PodContainer) HasLimit(r Resource) (Amount, bool) {
	if c.LimitsInForce.known[r] {
		return c.LimitsInForce.amounts[r], true
	}
	return c.Limits.amounts[r], c.Limits.known[r]
}

// MayUse is the most that the container may use: its limit in force. Where
// nobody told the container's own limit, that of the workload stands for it, in
// proportion to what is in force of the request.
func (c *PodContainer) MayUse(of *Container, r Resource) (Amount, bool) {
	if own, known := c.HasLimit(r); known {
		return own, true
	}
	limit, limited := of.Limits.Get(r)
	has, known := c.InForce.Get(r)
	if asked, ok := c.Requests.Get(r); limited && known && ok && asked > 0 {
		return limit.Share(int64(has), int64(asked)), true
	}
	return limit, limited
}

// Resize is how far a resize in place has come.
type Resize uint8

// The states of a resize. Deferred means that the node has no room for it now,
// Infeasible that it never will.
const (
	NoResize Resize = iota
	ResizeInProgress
	ResizeDeferred
	ResizeInfeasible
)

// resizeWords are the words of Kubernetes for the states.
var resizeWords = [...]string{NoResize: "", ResizeInProgress: "InProgress", ResizeDeferred: "Deferred", ResizeInfeasible: "Infeasible"}

// String returns the word of Kubernetes, empty where there is no resize.
func (s Resize) String() string { return resizeWords[s] }

// ParseResize returns the state of a word.
func ParseResize(word string) (Resize, bool) {
	for s, w := range resizeWords {
		if w == word {
			return Resize(s), true
		}
	}
	return NoResize, false
}

// Sample is what a source answered for one metric.
type Sample struct {
	// Problem says in words why there is no value; empty when there is one.
	Problem string
	// At is when the value was measured; zero means at the observation.
	At time.Time
	// Series are the values of an Object or External metric; they are summed.
	// No series is no sample, which is not the same as zero.
	Series []Amount
	// Target is what the source itself wants the value to be for each pod, for
	// metrics that leave it to their source; 0 where it states none.
	Target Amount
	// Activity is what the source says of its work beside the value.
	Activity Activity
	// PerPod are the values of a Pods metric, one for each of Observation.Pods
	// and in their order; when the pods were not listed, one for each pod that
	// has a value.
	PerPod []PodValue
	// Strangers are values reported for pods that are not the target's.
	Strangers []Amount
}

// Activity is whether a source says that there is work, whatever its value.
type Activity uint8

// What a source may say.
const (
	Unsaid Activity = iota
	Active
	Inactive
)

// PodValue is one pod's value of a Pods metric, if it has one.
type PodValue struct {
	Value Amount
	Known bool
	// Unusable is set where there was a value, but not a usable one.
	Unusable bool
}
