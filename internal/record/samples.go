package record

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// samples turns the metrics' entries into samples. Entries may be fewer than
// the metrics: the rest is missing.
func samples(faults *fault.List, path fault.Path, o *Observation, metrics []horizontal.Metric) []scale.Sample {
	metrics = horizontal.Measured(metrics)
	if len(o.Metrics) > len(metrics) {
		faults.Add(path.Index(len(metrics)), "belongs to no metric: there are %d entries, and metrics in the spec: %d", len(o.Metrics), len(metrics))
		return nil
	}
	out := make([]scale.Sample, len(o.Metrics))
	for i := range o.Metrics {
		m, kind := &o.Metrics[i], metrics[i].Kind
		m.fits(faults, path.Index(i), kind)
		switch {
		case m.Error != "":
			out[i].Problem = m.Error
		case kind == horizontal.Pods:
			out[i] = m.perPod(o.Pods)
		case !kind.PerPod():
			out[i] = m.total()
		}
		out[i].At = m.At
	}
	return out
}

var kindNames = [...]string{
	horizontal.Resource: "Resource", horizontal.ContainerResource: "ContainerResource",
	horizontal.Pods: "Pods", horizontal.Object: "Object", horizontal.External: "External",
}

// fits refuses fields that a metric of the kind would not look at.
func (m *Metric) fits(faults *fault.List, path fault.Path, kind horizontal.Kind) {
	total := !kind.PerPod()
	advice := "its samples are the usage of the pods"
	switch {
	case total:
		advice = "give a value or a series"
	case kind == horizontal.Pods:
		advice = "give samples by the pods' names"
	}
	for _, f := range []struct {
		name     string
		set, may bool
	}{
		{"value", m.Value != "", total},
		{"series", m.Series != nil, total},
		{"samples", m.Samples != nil, kind == horizontal.Pods},
		{"at", !m.At.IsZero(), total || kind == horizontal.Pods},
	} {
		if f.set && !f.may {
			faults.Add(path.Field(f.name), "does not belong to a metric of type %s: %s", kindNames[kind], advice)
		}
	}
	if m.Value != "" && m.Series != nil {
		faults.Add(path, "has both value and series: keep one of them")
	}
	if m.Error != "" && (m.Value != "" || m.Series != nil || m.Samples != nil) {
		faults.Add(path.Field("error"), "stands beside an answer: keep one of them")
	}
}

// total is the sample of an Object or External metric. One value that cannot
// be used would make the sum a guess, so the whole sample is refused.
func (m *Metric) total() scale.Sample {
	if m.Value != "" {
		amount, err := m.Value.amount()
		if err != nil {
			return scale.Sample{Problem: fmt.Sprintf("the source's value is unusable: %v", err)}
		}
		return scale.Sample{Series: []scale.Amount{amount}}
	}
	series := make([]scale.Amount, len(m.Series))
	for i, reading := range m.Series {
		amount, err := reading.amount()
		if err != nil {
			return scale.Sample{Problem: fmt.Sprintf("value %d of the source's %d is unusable: %v", i+1, len(m.Series), err)}
		}
		series[i] = amount
	}
	return scale.Sample{Series: series}
}

// perPod is the sample of a Pods metric: its values joined to the pods by
// name. Values go in the order of names where there is no other, so that equal
// documents make equal samples.
func (m *Metric) perPod(pods []Pod) scale.Sample {
	var out scale.Sample
	place := map[string]int{}
	if pods != nil {
		out.PerPod = make([]scale.PodValue, len(pods))
	}
	for i := range pods {
		place[pods[i].Name] = i
	}
	for _, name := range slices.Sorted(maps.Keys(m.Samples)) {
		amount, err := m.Samples[name].amount()
		value := scale.PodValue{Value: amount, Known: err == nil, Unusable: err != nil}
		i, ours := place[name]
		switch {
		case pods == nil:
			out.PerPod = append(out.PerPod, value)
		case ours:
			out.PerPod[i] = value
		case value.Known:
			out.Strangers = append(out.Strangers, amount)
		}
	}
	return out
}
