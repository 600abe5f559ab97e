package replay

import (
	"sync"
	"time"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
)

// Replay is a demand and what meets it.
type Replay struct {
	plant Plant

	oracleOnce sync.Once
	oracleCost sim.Work
	hindsight  hindsight
}

// mostDecisions bounds a replay: ten million are almost five years of one each 15
// seconds; more means that the times of the demand are wrong.
const mostDecisions = 10_000_000

// New returns a replay. It refuses what cannot be simulated.
func New(t trace.Trace, p Plant) (*Replay, error) {
	if err := p.prepare(t); err != nil {
		return nil, p.Names.told(err)
	}
	return &Replay{plant: p}, nil
}

// prepare checks the plant and makes the demand ready for it.
func (p *Plant) prepare(t trace.Trace) error {
	faults := p.Check()
	if p.MeanPods < 0 {
		faults.Add("MeanPods", "must be above 0")
	}
	if p.Noise < 0 || p.Noise > scale.Parts {
		faults.Add("Noise", "must be between 0 and 1")
	}
	p.checkPrices(&faults)
	if len(faults) > 0 {
		return faults
	}
	if err := p.checkLength(t); err != nil {
		return err
	}
	// Between samples that are as near to each other there is no line to draw.
	noisy := p.Interpolate && p.Noise > 0 && t.Step > p.Steps()
	if p.Interpolate {
		step := p.Sync
		if noisy {
			step = min(step, p.Steps())
		}
		t = interpolated(t, step)
	}
	if p.MeanPods > 0 {
		var err error
		if t, err = scaled(t, p.cpu().Share(int64(p.MeanPods), int64(scale.Thousand))); err != nil {
			return err
		}
	}
	d, err := sim.NewDemand(t)
	if err != nil {
		return err
	}
	if noisy {
		d = d.WithNoise(p.Noise, p.Steps(), p.Seed)
	}
	p.Demand = d
	if p.WarmUp < 0 || p.WarmUp >= d.Length() {
		faults.Add("WarmUp", "must be shorter than the demand, which lasts %s", d.Length())
	}
	// Half of the bound is left for policies that keep room.
	if peak := d.Peak(d.Start(), d.End()); len(faults) == 0 && int64(peak)/int64(p.cpu()) >= sim.MaxPods/2 {
		faults.Add("", "the demand needs %d pods at its peak, more than a replay can hold: it must be in cores, or scaled with MeanPods", int64(peak)/int64(p.cpu()))
	}
	return faults.Err()
}

// checkLength refuses what would be replayed for hours.
func (p *Plant) checkLength(t trace.Trace) error {
	d, err := sim.NewDemand(t)
	if err != nil {
		return err
	}
	var faults fault.List
	if n := int64(d.Length() / p.Sync); n > mostDecisions {
		faults.Add("", "the demand lasts from %s to %s, which is %d decisions: a replay makes at most %d, so check its times or raise Sync",
			d.Start().Format(time.RFC3339), d.End().Format(time.RFC3339), n, mostDecisions)
	}
	return faults.Err()
}

// Settings returns the plant as it is simulated. A pod without a limit for cpu
// never uses more than it requests, which is a limit, and is seen as one, unless
// it can burst into what neighbors leave.
func (r *Replay) Settings() sim.Settings {
	s := r.plant.Settings
	if !s.Limits.States(scale.CPU) && !s.Tenants.There() {
		s.Limits = s.Limits.With(scale.CPU, r.plant.cpu())
	}
	if s.Replicas == 0 {
		s.Replicas = s.Foreseen()
	}
	return s
}

// start returns the plant, adapted to a policy, and a fresh controller.
func (r *Replay) start(p Policy) (sim.Settings, sim.Controller, error) {
	s := r.Settings()
	c, err := p.Start(&s)
	return s, c, r.plant.Names.told(err)
}
