package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Settings describe a plant.
type Settings struct {
	Demand Demand
	// Container is the name of the pods' one container; the default is
	// ContainerName.
	Container string
	// Requests and Limits are those of each pod, until a decision changes them.
	// A pod does as much work as its cpu limit allows, or its request where
	// there is no limit.
	Requests, Limits scale.Resources
	// StartUp is how long a pod takes to become ready. Up to Jitter is added,
	// another time for each pod, drawn by Seed.
	StartUp, Jitter time.Duration
	Seed            uint64
	// MetricDelay is the age of the usage that a controller sees.
	MetricDelay time.Duration
	// Sync is the time between two decisions.
	Sync time.Duration
	// Replicas is how many pods there are at first, all of them ready.
	Replicas int32
}

// capacity is the cpu that one pod can use.
func capacity(requests, limits scale.Resources) scale.Amount {
	if limit, ok := limits.Get(scale.CPU); ok {
		return limit
	}
	request, _ := requests.Get(scale.CPU)
	return request
}

// Needed is how many pods an amount of work per second needs.
func (s *Settings) Needed(demand scale.Amount) int32 {
	each := max(capacity(s.Requests, s.Limits), 1)
	return int32(min((int64(demand)+int64(each)-1)/int64(each), MaxPods))
}

// MaxPods bounds a plant: each pod is simulated, so a demand in the wrong unit
// must not fill the memory.
const MaxPods = 100_000

// jitter is the part of a pod's start-up that chance decides: the pod's number,
// mixed with the seed, spread evenly from nothing to the most.
func (s *Settings) jitter(pod int) time.Duration {
	if s.Jitter <= 0 {
		return 0
	}
	// The finalizer of SplitMix64.
	x := s.Seed + uint64(pod)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	x ^= x >> 31
	return time.Duration(x % uint64(s.Jitter+1))
}
