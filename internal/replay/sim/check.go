package sim

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Bounds of a plant.
const (
	// MaxPods bounds how many there are: each pod is simulated, so a demand in
	// the wrong unit must not fill the memory.
	MaxPods = 100_000
	// maxNodes bounds the search for a node with room.
	maxNodes = 10_000
	maxCPU   = 1_000_000 * scale.Thousand
	maxTime  = 24 * time.Hour
)

// refusal is a reason not to simulate, of one field or, where a sentence says
// which, of several.
type refusal struct {
	bad   bool
	field fault.Path
	says  string
}

// Check returns everything that cannot be simulated. Fields have the names that
// they have here, in the messages too, such as Nodes.CPU; an amount of Requests
// or Limits has its resource's.
func (s *Settings) Check() fault.List {
	var faults fault.List
	for _, r := range slices.Concat(s.ofPods(), s.ofWork(), s.ofWaits(), s.ofSizes(), s.ofNodes(), s.ofNamespace()) {
		if r.bad {
			faults.Add(r.field, "%s", r.says)
		}
	}
	return faults
}

const uptoADay = "must be between 0 and 24h"

func notWithinADay(d time.Duration) bool { return d < 0 || d > maxTime }

func (s *Settings) ofPods() []refusal {
	cpu, _ := s.Requests.Get(scale.CPU)
	memory, _ := s.Requests.Get(scale.Memory)
	cpuLimit, limitsCPU := s.Limits.Get(scale.CPU)
	memoryLimit, limitsMemory := s.Limits.Get(scale.Memory)
	return []refusal{
		{cpu <= 0 || cpu > maxCPU, "Requests.cpu", "must be above 0, and at most a million cores"},
		{memory < 0, "Requests.memory", "must not be negative"},
		{limitsCPU && cpuLimit < cpu || cpuLimit > maxCPU, "Limits.cpu", "must not be below Requests.cpu, and at most a million cores"},
		{limitsMemory && memoryLimit < memory, "Limits.memory", "must not be below Requests.memory"},
		{notWithinADay(s.StartUp), "StartUp", uptoADay},
		{notWithinADay(s.Jitter), "Jitter", uptoADay},
		{s.Boost.StartUpCPU < 0 || s.Boost.StartUpCPU > scale.Parts, "Boost.StartUpCPU", "must be between 0 and 1"},
		{notWithinADay(s.MetricDelay), "MetricDelay", uptoADay},
		{s.Sync < time.Second || s.Sync > maxTime, "Sync", "must be between 1s and 24h"},
		{s.Replicas < 0 || s.Replicas > MaxPods, "Replicas", "must be between 1 and 100000"},
		{s.Crashes < 0 || s.Crashes > scale.Parts, "Crashes", "must be between 0 and 1"},
	}
}

func (s *Settings) ofWork() []refusal {
	m := &s.Memory
	return []refusal{
		{s.Lost < 0 || s.Lost > scale.Parts, "Lost", "must be between 0 and 1"},
		{notWithinADay(s.Window), "Window", uptoADay},
		{notWithinADay(s.Resolution), "Resolution", uptoADay},
		{s.Grain < 0 || s.Grain > maxTime || s.Grain%NoiseStep != 0, "Grain", "must be a multiple of 5s, and at most 24h"},
		{notWithinADay(s.Phase), "Phase", uptoADay},
		{s.Queue < 0 || s.Queue > MaxQueue, "Queue", "must be between 0 and a million core-seconds"},
		{m.Base < 0 || m.PerCore < 0 || m.Leak < 0, "", "Memory.Base, Memory.PerCore and Memory.Leak must not be negative"},
	}
}

func (s *Settings) ofWaits() []refusal {
	w := &s.Waiting
	return []refusal{
		{notWithinADay(w.Most), "Waiting.Most", uptoADay},
		{w.Most > 0 && (w.Service <= 0 || w.Service > w.Most), "Waiting.Service", "must be above 0 and at most Waiting.Most"},
		{w.Most > 0 && (w.Late < 0 || w.Late > w.Most), "Waiting.Late", "must be between 0 and Waiting.Most: what would wait longer is dropped"},
		{s.Queue > 0 && s.atPods(), "Queue", "must be 0 where Waiting.Most or Uneven is not: work waits at the pods, or before them"},
		{s.Uneven < 0 || s.Uneven > mostUneven, "Uneven", "must be between 0 and 0.5"},
		{s.Tenants.Use < 0 || s.Tenants.Use > scale.Parts, "Tenants.Use", "must be between 0 and 1"},
		{s.Tenants.Correlation < 0 || s.Tenants.Correlation > scale.Parts, "Tenants.Correlation", "must be between 0 and 1"},
		{s.Tenants.Recorded != nil && (s.Tenants.Recorded.Step <= 0 || len(s.Tenants.Recorded.Shares) == 0), "Tenants.Recorded", "needs a step and rooms"},
		{s.Reserve < 0 || s.Reserve > scale.Parts, "Reserve", "must be between 0 and 1"},
		{s.Reserve > 0 && !s.Tenants.There(), "Reserve", "needs Tenants.Use: without others all room is free"},
	}
}

func (s *Settings) ofSizes() []refusal {
	r := &s.Resize
	return []refusal{
		{notWithinADay(r.Delay), "Resize.Delay", uptoADay},
		{r.Deferred < 0 || r.Infeasible < 0 || r.Deferred+r.Infeasible > scale.Parts, "",
			"Resize.Deferred and Resize.Infeasible must be shares that are at most 1 together"},
		{notWithinADay(r.DeferredFor), "Resize.DeferredFor", uptoADay},
		{s.Ceiling < 0, "Ceiling", "must not be negative"},
	}
}

func (s *Settings) ofNodes() []refusal {
	n := &s.Nodes
	return []refusal{
		{n.Count < 0 || n.Count > maxNodes, "Nodes.Count", "must be between 0 and 10000"},
		{n.CPU < 0 || n.Memory < 0, "", "Nodes.CPU and Nodes.Memory must not be negative"},
		{n.Taken < 0 || n.Taken >= scale.Parts, "Nodes.Taken", "must be at least 0 and below 1"},
		{n.Count > 0 && n.CPU == 0 && n.Memory == 0, "Nodes.Count", "needs Nodes.CPU or Nodes.Memory: without a bound every pod fits"},
	}
}

func (s *Settings) ofNamespace() []refusal {
	n, size := &s.Namespace, podSize{s.Requests, s.Limits}
	quota, each := Namespace{CPU: n.CPU, Memory: n.Memory}, Namespace{MostCPU: n.MostCPU, MostMemory: n.MostMemory}
	return []refusal{
		{n.Pods < 0 || n.CPU < 0 || n.Memory < 0, "", "Namespace.Pods, Namespace.CPU and Namespace.Memory must not be negative"},
		{n.MostCPU < 0 || n.MostMemory < 0, "", "Namespace.MostCPU and Namespace.MostMemory must not be negative"},
		{quota.refuses(size, 1), "", "Namespace.CPU and Namespace.Memory must have room for one pod"},
		{each.refuses(size, 1), "", "Namespace.MostCPU and Namespace.MostMemory must allow the pods as they are, with their limits"},
	}
}
