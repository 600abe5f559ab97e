package replay

import (
	"errors"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Troubles are what else may happen to pods; the zero value is none of it.
type Troubles struct {
	// Crashes is the share of starts that fail, Lost that of samples that never
	// arrive, both in billionths.
	Crashes, Lost int64
	// Window and Resolution are those of metrics-server: usage is the mean over
	// the one and measured once in the other.
	Window, Resolution time.Duration
	// Queue is how many core-seconds of work wait before any is dropped.
	Queue scale.Amount
	// Uses is how much memory pods use; nothing is not simulated.
	Uses sim.MemoryUse
	// Resize is how pods get new requests, and Ceiling the most cpu that an
	// application can use.
	Resize  sim.Resizing
	Ceiling scale.Amount
	Nodes   sim.Nodes
}

func (t *Troubles) apply(s *sim.Settings) {
	s.Crashes, s.Lost, s.Window, s.Resolution, s.Queue = t.Crashes, t.Lost, t.Window, t.Resolution, t.Queue
	s.Resize, s.Ceiling, s.Nodes = t.Resize, t.Ceiling, t.Nodes
	if t.Uses != (sim.MemoryUse{}) {
		s.Memory = &t.Uses
	}
}

// usesMemory tells whether the plant knows anything about memory.
func (t *Troubles) usesMemory() bool { return t.Uses != (sim.MemoryUse{}) }

// check names flags, since that is where a plant comes from.
func (p *Plant) check() error {
	var faults []error
	for _, c := range []struct {
		bad  bool
		text string
	}{
		{p.CPU <= 0 || p.CPU > mostCPU, "--pod-cpu must be above 0, and at most a million cores"},
		{p.Memory < 0, "--pod-memory must not be negative"},
		{p.CPULimit != 0 && p.CPULimit < p.CPU || p.CPULimit > mostCPU, "--pod-cpu-limit must not be below --pod-cpu, and at most a million cores"},
		{p.MemoryLimit != 0 && p.MemoryLimit < p.Memory, "--pod-memory-limit must not be below --pod-memory"},
		{p.StartUp < 0 || p.StartUp > longest, "--startup must be between 0 and 24h"},
		{p.Jitter < 0 || p.Jitter > longest, "--startup-jitter must be between 0 and 24h"},
		{p.MetricDelay < 0 || p.MetricDelay > longest, "--metric-delay must be between 0 and 24h"},
		{p.Sync < time.Second || p.Sync > longest, "--sync must be between 1s and 24h"},
		{p.Replicas < 0 || p.Replicas > sim.MaxPods, "--replicas must be between 1 and 100000"},
		{p.MeanPods < 0, "--mean-pods must be above 0"},
	} {
		if c.bad {
			faults = append(faults, errors.New(c.text))
		}
	}
	return errors.Join(append(faults, p.Troubles.check()...)...)
}

func (t *Troubles) check() []error {
	var faults []error
	for _, c := range []struct {
		bad  bool
		text string
	}{
		{t.Crashes < 0 || t.Crashes > scale.Parts, "--crash-share must be between 0 and 1"},
		{t.Lost < 0 || t.Lost > scale.Parts, "--lost-samples must be between 0 and 1"},
		{t.Window < 0 || t.Window > longest, "--metric-window must be between 0 and 24h"},
		{t.Resolution < 0 || t.Resolution > longest, "--metric-resolution must be between 0 and 24h"},
		{t.Queue < 0 || t.Queue > sim.MaxQueue, "--queue must be between 0 and a million core-seconds"},
		{t.Uses.Base < 0 || t.Uses.PerCore < 0 || t.Uses.Leak < 0, "--memory-base, --memory-per-core and --memory-leak must not be negative"},
		{t.Resize.Delay < 0 || t.Resize.Delay > longest, "--resize-delay must be between 0 and 24h"},
		{t.Resize.Deferred < 0 || t.Resize.Infeasible < 0 || t.Resize.Deferred+t.Resize.Infeasible > scale.Parts, "--resize-deferred and --resize-infeasible must be shares that are at most 1 together"},
		{t.Resize.DeferredFor < 0 || t.Resize.DeferredFor > longest, "--resize-deferred-for must be between 0 and 24h"},
		{t.Ceiling < 0, "--pod-cpu-ceiling must not be negative"},
		{t.Nodes.Count < 0 || t.Nodes.Count > mostNodes, "--nodes must be between 0 and 10000"},
		{t.Nodes.CPU < 0 || t.Nodes.Memory < 0, "--node-cpu and --node-memory must not be negative"},
		{t.Nodes.Taken < 0 || t.Nodes.Taken >= scale.Parts, "--node-taken must be at least 0 and below 1"},
		{t.Nodes.Count > 0 && t.Nodes.CPU == 0 && t.Nodes.Memory == 0, "--nodes needs --node-cpu or --node-memory: without a bound every pod fits"},
	} {
		if c.bad {
			faults = append(faults, errors.New(c.text))
		}
	}
	return faults
}

// mostNodes bounds the search for a node with room.
const mostNodes = 10_000
