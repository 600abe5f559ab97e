package replay

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/selftune"
	"github.com/tidemark/tidemark/scale"
)

// SelfTune replays the settings that there are on a workload's own past, and
// returns which it should be sized by. It is the one way to do so: a controller
// and a replay of one call it at the same time of day.
func SelfTune(t selftune.Trial) (*scale.Tuned, error) {
	s, err := plantOf(&t)
	if err != nil {
		return nil, err
	}
	out := &scale.Tuned{At: t.At, Before: t.Now, Candidates: make([]scale.Candidate, 0, len(selftune.Family))}
	for _, setting := range selftune.Family {
		c, err := candidate(&t, s, setting)
		if err != nil {
			return nil, err
		}
		out.Candidates = append(out.Candidates, c)
	}
	out.Setting = selftune.Choose(t.Now, out.Candidates)
	return out, nil
}

// plantOf is the plant that settings are replayed in: an honest one, but for what
// was measured of the workload.
func plantOf(t *selftune.Trial) (sim.Settings, error) {
	s, r, f := sim.Honest(), &t.Record, &t.Facts
	points := make([]trace.Point, len(r.Used))
	for i, used := range r.Used {
		points[i] = trace.Point{At: r.Start.Add(time.Duration(i) * r.Step()), Value: used}
	}
	d, err := sim.NewDemand(trace.Trace{Step: r.Step(), Points: points})
	if err != nil {
		return s, err
	}
	s.Demand, s.Sync, s.Container, s.Requests, s.Limits = d, t.Policy.Sync, f.Container, f.Requests, f.Limits
	s.Tenants = sim.Tenants{}
	if r.Rooms != nil {
		s.Tenants.Recorded = &sim.Rooms{Step: r.Step(), Shares: r.Rooms}
	} else if !s.Limits.States(scale.CPU) {
		// Nobody saw what nodes have left, so nothing is counted on.
		cpu, _ := s.Requests.Get(scale.CPU)
		s.Limits = s.Limits.With(scale.CPU, cpu)
	}
	if f.StartUp > 0 {
		s.StartUp = f.StartUp
	}
	if f.Resize > 0 {
		s.Resize.Delay = f.Resize
	}
	if f.Delay > 0 {
		s.MetricDelay, s.Resolution, s.Phase = f.Delay, 0, 0
	}
	if f.Window > 0 {
		s.Window = f.Window
	}
	s.WarmUp = (d.Length() / 10).Truncate(s.Sync)
	s.Replicas = max(s.Foreseen(), t.Policy.Limit.Min, 1)
	if most := t.Policy.Limit.Max; most > 0 {
		s.Replicas = min(s.Replicas, most)
	}
	if peak, each := d.Peak(d.Start(), d.End()), s.Needed(d.Peak(d.Start(), d.End())); each >= sim.MaxPods/2 {
		return s, fmt.Errorf("a demand of %s cores needs too many pods to be replayed", peak)
	}
	return s, s.Check().Err()
}

// candidate replays one setting.
func candidate(t *selftune.Trial, s sim.Settings, setting scale.Setting) (scale.Candidate, error) {
	out := scale.Candidate{Setting: setting}
	plan := t.Plan
	plan.Usage = false
	l, err := learner.New(plan)
	if err != nil {
		return out, err
	}
	p := t.Policy
	p.Learn.Tune, p.Learn.Emergency = learn.TuneFrozen, false
	p.Limit.Mode, p.Limit.Paused, p.Limit.Pauses = limit.Auto, false, nil
	a := sim.NewAutoscaler(p, l)
	a.Remember(engine.Memory{Learned: learn.Past{Tuned: &scale.Tuned{At: s.Demand.Start(), Setting: setting}}})
	middle := s.Demand.Start().Add(s.WarmUp + (s.Demand.Length()-s.WarmUp)/2)
	first, second, whole := sim.RunHalves(s, a, middle, func(sim.Moment) bool {
		if t.Pause != nil {
			err = t.Pause()
		}
		return err == nil
	})
	if err != nil {
		return out, err
	}
	if !whole {
		return out, fmt.Errorf("the past of %s is too short to be replayed", s.Demand.Length())
	}
	prices := pricesOf(p.Elastic.Prices)
	out.First, out.Second = prices.inCoreHours(first), prices.inCoreHours(second)
	return out, nil
}

// pricesOf are the prices that a policy weighs with.
func pricesOf(p *elastic.Prices) *Prices {
	const part = scale.Parts / int64(scale.Thousand)
	return &Prices{Unserved: p.Unserved * part, Late: p.Late * part, Start: p.Start, Resize: p.Resize}
}

// inCoreHours is what a run cost, in thousandths.
func (p *Prices) inCoreHours(s sim.Score) scale.Amount {
	return scale.Amount(p.total(s).hours() * float64(scale.Thousand))
}
