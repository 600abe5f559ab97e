package manifest

import (
	"github.com/tidemark/tidemark/fault"
)

// Warnings are what is allowed and may still surprise: what could not be
// checked, what has no effect, and what an older cluster does not know.
func (a Autoscaler) Warnings(kind Kind) fault.List {
	a = a.complete()
	var out fault.List
	a.unchecked(&out)
	if a.Target.replicas != nil {
		out.Add("target", "states replicas: %d, which undoes the autoscaler's work each time it is applied: remove it", *a.Target.replicas)
	}
	if a.MinReplicas != nil && *a.MinReplicas == a.MaxReplicas {
		out.Add("minReplicas", "equals maxReplicas: the count is pinned, and no metric can change it")
	}
	for _, d := range a.directions() {
		if d.disabled() && len(d.policies) > 0 {
			out.Add(fault.Path(d.field+"Policies"), "have no effect: %s.selectPolicy is Disabled", d.field)
		}
		if kind == HorizontalPodAutoscaler && d.rules != nil && d.rules.Tolerance != nil {
			out.Add(fault.Path(d.field).Field("tolerance"), "needs Kubernetes 1.35 or later: older clusters drop it unless a feature gate is on")
		}
	}
	if kind == HorizontalPodAutoscaler && a.MinReplicas != nil && *a.MinReplicas == 0 {
		out.Add("minReplicas", "0 needs Kubernetes 1.37 or later: older clusters refuse it unless the gate HPAScaleToZero is on")
	}
	return out
}

// unchecked warns of metrics that need requests nobody has shown.
func (a Autoscaler) unchecked(out *fault.List) {
	if a.Target.template != nil {
		return
	}
	const message = "needs requests on the target's containers, which could not be checked: the target is only a reference"
	if len(a.Metrics) == 0 && !a.sized() {
		out.Add("metrics", "is left out, which means cpu at 80 %% of the requests, and %s", message)
	}
	for i, m := range a.Metrics {
		if m.asksForRequests() {
			out.Add(fault.Path("metrics").Index(i), "%s", message)
		}
	}
}
