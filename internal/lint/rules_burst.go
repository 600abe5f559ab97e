package lint

import (
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// amplePercent of its request is a cpu limit that hardly ever stops a burst.
const amplePercent = 200

var burstRules = []Rule{
	{
		ID: "TM116", Name: "limit-equals-request", Severity: Warning,
		Why: "A cpu limit at the request stops the pods where their request ends, however much of the node is idle. What comes suddenly then " +
			"waits or is lost until pods are resized or started, and headroom has to be paid for all day that bursts would give for nothing.",
		Fix:   "Remove the cpu limit, or raise it to twice the request or more. A memory limit stays as it is.",
		Check: ofScalers(func(w *World, s *Scaler, found *Report) { checkBurst(w, s, found, false) }),
	},
	{
		ID: "TM117", Name: "limit-cuts-bursts", Severity: Info,
		Why: "With learn.headroom a pod may use what its node has left, and what nodes have left is measured. A cpu limit below twice the " +
			"request cuts that off; without one, the first seconds of a rise cost nothing.",
		Fix:   "Remove the cpu limit, or raise it to twice the request or more. A memory limit stays as it is.",
		Check: ofScalers(func(w *World, s *Scaler, found *Report) { checkBurst(w, s, found, true) }),
	},
	{
		ID: "TM118", Name: "limit-hides-demand", Severity: Info,
		Why: "A cpu limit at the request throttles the pods as soon as they need more, and the usage that the autoscaler sees ends there too: of " +
			"a burst of any size it sees 100 %, and adds few pods at a time while the rest waits.",
		Fix:   "Remove the cpu limit, or raise it to twice the request or more. A memory limit stays as it is.",
		Check: ofScalers(checkHidden),
	},
}

// checkHidden passes over targets that the limits keep out of reach altogether,
// which is another rule's, and over objects that measure headroom.
func checkHidden(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil || !s.counts || !s.acts() || s.own != nil && s.own.headroom {
		return
	}
	for _, m := range s.effective() {
		if r, ok := m.resource(); !ok || r != scale.CPU || m.Utilization == nil || *m.Utilization < 1 {
			continue
		}
		of, ok := w.sumOf(t, &m, scale.CPU)
		if !ok || of.requests <= 0 || of.limits > of.requests || s.outOfReach(&m) {
			continue
		}
		found.Add(s.Object, m.targetAt, "sees at most 100 %% because the cpu limits of %s %s are its requests: one look adds at most %d %% of the pods",
			t.Kind, t.Name, 100*100 / *m.Utilization - 100)
	}
}

// outOfReach tells whether a share of the requests that are the limits is so high
// that usage can hardly pass it.
func (s *Scaler) outOfReach(m *Metric) bool {
	return *m.Utilization*(scale.Parts+s.tolerance(s.Up)) >= 100*scale.Parts
}

// checkBurst looks at the limits of containers whose headroom is measured: those
// that leave nothing, or those that leave little.
func checkBurst(w *World, s *Scaler, found *Report, little bool) {
	t := w.pods(s)
	if t == nil || s.own == nil || !s.own.headroom {
		return
	}
	report := func(what string, request, limit *scale.Amount) {
		if request == nil || limit == nil || *request <= 0 || *limit >= request.Share(amplePercent, 100) {
			return
		}
		switch leaves := *limit > *request; {
		case leaves && little:
			found.Add(s.Object, "spec.learn.headroom", "%s of %s %s may use %s of cpu, less than twice the %s that it requests",
				what, t.Kind, t.Name, *limit, *request)
		case !leaves && !little:
			found.Add(s.Object, "spec.learn.headroom", "%s of %s %s has a cpu limit of %s, which is all that it requests", what, t.Kind, t.Name, *limit)
		}
	}
	if t.Pod.Limits[scale.CPU] != nil && s.measuresHeadroom("") {
		report("the pod", t.Pod.Requests[scale.CPU], t.Pod.Limits[scale.CPU])
		return
	}
	for i := range t.Containers {
		if c := &t.Containers[i]; s.measuresHeadroom(c.Name) {
			report("container "+c.Name, w.request(t, c, scale.CPU), w.limit(t, c, scale.CPU))
		}
	}
}

// measuresHeadroom tells whether the headroom of a container's cpu is measured: by
// a metric without a target, or because there are no metrics.
func (s *Scaler) measuresHeadroom(container string) bool {
	return len(s.Metrics) == 0 || slices.ContainsFunc(s.Metrics, func(m Metric) bool {
		r, ok := m.resource()
		return ok && r == scale.CPU && !m.bound() && (m.Container == "" || m.Container == container)
	})
}
