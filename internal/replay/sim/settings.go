package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Settings describe a plant. Where a field is zero, what it stands for does not
// happen. They are the one description there is: Honest and Ideal say what a
// plant is like when nobody says otherwise, Check what cannot be simulated.
type Settings struct {
	Demand Demand
	// Container is the name of the pods' one container; the default is
	// ContainerName.
	Container string
	// Requests and Limits are those of each pod, until a decision changes them.
	// A pod does as much work as its cpu limit allows, or its request where
	// there is no limit; where there are tenants, as they leave room for, up to
	// its limit.
	Requests, Limits scale.Resources
	// StartUp is how long a pod takes to become ready. Up to Jitter is added,
	// another time for each pod, drawn by Seed.
	StartUp, Jitter time.Duration
	Seed            uint64
	// Crashes is the share of starts that fail at their end, in billionths.
	Crashes int64
	// MetricDelay is the age of the usage that a controller sees. Usage is the
	// mean over Window, and measured once in each Resolution, the first time after
	// Phase.
	MetricDelay, Window, Resolution, Phase time.Duration
	// Recall is how far back a controller may ask for the usage of pods itself,
	// where that is further than metrics look.
	Recall time.Duration
	// Lost is the share of samples that never arrive, in billionths.
	Lost int64
	// Sync is the time between two decisions.
	Sync time.Duration
	// WarmUp is the time at the beginning that is run but not scored: it lets a
	// controller learn.
	WarmUp time.Duration
	// Replicas is how many pods there are at first, all of them ready.
	Replicas int32
	// Queue is how much work waits for a free pod, in core-seconds, before any
	// is dropped.
	Queue scale.Amount
	// Waiting is how work waits at each pod.
	Waiting Waiting
	// Uneven is the standard deviation of the load between pods, in billionths.
	Uneven int64
	// Tenants are who else is on the nodes.
	Tenants Tenants
	// Grain is how long noise and neighbors stay as they are; zero is NoiseStep, of
	// which it is a multiple. A coarser one takes less time, and moves as far.
	Grain time.Duration
	// Reserve is the share of the requests, in billionths, that is kept free on
	// the nodes for bursts. It is billed.
	Reserve int64
	// Memory is how much memory pods use.
	Memory MemoryUse
	// Resize is how pods get new requests.
	Resize Resizing
	// Boost is how new pods start.
	Boost Boosting
	// Ceiling is the most cpu that the application of a pod can use, whatever it
	// is given, as a single thread cannot use two cores.
	Ceiling scale.Amount
	// Overload takes readiness from all pods while the demand is more than they
	// can do. They go on with their work.
	Overload bool
	// Events are what else happens, in the order of time.
	Events []Event
	// Age is how long the first pods have been running; the default is a day.
	Age time.Duration
	// Nodes bound what all pods may request; none are no bound.
	Nodes Nodes
	// Namespace is what quotas and LimitRanges allow.
	Namespace Namespace
}

// Ideal is a plant of small pods that start quickly, are seen as late as
// metrics-server shows them and decided about as often as by an HPA. They have
// what they are given at once, share their load evenly, and nothing waits.
func Ideal() Settings {
	return Settings{
		Requests: scale.Resources{}.With(scale.CPU, scale.Thousand).With(scale.Memory, scale.Thousand<<30),
		StartUp:  30 * time.Second, Seed: 1,
		MetricDelay: 30 * time.Second, Sync: 15 * time.Second,
		Resize: Resizing{DeferredFor: 5 * time.Minute},
		Boost:  Boosting{StartUpCPU: UsualStartUpCPU},
	}
}

// Honest is a plant as a cluster is: pods burst into what their neighbors leave
// and no further, some have more to do than others, work waits before it is
// dropped, and a resize takes its time. A sample is the mean of 15 seconds and,
// when it is looked at each 15 seconds, 20 seconds old.
func Honest() Settings {
	s := Ideal()
	s.Limits = s.Limits.With(scale.CPU, 2*scale.Thousand)
	s.MetricDelay, s.Window, s.Resolution, s.Phase = 15*time.Second, 15*time.Second, 15*time.Second, 10*time.Second
	s.Resize.Delay = 3 * time.Second
	s.Tenants = Tenants{Use: scale.Parts * 7 / 10, Correlation: scale.Parts / 2}
	s.Uneven = scale.Parts * 7 / 100
	s.Waiting = Waiting{Most: time.Second, Service: 10 * time.Millisecond, Late: 250 * time.Millisecond}
	return s
}

// capacity is the cpu that one pod can use.
func capacity(requests, limits scale.Resources) scale.Amount {
	if limit, ok := limits.Get(scale.CPU); ok {
		return limit
	}
	request, _ := requests.Get(scale.CPU)
	return request
}

// Needed is how many pods an amount of work per second needs. What neighbors may
// leave is not counted on: only requests are promised.
func (s *Settings) Needed(demand scale.Amount) int32 {
	each := max(capacity(s.Requests, s.Limits), 1)
	if s.Tenants.There() {
		request, _ := s.Requests.Get(scale.CPU)
		each = max(request, 1)
	}
	return int32(min((int64(demand)+int64(each)-1)/int64(each), MaxPods))
}
