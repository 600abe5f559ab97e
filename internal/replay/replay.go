package replay

import (
	"fmt"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Plant says what meets the demand.
type Plant struct {
	// CPU and Memory are what each pod requests. A pod cannot use more cpu,
	// unless a limit above the request is set.
	CPU, Memory, CPULimit, MemoryLimit scale.Amount
	// StartUp is how long a pod takes to become ready, plus up to Jitter that
	// Seed draws.
	StartUp, Jitter time.Duration
	// MetricDelay is how old the usage is that a policy sees, Sync the time
	// between two decisions.
	MetricDelay, Sync time.Duration
	Seed              uint64
	Troubles
	// Replicas is how many pods there are at first; 0 is as many as the demand
	// needs.
	Replicas int32
	// MeanPods, where it is set, is how many pods the mean of the demand needs,
	// in thousandths: the demand is scaled to it.
	MeanPods scale.Amount
	// Interpolate draws straight lines between the samples of the demand,
	// instead of holding each value until the next.
	Interpolate bool
	// WarmUp is the time at the beginning that is replayed but not scored.
	WarmUp time.Duration
}

// Replay is a demand and what meets it.
type Replay struct {
	plant  Plant
	demand sim.Demand

	oracleOnce sync.Once
	oracleCost sim.Work
}

// New returns a replay. It refuses what cannot be simulated.
func New(t trace.Trace, p Plant) (*Replay, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := p.checkLength(t); err != nil {
		return nil, err
	}
	if p.Interpolate {
		t = interpolated(t, p.Sync)
	}
	if p.MeanPods > 0 {
		var err error
		if t, err = scaled(t, p.CPU.Share(int64(p.MeanPods), int64(scale.Thousand))); err != nil {
			return nil, err
		}
	}
	d, err := sim.NewDemand(t)
	if err != nil {
		return nil, err
	}
	r := &Replay{plant: p, demand: d}
	if p.WarmUp < 0 || p.WarmUp >= d.Length() {
		return nil, fmt.Errorf("--warm-up must be shorter than the demand, which lasts %s", d.Length())
	}
	// Half of the bound is left for policies that keep room.
	if peak := d.Peak(d.Start(), d.End()); int64(peak)/int64(p.CPU) >= sim.MaxPods/2 {
		return nil, fmt.Errorf("the demand needs %d pods at its peak, more than a replay can hold: it must be in cores, or scaled with --mean-pods", int64(peak)/int64(p.CPU))
	}
	return r, nil
}

// checkLength refuses what would be replayed for hours.
func (p *Plant) checkLength(t trace.Trace) error {
	d, err := sim.NewDemand(t)
	if err != nil {
		return err
	}
	if n := int64(d.Length() / p.Sync); n > mostDecisions {
		return fmt.Errorf("the demand lasts from %s to %s, which is %d decisions: a replay makes at most %d, so check its times or raise --sync",
			d.Start().Format(time.RFC3339), d.End().Format(time.RFC3339), n, mostDecisions)
	}
	return nil
}

// Bounds of a plant. Ten million decisions are almost five years of one each 15
// seconds; more means that the times of the demand are wrong.
const (
	longest       = 24 * time.Hour
	mostCPU       = 1_000_000 * scale.Thousand
	mostDecisions = 10_000_000
)

// settings is the plant as it is simulated. A pod without a limit for cpu never
// uses more than it requests, which is a limit, and is seen as one.
func (r *Replay) settings() sim.Settings {
	p := &r.plant
	cpu := scale.Resources{}.With(scale.CPU, p.CPU)
	s := sim.Settings{
		Demand: r.demand, Requests: cpu, Limits: cpu, StartUp: p.StartUp, Jitter: p.Jitter, Seed: p.Seed,
		MetricDelay: p.MetricDelay, Sync: p.Sync, WarmUp: p.WarmUp,
	}
	if p.Memory > 0 {
		s.Requests = s.Requests.With(scale.Memory, p.Memory)
	}
	if p.CPULimit > 0 {
		s.Limits = s.Limits.With(scale.CPU, p.CPULimit)
	}
	if p.MemoryLimit > 0 {
		s.Limits = s.Limits.With(scale.Memory, p.MemoryLimit)
	}
	p.Troubles.apply(&s)
	if s.Replicas = p.Replicas; s.Replicas == 0 {
		s.Replicas = s.Foreseen()
	}
	return s
}
