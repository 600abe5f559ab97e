package lint

import "github.com/tidemark/tidemark/scale"

var verticalRules = []Rule{
	{
		ID: "TM080", Name: "size-bounds-contradict", Severity: Error,
		Why:   "The smallest request allowed is above the largest. The webhook refuses the object, or where there is none, one bound is ignored.",
		Fix:   "Make the minimum the smaller one.",
		Check: ofScalers(checkSizeBounds),
	},
	{
		ID: "TM081", Name: "vpa-mode-auto", Severity: Warning, Fixable: true,
		Why: "The mode Auto is deprecated. It means Recreate today, and may come to mean something else.",
		Fix: "Write Recreate, which is the same, and --fix does; or InPlaceOrRecreate, which spares most restarts.",
		Check: ofScalers(func(_ *World, s *Scaler, found *Report) {
			if s.Family == VPA && s.sizes.Mode == "Auto" {
				found.Add(s.Object, s.sizes.Path, "is Auto, which is deprecated").edit(s.Object, Edit{Old: "Auto", New: "Recreate"})
			}
		}),
	},
	{
		ID: "TM082", Name: "single-pod-never-resized", Severity: Warning,
		Why:   "A VPA evicts a pod only where at least two run, unless told otherwise. This workload has one, so its requests change only when somebody restarts it.",
		Fix:   "Set updatePolicy.minReplicas: 1 if a short interruption is acceptable, or use InPlaceOrRecreate, or run two pods.",
		Check: ofScalers(checkLonePod),
	},
}

// checkSizeBounds leaves WorkloadAutoscalers to their own compiler.
func checkSizeBounds(_ *World, s *Scaler, found *Report) {
	if s.sizes == nil || s.Family == Tidemark {
		return
	}
	for _, p := range s.sizes.Policies {
		for _, r := range scale.EveryResource {
			if p.Min[r] != nil && p.Max[r] != nil && *p.Min[r] > *p.Max[r] {
				found.Add(s.Object, p.minAt.Field(r.String()), "is above the maximum: %s > %s", r.Format(*p.Min[r]), r.Format(*p.Max[r]))
			}
		}
	}
}

func checkLonePod(w *World, s *Scaler, found *Report) {
	t := w.target(s)
	if s.Family != VPA || !s.sizes.evicts || t == nil || t.Replicas == nil || *t.Replicas != 1 || w.most(t) > 1 {
		return
	}
	if s.sizes.least == nil || *s.sizes.least > 1 {
		found.Add(s.Object, s.Target.Path, "%s %s has one pod, and the VPA evicts none below two", t.Kind, t.Name)
	}
}
