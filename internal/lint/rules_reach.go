package lint

import (
	"math/big"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

var reachRules = []Rule{
	{
		ID: "TM050", Name: "target-out-of-reach", Severity: Error,
		Why: "The limits stop the pods before they reach the target, so the metric can never ask for another pod. With a limit equal to the " +
			"request, that is any utilization of 100 % and more.",
		Fix:   "Lower the target, or raise or remove the limit.",
		Check: ofScalers(func(w *World, s *Scaler, found *Report) { checkReach(w, s, found, true) }),
	},
	{
		ID: "TM051", Name: "target-too-near-limit", Severity: Warning,
		Why: "Usage must exceed the target by the tolerance, usually a tenth, before a pod is added. The limits stop the pods within that " +
			"tenth, so the metric can hardly ever ask for one.",
		Fix:   "Lower the target until the limit is well above it and the tolerance, or state a smaller tolerance.",
		Check: ofScalers(func(w *World, s *Scaler, found *Report) { checkReach(w, s, found, false) }),
	},
}

// ceiling is what a metric compares: the target, and the most it can measure.
// Both are products, so that shares of requests stay exact.
type ceiling struct {
	target, most *big.Int
	at           fault.Path
}

func checkReach(w *World, s *Scaler, found *Report, never bool) {
	t := w.pods(s)
	if t == nil {
		return
	}
	for _, m := range s.effective() {
		r, ok := m.resource()
		if !ok {
			continue
		}
		c, ok := w.ceilingOf(t, &m, r)
		if !ok {
			continue
		}
		// Scaling up starts above target x (1 + tolerance).
		start := product(scale.Parts+s.tolerance(s.Up), 1)
		start.Mul(start, c.target)
		most := new(big.Int).Mul(c.most, big.NewInt(scale.Parts))
		switch {
		case c.target.Cmp(c.most) >= 0:
			if never {
				found.Add(s.Object, c.at, "is at or above what the limits of %s %s allow: %s usage cannot pass it", t.Kind, t.Name, r)
			}
		case start.Cmp(most) >= 0 && !never:
			found.Add(s.Object, c.at, "with its tolerance is at or above what the limits of %s %s allow", t.Kind, t.Name)
		}
	}
}

// ceilingOf compares the target of a metric with the limits of what it
// measures. Without a limit anything can be reached.
func (w *World) ceilingOf(t *Workload, m *Metric, r scale.Resource) (ceiling, bool) {
	of, ok := w.sumOf(t, m, r)
	if !ok {
		return ceiling{}, false
	}
	switch {
	case m.Utilization != nil && of.requests > 0:
		return ceiling{product(*m.Utilization, int64(of.requests)), product(100, int64(of.limits)), m.targetAt}, true
	case m.Average != nil:
		return ceiling{product(int64(*m.Average), 1), product(int64(of.limits), 1), m.targetAt}, true
	case m.High != nil && m.TargetType == "Utilization" && of.requests > 0:
		return ceiling{product(int64(*m.High), int64(of.requests)), product(100*int64(scale.Thousand), int64(of.limits)), m.targetAt}, true
	case m.High != nil && m.TargetType == "AverageValue":
		return ceiling{product(int64(*m.High), 1), product(int64(of.limits), 1), m.targetAt}, true
	}
	return ceiling{}, false
}

// sums are what containers ask for and may use, all together.
type sums struct{ requests, limits scale.Amount }

// sumOf adds up the containers that a metric measures. It is not ok where one
// of them states too little.
func (w *World) sumOf(t *Workload, m *Metric, r scale.Resource) (sums, bool) {
	whole := m.Type == "Resource"
	switch pod := t.Pod; {
	case whole && pod.Limits[r] != nil && pod.Requests[r] != nil:
		return sums{*pod.Requests[r], *pod.Limits[r]}, true
	case whole && pod.Limits[r] != nil:
		return sums{*pod.Limits[r], *pod.Limits[r]}, true
	case whole && pod.Requests[r] != nil:
		return sums{}, false
	}
	var out sums
	measured := false
	for i := range t.Containers {
		c := &t.Containers[i]
		if !whole && c.Name != m.Container {
			continue
		}
		request, limit := w.request(t, c, r), w.limit(t, c, r)
		if limit == nil || request == nil {
			return sums{}, false
		}
		out, measured = sums{out.requests.Add(*request), out.limits.Add(*limit)}, true
	}
	return out, measured
}

func product(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }
