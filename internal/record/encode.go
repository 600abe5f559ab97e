package record

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// unusable is how a reading is written that there was and that nobody could
// use: what exactly the source said is not known any more.
const unusable Reading = "NaN"

// Encode returns a call as one line of JSON that Decode reads as the same call.
// The administrator's settings are those it was compiled under.
func Encode(c Call, admin v1alpha1.AdminSettings) ([]byte, error) {
	doc := Document{Spec: c.Spec, Admin: admin, Memory: c.Memory, Observation: Observation{
		At:              c.Observation.At,
		Target:          targetDocument(c.Observation.Target),
		Pods:            podDocuments(c.Observation.Pods),
		Metrics:         metricDocuments(c.Observation, c.Policy.Horizontal.Metrics),
		Recommendations: recommendedDocument(c.Observation),
		Learned:         learnedDocument(c.Observation.Learned),
		HPA:             hpaDocument(c.Observation.HPA),
		Room:            roomDocument(c.Observation.Room),
		Capacity:        capacityDocument(c.Observation.Capacity),
	}}
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(doc); err != nil {
		return nil, fmt.Errorf("encoding the document: %w", err)
	}
	return line.Bytes(), nil
}

func targetDocument(t scale.Target) Target {
	out := Target{SpecReplicas: &t.SpecReplicas, StatusReplicas: &t.StatusReplicas}
	out.Containers, out.Template = containerDocuments(t.Containers), containerDocuments(t.Template)
	return out
}

func containerDocuments(all []scale.Container) (out []Container) {
	for _, c := range all {
		out = append(out, Container{Name: c.Name, Requests: stated(c.Requests), Limits: stated(c.Limits)})
	}
	return out
}

// stated writes amounts that someone stated.
func stated(rs scale.Resources) Resources {
	text := func(r scale.Resource) Quantity {
		if a, ok := rs.Get(r); ok {
			return Quantity(r.Format(a))
		}
		return ""
	}
	return Resources{CPU: text(scale.CPU), Memory: text(scale.Memory)}
}

// measured writes amounts that someone measured.
func measured(rs scale.Resources) Usage {
	text := func(r scale.Resource) Reading {
		a, ok := rs.Get(r)
		switch {
		case rs.Unusable(r):
			return unusable
		case ok:
			return Reading(r.Format(a))
		}
		return ""
	}
	return Usage{CPU: text(scale.CPU), Memory: text(scale.Memory)}
}

func podDocuments(pods []scale.Pod) []Pod {
	if pods == nil {
		return nil
	}
	out := make([]Pod, len(pods))
	for i := range pods {
		p := &pods[i]
		out[i] = Pod{
			Name: p.Name, Phase: phaseWord(p.Phase), ReadyChangedAt: p.ReadyChangedAt, StartedAt: p.StartedAt, Deleting: p.Deleting,
			RestartedAt: p.RestartedAt, Waiting: p.Waiting, Pending: p.Pending, PendingSince: p.PendingSince,
			Requests: stated(p.Requests), InForce: stated(p.InForce), ResizeSince: p.ResizeSince, OutOfMemoryAt: p.OutOfMemoryAt, UsageAt: p.UsageAt,
			UsageWindow: Duration(p.UsageWindow), Boosted: p.Boosted, BoostEnds: p.BoostEnds,
		}
		switch p.Ready {
		case scale.ReadinessUnknown:
			out[i].Readiness = "Unknown"
		case scale.ReadinessAbsent:
			out[i].Readiness = "Absent"
		default:
			out[i].Ready = new(p.Ready == scale.Ready)
		}
		for _, c := range p.Containers {
			out[i].Containers = append(out[i].Containers, PodContainer{
				Name: c.Name, Requests: stated(c.Requests), Limits: stated(c.Limits), InForce: stated(c.InForce), LimitsInForce: stated(c.LimitsInForce),
				Resize: c.Resize.String(), Restarts: c.Restarts, Usage: measured(c.Usage),
			})
		}
	}
	return out
}

func phaseWord(phase scale.Phase) string {
	return [...]string{scale.Running: "Running", scale.Pending: "Pending", scale.Succeeded: "Succeeded", scale.Failed: "Failed",
		scale.UnknownPhase: "Unknown"}[phase]
}

