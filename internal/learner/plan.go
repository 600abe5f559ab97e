package learner

import (
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Plan says what is kept of a workload's past beside its memory, and what is
// made of it.
type Plan struct {
	Settings history.Settings
	// Bounds lets the slots of the week bound the count.
	Bounds  bool
	Factors history.Factors
	// Headroom sizes by measured growth, for a risk in billionths.
	Headroom bool
	Risk     int64
	// MinPercent and MaxPercent bound it in percent of the usage; MaxPercent is
	// 0 for no bound.
	MinPercent, MaxPercent int32
	// Priced is set when no risk is stated: what may come is weighed by prices.
	Priced bool
	// InPlace is set when pods are resized at once, instead of started.
	InPlace bool
	// Places are the containers whose cpu the metrics with headroom look at;
	// empty is the whole pod.
	Places []string
	// Recommend sizes the pods by their own usage.
	Recommend bool
	// Targets keeps how busy the pods are under their present targets.
	Targets bool
	// Usage keeps what the pods use although they are not sized by it yet, so
	// that they can be as soon as that is asked for.
	Usage     bool
	Estimator history.EstimatorSettings
	Bumps     history.Bumps
	// Sync is the time between two decisions.
	Sync time.Duration
	// StartUp is how long the start of a pod lasts.
	StartUp scale.StartUp
	// Ahead lets pods be started before a schedule starts.
	Ahead bool
}

// PlanOf returns what a spec wants to know of the past. It reports false for a
// spec that wants nothing. The policy is the compiled spec.
func PlanOf(spec v1alpha1.WorkloadAutoscalerSpec, p engine.Policy) (Plan, bool) {
	sizes := sizesPods(&spec)
	if spec.Learn == nil && !sizes && p.Schedule == nil {
		return Plan{}, false
	}
	l := policy.LearningOf(spec)
	out := Plan{
		// Where pods change their size, their number says little about the load.
		Settings: SettingsOf(spec), Bounds: spec.Learn != nil && p.Elastic == nil, Factors: history.Factors{Min: l.MinFactor, Max: l.MaxFactor},
		Headroom: spec.Learn != nil && spec.Learn.Headroom != nil, Risk: l.Risk, MinPercent: l.MinPercent, MaxPercent: l.MaxPercent,
		Priced: p.Elastic != nil && p.Elastic.Prices != nil, InPlace: p.Elastic != nil && p.Elastic.Resizes(),
		Recommend: sizes, Targets: p.Learn.Targets, Usage: spec.Learn != nil || sizes, Estimator: estimatorOf(spec), Bumps: policy.OOMBumpUpsOf(spec), Sync: p.Sync,
		StartUp: p.Horizontal.StartUp(), Ahead: p.Schedule != nil,
	}
	for i := range p.Horizontal.Metrics {
		if m := &p.Horizontal.Metrics[i]; m.Headroom && m.Resource == scale.CPU {
			out.Places = append(out.Places, m.Container)
		}
	}
	return out, true
}

// sizesPods tells whether the built-in recommender is asked. A VPA object, where
// one is named, answers instead; with source None nobody does.
func sizesPods(spec *v1alpha1.WorkloadAutoscalerSpec) bool {
	if spec.Vertical != nil && spec.Vertical.Source == v1alpha1.VerticalSourceNone {
		return false
	}
	return spec.Intervals != nil || len(spec.Containers) > 0 ||
		(spec.Learn != nil && spec.Learn.Targets != nil && *spec.Learn.Targets)
}

// SettingsOf returns how a spec wants its history to be kept.
func SettingsOf(spec v1alpha1.WorkloadAutoscalerSpec) history.Settings {
	l := policy.LearningOf(spec)
	out := history.Settings{SlotHours: l.SlotHours, WindowWeeks: l.WindowWeeks, Zone: l.Zone, Period: history.Weekly}
	if l.Daily {
		out.Period = history.Daily
	}
	return out
}

func estimatorOf(spec v1alpha1.WorkloadAutoscalerSpec) history.EstimatorSettings {
	e, out := policy.EstimatorOf(spec), history.DefaultEstimator()
	for _, r := range scale.EveryResource {
		out.Percentile[r] = int64(e.Percentile) * scale.Parts / 100
	}
	out.MarginPercent, out.MinChangePercent = int64(e.MarginPercent), int64(e.MinChangePercent)
	out.Confidence = time.Duration(e.ConfidenceHours) * time.Hour
	return out
}
