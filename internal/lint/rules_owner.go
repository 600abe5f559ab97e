package lint

import (
	"slices"

	"github.com/tidemark/tidemark/scale"
)

var ownerRules = []Rule{
	{
		ID: "TM030", Name: "two-owners", Severity: Error,
		Why:   "Two autoscalers write the same field of one workload. Each undoes the other's work, and the count or the requests go back and forth forever.",
		Fix:   "Keep one of them. Several metrics fit into one autoscaler.",
		Check: func(w *World, found *Report) { w.conflicts(found, false) },
	},
	{
		ID: "TM031", Name: "keda-beside-hpa", Severity: Error,
		Why: "KEDA makes an HPA of its own for each ScaledObject. Beside it, another HPA on the same workload fights with it, and KEDA's " +
			"webhook refuses the ScaledObject.",
		Fix: "Move the HPA's metrics into triggers and remove the HPA, or let KEDA adopt it: name it in " +
			"advanced.horizontalPodAutoscalerConfig.name and set the annotation scaledobject.keda.sh/transfer-hpa-ownership.",
		Check: func(w *World, found *Report) { w.conflicts(found, true) },
	},
	{
		ID: "TM032", Name: "hpa-and-vpa-one-resource", Severity: Error,
		Why: "One autoscaler scales by a share of the requests while another changes those requests. Larger requests make the share smaller, so " +
			"pods are removed, so the rest need larger requests: a loop.",
		Fix:   "Let the vertical one control the other resource only (controlledResources), or scale by averageValue or by a metric of the work itself.",
		Check: checkSharedResource,
	},
	{
		ID: "TM033", Name: "hvpa-one-resource", Severity: Warning,
		Why:   "Both halves of the Hvpa are on and react to the same resource, without weights that divide the work. The result depends on which one was first.",
		Fix:   "State weightBasedScalingIntervals, or let the HPA half use another metric.",
		Check: ofScalers(checkHvpa),
	},
}

// makers are the kinds of autoscalers that make others. What they make is
// looked at through them.
var makers = map[string]bool{"ScaledObject": true, "Hvpa": true, "Tortoise": true, "WorkloadAutoscaler": true}

// conflicts reports each autoscaler that shares its target with an earlier one.
func (w *World) conflicts(found *Report, keda bool) {
	for _, s := range w.scalers {
		group := w.acting[s.targetPlace()]
		// One that does not act itself has no conflicts.
		for _, other := range group[:max(0, slices.Index(group, s))] {
			pair := s.Family == KEDA && other.Family == HPA || s.Family == HPA && other.Family == KEDA
			if pair == keda && clash(s, other) {
				found.Add(s.Object, s.Target.Path, "%s %s is scaled by %s too", s.Target.Kind, s.Target.Name, other.title())
				break
			}
		}
	}
}

// clash tells whether two autoscalers write the same. Two documents with one
// kind and name are variants of one object, two of one kind in files of a folder
// that say nothing of where they go are to choose from, and partners work together.
func clash(a, b *Scaler) bool {
	unbound := a.Namespace == "" && a.File != b.File && a.origin == nil
	switch {
	case a.Family == b.Family && (a.Name == b.Name || unbound):
		return false
	case a.partner.Name != "" && a.partner.Family == b.Family || b.partner.Name != "" && b.partner.Family == a.Family:
		return false
	}
	sized := func(s *Scaler) bool { return s.sizes != nil && !s.sizes.passive }
	return a.counts && b.counts || sized(a) && sized(b)
}

func checkSharedResource(w *World, found *Report) {
	for _, v := range w.scalers {
		group := w.acting[v.targetPlace()]
		if v.sizes == nil || v.counts || !slices.Contains(group, v) {
			continue
		}
		for _, h := range group {
			if r, ok := w.shared(h, v); ok && h.counts {
				found.Add(v.Object, v.Target.Path, "changes the %s requests that %s measures by", r, h.title())
				break
			}
		}
	}
}

// shared is a resource that one scaler takes a share of and the other changes.
func (w *World) shared(h, v *Scaler) (scale.Resource, bool) {
	for _, m := range h.effective() {
		r, ok := m.resource()
		if ok && m.relative() && v.sizes.changes(w.measured(h, &m), r) {
			return r, true
		}
	}
	return 0, false
}

// measured are the containers that a metric measures, nil where they are not
// known.
func (w *World) measured(s *Scaler, m *Metric) []string {
	if m.Type == "ContainerResource" {
		return []string{m.Container}
	}
	t := w.pods(s)
	if t == nil {
		return nil
	}
	var out []string
	for i := range t.Containers {
		out = append(out, t.Containers[i].Name)
	}
	return out
}

func checkHvpa(w *World, s *Scaler, found *Report) {
	if s.hvpa == nil || !s.counts || s.sizes == nil || s.hvpa.weighted {
		return
	}
	if r, ok := w.shared(s, s); ok {
		found.Add(s.Object, s.metricsAt, "react to %s, and so does the VPA half", r)
	}
}
