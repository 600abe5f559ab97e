package replay

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Moments replays a policy and yields its decisions, each before it is carried
// out, and one every so often. A decision is valid until the next one.
func (r *Replay) Moments(p Policy) (moments iter.Seq[sim.Moment], every time.Duration, err error) {
	s, c, err := r.start(p)
	if err != nil {
		return nil, 0, err
	}
	return func(yield func(sim.Moment) bool) { sim.Run(s, c, yield) }, s.Sync, nil
}

// Call replays a policy up to a moment and returns what its last decision until
// then looked at, and the plant as it was, unless the context ends first.
func (r *Replay) Call(ctx context.Context, p Policy, at time.Time) (record.Call, sim.Moment, error) {
	if p.spec == nil {
		return record.Call{}, sim.Moment{}, fmt.Errorf("%s is no policy of the engine, so it gives no reasons", p.Name)
	}
	s, c, err := r.start(p)
	if err != nil {
		return record.Call{}, sim.Moment{}, err
	}
	if at.Before(s.Demand.Start()) {
		return record.Call{}, sim.Moment{}, fmt.Errorf("the demand begins at %s", s.Demand.Start().Format(time.RFC3339))
	}
	var last sim.Moment
	n := 0
	sim.Run(s, c, func(m sim.Moment) bool {
		last = m
		n++
		return !m.At.Add(s.Sync).After(at) && (n%between != 1 || ctx.Err() == nil)
	})
	if err := ctx.Err(); err != nil {
		return record.Call{}, last, context.Cause(ctx)
	}
	decides, ok := c.(interface{ Looked() sim.Look })
	if !ok {
		return record.Call{}, last, fmt.Errorf("%s does not say what it looks at", p.Name)
	}
	look := decides.Looked()
	call := record.Call{Policy: look.Policy, Spec: *p.spec.DeepCopy(), Observation: look.Observation, Memory: look.Memory}
	if !s.Memory.Simulated() {
		// The policy was run without them, and so is the document.
		call.Spec.Metrics = slices.DeleteFunc(call.Spec.Metrics, ofMemory)
	}
	return call, last, nil
}

// ofMemory tells whether a metric of a spec looks at the memory of pods.
func ofMemory(m v1alpha1.MetricSpec) bool {
	name := scale.Memory.String()
	return m.Resource != nil && m.Resource.Name == name || m.ContainerResource != nil && m.ContainerResource.Name == name
}

// HourlyPrices are what an hour of a core and of a GiB costs; zero where nobody said.
func (r *Replay) HourlyPrices() (cpu, memory float64) {
	return float64(r.plant.PriceCPU) / float64(scale.Parts), float64(r.plant.PriceMemory) / float64(scale.Parts)
}

// Span is from when until when the demand lasts.
func (r *Replay) Span() (start, end time.Time) { return r.plant.Demand.Start(), r.plant.Demand.End() }
