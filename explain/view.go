package explain

import "github.com/tidemark/tidemark/scale"

// View is a decision as JSON: the form the command line prints and the status
// keeps. Its fields are API.
type View struct {
	From         SizeView     `json:"from"`
	Want         SizeView     `json:"want"`
	Proposed     SizeView     `json:"proposed"`
	Steps        []StepView   `json:"steps"`
	Reason       scale.Reason `json:"reason"`
	LimitedBy    scale.Reason `json:"limitedBy,omitempty"`
	RecheckAfter string       `json:"recheckAfter"`
	Tuning       *TuningView  `json:"tuning,omitempty"`
}

// TuningView is what to set of an existing HPA.
type TuningView struct {
	// MinReplicas and MaxReplicas left out are no opinion.
	MinReplicas *int32 `json:"minReplicas,omitempty"`
	MaxReplicas *int32 `json:"maxReplicas,omitempty"`
	// Targets are in percent of the request, by container and resource.
	Targets map[string]map[string]int32 `json:"targets,omitempty"`
}

// SizeView is a size: the count, what each container requests, and where it
// has limits, those.
type SizeView struct {
	Replicas   int32                        `json:"replicas"`
	Containers map[string]map[string]string `json:"containers,omitempty"`
	Limits     map[string]map[string]string `json:"limits,omitempty"`
}

// StepView is one step in words.
type StepView struct {
	Stage   scale.Stage  `json:"stage"`
	Reason  scale.Reason `json:"reason"`
	In      SizeView     `json:"in"`
	Out     SizeView     `json:"out"`
	Message string       `json:"message"`
	Metric  *MetricView  `json:"metric,omitempty"`
}

// MetricView holds the numbers of a metric's step.
type MetricView struct {
	Name  string         `json:"name"`
	Type  string         `json:"type,omitempty"`
	Value string         `json:"value,omitempty"`
	Low   string         `json:"low,omitempty"`
	High  string         `json:"high,omitempty"`
	Pods  *PodCountsView `json:"pods,omitempty"`
}

// PodCountsView tells how the pods were grouped.
type PodCountsView struct {
	Counted  int32 `json:"counted"`
	Unready  int32 `json:"unready,omitempty"`
	Missing  int32 `json:"missing,omitempty"`
	Unusable int32 `json:"unusable,omitempty"`
	Ignored  int32 `json:"ignored,omitempty"`
}

// ViewOf returns the decision in its JSON form.
func ViewOf(d scale.Decision) View {
	v := View{
		From: viewSize(d.From), Want: viewSize(d.Want), Proposed: viewSize(d.Proposed),
		Steps: make([]StepView, len(d.Steps)), Reason: d.Reason, LimitedBy: d.LimitedBy,
		RecheckAfter: d.RecheckAfter.String(), Tuning: viewTuning(d.Tuning),
	}
	for i, s := range d.Steps {
		v.Steps[i] = StepView{
			Stage: s.Stage, Reason: s.Reason, In: viewSize(s.In), Out: viewSize(s.Out),
			Message: Message(s), Metric: viewMetric(s.Metric),
		}
	}
	return v
}

func viewTuning(t *scale.Tuning) *TuningView {
	if t == nil {
		return nil
	}
	v := &TuningView{MinReplicas: t.Min, MaxReplicas: t.Max}
	for _, target := range t.Targets {
		if v.Targets == nil {
			v.Targets = map[string]map[string]int32{}
		}
		if v.Targets[target.Container] == nil {
			v.Targets[target.Container] = map[string]int32{}
		}
		v.Targets[target.Container][target.Resource.String()] = target.Percent
	}
	return v
}

func viewSize(s scale.Size) SizeView {
	v := SizeView{Replicas: s.Replicas}
	for _, c := range s.Containers {
		if v.Containers == nil {
			v.Containers = map[string]map[string]string{}
		}
		v.Containers[c.Name] = viewResources(c.Requests)
		if !c.Limits.Empty() {
			if v.Limits == nil {
				v.Limits = map[string]map[string]string{}
			}
			v.Limits[c.Name] = viewResources(c.Limits)
		}
	}
	return v
}

func viewResources(all scale.Resources) map[string]string {
	out := map[string]string{}
	for _, r := range scale.EveryResource {
		if a, ok := all.Get(r); ok {
			out[r.String()] = r.Format(a)
		}
	}
	return out
}

func viewMetric(m *scale.MetricFacts) *MetricView {
	if m == nil {
		return nil
	}
	v := &MetricView{Name: m.Name}
	if m.Index >= 0 {
		v.Type = valueType(m).String()
	}
	if banded(m) {
		v.Low, v.High = amount(m, m.Band.Low), amount(m, m.Band.High)
	}
	if m.Known {
		v.Value = amount(m, m.Value)
	}
	if m.Pods != (scale.PodCounts{}) {
		v.Pods = &PodCountsView{
			Counted: m.Pods.Counted, Unready: m.Pods.Unready, Missing: m.Pods.Missing,
			Unusable: m.Pods.Unusable, Ignored: m.Pods.Ignored,
		}
	}
	return v
}
