package sim

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/scale"
)

// BenchmarkFourWeeks is a whole replay: four weeks of a daily wave around 12
// cores, a decision each 15 seconds, about 20 pods.
func BenchmarkFourWeeks(b *testing.B) {
	const minutes = 28 * 24 * 60
	values := make([]scale.Amount, minutes)
	for i := range values {
		// A triangle between 9 and 15 cores, with some roughness.
		phase := i % 1440
		values[i] = 9000 + scale.Amount(min(phase, 1440-phase))*6000/720 + scale.Amount(i*7919%601)
	}
	s := Settings{
		Demand:   demandOf(b, time.Minute, values...),
		Requests: scale.Resources{}.With(scale.CPU, 1000), Limits: scale.Resources{}.With(scale.CPU, 1000),
		StartUp: 30 * second, MetricDelay: 30 * second, Sync: 15 * second, Replicas: 15,
	}
	resizing := sixty()
	resizing.Horizontal.Metrics[0].Headroom = true
	resizing.Elastic = &elastic.Rules{Usual: 1000, Min: 500, Max: 4000}
	inPlace := &learner.Plan{Settings: history.DefaultSettings(), Headroom: true, Risk: scale.Parts / 30, MinPercent: 11, MaxPercent: 20,
		InPlace: true, Places: []string{""}, Sync: s.Sync}
	priced := resizing
	priced.Sync = s.Sync
	priced.Elastic = &elastic.Rules{Prices: &elastic.Prices{Unserved: 50_000, Late: 5000, Start: 30_000, Resize: 6000}}
	weighed := &learner.Plan{Settings: history.DefaultSettings(), Headroom: true, Priced: true, InPlace: true, Places: []string{""}, Sync: s.Sync}
	honest := Honest()
	honest.Demand, honest.Replicas = s.Demand, s.Replicas
	for name, c := range map[string]struct {
		policy engine.Policy
		plan   *learner.Plan
		plant  Settings
		resize Resizing
	}{
		"plain":           {sixty(), nil, s, Resizing{}},
		"learning":        {sixty(), weekly(), s, Resizing{}},
		"resizing":        {resizing, inPlace, s, Resizing{Delay: 3 * second}},
		"honest":          {sixty(), nil, honest, honest.Resize},
		"honest/resizing": {resizing, inPlace, honest, honest.Resize},
		"honest/priced":   {priced, weighed, honest, honest.Resize},
	} {
		b.Run(name, func(b *testing.B) {
			s := c.plant
			s.Resize = c.resize
			for b.Loop() {
				if got := Run(s, autoscaler(b, c.policy, c.plan), nil); got.Decisions != 161_280 {
					b.Fatalf("%+v", got)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/161_280, "ns/decision")
		})
	}
}
