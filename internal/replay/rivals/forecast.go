package rivals

import (
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// forecaster foresees the work of all pods.
type forecaster interface {
	// every is how often it takes a sample.
	every() time.Duration
	// note takes the mean of the time since the last one.
	note(at time.Time, served scale.Amount)
	// expect is how much it expects to be needed; 0 is no opinion.
	expect(now time.Time) scale.Amount
}

// foresighted is an HPA with two metrics, of which the one that asks for more
// counts: the usage of cpu, and a forecast of it. It is the Learner of the HPA,
// for a forecast is a sample that history gives.
type foresighted struct {
	forecaster
	hpa  *sim.Autoscaler
	seen time.Time
}

// newForesighted returns an HPA, as upstream has it, with a forecast as its second
// metric. Build makes the HPA, and is told who adds the forecast.
func newForesighted(s *sim.Settings, f forecaster, build func(sim.Learner) *sim.Autoscaler) sim.Controller {
	s.Recall = max(s.Recall, f.every()+s.Sync)
	out := &foresighted{forecaster: f}
	out.hpa = build(out)
	return out
}

// Decide takes the samples that are due, and lets the HPA decide.
func (f *foresighted) Decide(p *sim.Plant) scale.Decision {
	f.sample(p)
	return f.hpa.Decide(p)
}

func (f *foresighted) sample(v View) {
	if f.seen.IsZero() {
		f.seen = v.Now()
	}
	for next := f.seen.Add(f.every()); !next.After(v.Now()); next = next.Add(f.every()) {
		f.note(f.seen, v.UsageOver(f.seen, next).Served)
		f.seen = next
	}
}

// Learn adds the forecast to what the HPA sees: the sample of its second metric.
func (f *foresighted) Learn(obs *scale.Observation, _ []scale.LearnedTarget) {
	obs.Samples[1] = scale.Sample{At: obs.At, Series: []scale.Amount{f.expect(obs.At)}}
}