func metricDocuments(obs scale.Observation, metrics []horizontal.Metric) []Metric {
	out := make([]Metric, min(len(horizontal.Measured(metrics)), len(obs.Samples)))
	for i := range out {
		s, kind := &obs.Samples[i], metrics[i].Kind
		switch {
		case kind == horizontal.Pods:
			out[i] = Metric{Samples: sampleDocuments(s, obs.Pods), At: s.At}
		case kind.PerPod():
			// Metrics of resources are the usage of the pods.
		default:
			out[i] = Metric{Series: make([]Reading, len(s.Series)), At: s.At}
			for j, a := range s.Series {
				out[i].Series[j] = Reading(a.String())
			}
			if metrics[i].BySource && s.Target != 0 {
				out[i].Target = Reading(s.Target.String())
			}
			if s.Activity != scale.Unsaid {
				out[i].Active = new(s.Activity == scale.Active)
			}
		}
		if s.Problem != "" {
			out[i] = Metric{Error: s.Problem, At: out[i].At}
		}
	}
	return out
}

// sampleDocuments gives the values of a Pods metric the names of their pods.
// Where pods were not listed, and for pods that are not the target's, the names
// are made up: only how many there are matters.
func sampleDocuments(s *scale.Sample, pods []scale.Pod) map[string]Reading {
	out := map[string]Reading{}
	for i, v := range s.PerPod {
		name := fmt.Sprintf("pod-%05d", i)
		if i < len(pods) {
			name = pods[i].Name
		}
		switch {
		case v.Unusable:
			out[name] = unusable
		case v.Known:
			out[name] = Reading(v.Value.String())
		}
	}
	for i, a := range s.Strangers {
		out[fmt.Sprintf("stranger %05d", i)] = Reading(a.String())
	}
	return out
}

func recommendedDocument(obs scale.Observation) *Recommendations {
	if obs.Requested == nil && obs.Recommended == nil && obs.Unrecommended == "" {
		return nil
	}
	out := &Recommendations{Replicas: obs.Requested, Error: obs.Unrecommended}
	for _, r := range obs.Recommended {
		out.Containers = append(out.Containers, ContainerRecommendation{Name: r.Container, Target: stated(r.PerPod), Total: stated(r.Total)})
	}
	return out
}

func learnedDocument(l *scale.Learned) *Learned {
	if l == nil {
		return nil
	}
	out := &Learned{Tuned: l.Tuned, StartUp: Duration(l.StartUp)}
	if l.Min > 0 {
		out.MinReplicas = &l.Min
	}
	if l.Max > 0 {
		out.MaxReplicas = &l.Max
	}
	out.Targets = targetDocuments(l.Targets)
	for _, p := range l.Peaks {
		out.Peaks = append(out.Peaks, LearnedPeak{Container: p.Container, Resource: p.Resource.String(), Percent: p.Percent, Under: p.Under, Days: p.Days})
	}
	for _, h := range l.Headroom {
		one := LearnedHeadroom{
			Container: h.Container, Resource: h.Resource.String(), Extra: Quantity(h.Resource.Format(h.Headroom)), Full: h.Full,
			Within: Duration(h.Within), Risk: Quantity(fmt.Sprintf("%dn", h.Risk)),
		}
		if h.Expected != 0 {
			one.Expected = Quantity(h.Resource.Format(h.Expected))
		}
		if h.Ceiling != 0 {
			one.Ceiling = Quantity(h.Resource.Format(h.Ceiling))
		}
		if h.PerPod != 0 {
			one.PerPod = Quantity(h.Resource.Format(h.PerPod))
		}
		one.Demand, one.Room = likelyDocuments(h.Demand), likelyDocuments(h.Room)
		out.Headroom = append(out.Headroom, one)
	}
	return out
}

func likelyDocuments(all []scale.Likely) (out []Likely) {
	for _, one := range all {
		out = append(out, Likely{Amount: Quantity(scale.CPU.Format(one.Amount)), Chance: one.Chance})
	}
	return out
}

func targetDocuments(all []scale.LearnedTarget) map[string]LearnedTarget {
	var out map[string]LearnedTarget
	for _, t := range all {
		if out == nil {
			out = map[string]LearnedTarget{}
		}
		both := out[t.Container]
		if t.Resource == scale.CPU {
			both.CPU = &t.Percent
		} else {
			both.Memory = &t.Percent
		}
		out[t.Container] = both
	}
	return out
}

func hpaDocument(h *scale.HPA) *HPA {
	if h == nil {
		return nil
	}
	return &HPA{MinReplicas: &h.Min, MaxReplicas: &h.Max, Targets: targetDocuments(h.Targets), Untuned: h.Untuned}
}
