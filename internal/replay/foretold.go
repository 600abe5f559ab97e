package replay

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// foretold is a learner whose forecasts come true. Whatever else it learns, and how
// long a change takes, is as it would be: what a policy gains with it is about the
// most that better forecasts could bring.
type foretold struct {
	*learner.Learner
	demand sim.Demand
}

// moments is at how many moments within a period the demand is told.
const moments = 8

// newForetold is the policy without numbers, told what will be asked for.
func newForetold(name string) (Policy, error) {
	least, most := int32(1), int32(sim.MaxPods)
	return fromSpec(name, v1alpha1.WorkloadAutoscalerSpec{
		Replicas: v1alpha1.ReplicaSpec{Min: &least, Max: &most},
		Learn:    &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{}},
	}, func(l *learner.Learner, s *sim.Settings) sim.Learner { return &foretold{l, s.Demand} })
}

// Learn learns from a look, and then knows better.
func (f *foretold) Learn(obs *scale.Observation, under []scale.LearnedTarget) {
	f.Learner.Learn(obs, under)
	if obs.Learned == nil {
		return
	}
	takes, _ := f.History.Resizes.Usual()
	for i := range obs.Learned.Headroom {
		h := &obs.Learned.Headroom[i]
		h.Demand, h.Full = f.comes(obs.At.Add(takes)), false
		h.Expected = h.Demand[moments/2].Amount
		h.Headroom = h.Demand[moments-1].Amount - h.Expected
	}
}

// comes is what is asked for from a moment on until the next decision is in force, the
// least first.
func (f *foretold) comes(from time.Time) []scale.Likely {
	out := make([]scale.Likely, moments)
	for i := range out {
		at := from.Add(f.Sync * time.Duration(i) / moments)
		out[i] = scale.Likely{Amount: max(f.demand.At(at), 1), Chance: 1_000_000 / moments}
	}
	slices.SortFunc(out, func(a, b scale.Likely) int { return int(min(max(a.Amount-b.Amount, -1), 1)) })
	return out
}
