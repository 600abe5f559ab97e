package replay

import (
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/history"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
	"github.com/tidemark/tidemark/sim"
)

// learning is what the spec wants to know of the past; nil for nothing.
func learning(spec *v1alpha1.WorkloadAutoscalerSpec) *sim.Learning {
	sizes := spec.Intervals != nil || len(spec.Containers) > 0 || (spec.Learn != nil && spec.Learn.Targets != nil && *spec.Learn.Targets)
	if spec.Learn == nil && !sizes {
		return nil
	}
	l := policy.LearningOf(*spec)
	out := &sim.Learning{
		Settings: history.Settings{SlotHours: l.SlotHours, WindowWeeks: l.WindowWeeks, Zone: l.Zone},
		Bounds:   spec.Learn != nil, Factors: history.Factors{Min: l.MinFactor, Max: l.MaxFactor},
		Headroom: spec.Learn != nil && spec.Learn.Headroom != nil, Risk: l.Risk,
		Recommend: sizes, Estimator: estimator(spec),
	}
	if l.Daily {
		out.Settings.Period = history.Daily
	}
	return out
}

func estimator(spec *v1alpha1.WorkloadAutoscalerSpec) history.EstimatorSettings {
	e, out := policy.EstimatorOf(*spec), history.DefaultEstimator()
	for _, r := range scale.EveryResource {
		out.Percentile[r] = int64(e.Percentile) * scale.Parts / 100
	}
	out.MarginPercent, out.MinChangePercent = int64(e.MarginPercent), int64(e.MinChangePercent)
	out.Confidence = time.Duration(e.ConfidenceHours) * time.Hour
	return out
}
