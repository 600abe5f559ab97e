package replay

import (
	"errors"
	"fmt"
	"time"

	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/sim"
	"github.com/tidemark/tidemark/trace"
)

// Plant says what meets the demand.
type Plant struct {
	// CPU and Memory are what each pod requests. A pod cannot use more cpu.
	CPU, Memory scale.Amount
	// StartUp is how long a pod takes to become ready, plus up to Jitter that
	// Seed draws.
	StartUp, Jitter time.Duration
	// MetricDelay is how old the usage is that a policy sees, Sync the time
	// between two decisions.
	MetricDelay, Sync time.Duration
	Seed              uint64
	// MeanPods, where it is set, is how many pods the mean of the demand needs,
	// in thousandths: the demand is scaled to it.
	MeanPods scale.Amount
	// Interpolate draws straight lines between the samples of the demand,
	// instead of holding each value until the next.
	Interpolate bool
}

// Replay is a demand and what meets it.
type Replay struct {
	plant  Plant
	demand sim.Demand
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

// check names flags, since that is where a plant comes from.
func (p *Plant) check() error {
	var faults []error
	for _, c := range []struct {
		bad  bool
		text string
	}{
		{p.CPU <= 0 || p.CPU > mostCPU, "--pod-cpu must be above 0, and at most a million cores"},
		{p.Memory < 0, "--pod-memory must not be negative"},
		{p.StartUp < 0 || p.StartUp > longest, "--startup must be between 0 and 24h"},
		{p.Jitter < 0 || p.Jitter > longest, "--startup-jitter must be between 0 and 24h"},
		{p.MetricDelay < 0 || p.MetricDelay > longest, "--metric-delay must be between 0 and 24h"},
		{p.Sync < time.Second || p.Sync > longest, "--sync must be between 1s and 24h"},
		{p.MeanPods < 0, "--mean-pods must be above 0"},
	} {
		if c.bad {
			faults = append(faults, errors.New(c.text))
		}
	}
	return errors.Join(faults...)
}

// Bounds of a plant. Ten million decisions are almost five years of one each 15
// seconds; more means that the times of the demand are wrong.
const (
	longest       = 24 * time.Hour
	mostCPU       = 1_000_000 * scale.Thousand
	mostDecisions = 10_000_000
)

// settings is the plant as it is simulated. The plant never lets a pod use
// more than it requests, which is a limit, and is seen as one.
func (r *Replay) settings() sim.Settings {
	cpu := scale.Resources{}.With(scale.CPU, r.plant.CPU)
	s := sim.Settings{
		Demand: r.demand, Requests: cpu, Limits: cpu, StartUp: r.plant.StartUp, Jitter: r.plant.Jitter, Seed: r.plant.Seed,
		MetricDelay: r.plant.MetricDelay, Sync: r.plant.Sync,
	}
	if r.plant.Memory > 0 {
		s.Requests = s.Requests.With(scale.Memory, r.plant.Memory)
	}
	s.Replicas = s.Foreseen()
	return s
}
