package lint

import (
	"slices"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

var boundsRules = []Rule{
	{
		ID: "TM010", Name: "bounds-contradict", Severity: Error,
		Why: "Bounds that contradict each other, or a maximum below one, are refused by the API server or by the autoscaler's controller. The " +
			"workload then keeps whatever count it has.",
		Fix:   "State a maximum of at least 1 and a minimum that is not above it.",
		Check: ofScalers(checkBounds),
	},
	{
		ID: "TM011", Name: "min-equals-max", Severity: Warning,
		Why:   "The count is pinned. No metric can change it, so the autoscaler only costs queries and hides that nothing scales.",
		Fix:   "Raise the maximum, or remove the autoscaler and state the replicas in the workload.",
		Check: ofScalers(checkPinned),
	},
	{
		ID: "TM012", Name: "zero-without-wakeup", Severity: Error,
		Why: "Pods that do not run use no CPU and no memory, so nothing could ever wake the workload up again. The API server refuses such an " +
			"HPA, and KEDA's webhook such a ScaledObject.",
		Fix:   "Add a metric that exists without pods (Object, External, or a KEDA trigger beside cpu and memory), or raise the minimum to 1.",
		Check: ofScalers(checkZero),
	},
	{
		ID: "TM013", Name: "single-replica", Severity: Info,
		Why:   "At its minimum the workload has a single pod. While that pod is moved, restarted or rolled out, nothing serves, and no disruption budget can help.",
		Fix:   "Raise the minimum to 2 where an interruption would be noticed.",
		Check: ofScalers(checkSingle),
	},
	{
		ID: "TM014", Name: "ceil-trap", Severity: Warning,
		Why: "Counts are rounded up. Between 1 and 2 pods that means: a little above the target the count doubles at once, and it comes back " +
			"only when the average falls to half of the target. With any base load it never does.",
		Fix:   "Let the range start at 2, or use watermarks, which say both marks themselves.",
		Check: ofScalers(checkCeiling),
	},
	{
		ID: "TM015", Name: "step-above-max", Severity: Warning,
		Why:   "Counts are rounded up to a multiple of the step. The first multiple lies above the maximum, so any change goes straight to the maximum.",
		Fix:   "Choose a step that fits several times between the bounds.",
		Check: ofScalers(checkStep),
	},
	{
		ID: "TM016", Name: "fallback-outside-bounds", Severity: Warning,
		Why:   "The count to fall back to without data lies outside the bounds. The bounds count afterward, so the workload gets another count than the one stated.",
		Fix:   "Choose a count between the minimum and the maximum.",
		Check: ofScalers(checkFallback),
	},
	{
		ID: "TM017", Name: "max-above-quota", Severity: Warning,
		Why: "At its maximum this workload alone asks for more than the namespace's ResourceQuota allows. The last pods are refused, just when " +
			"they are needed, and only events of the ReplicaSet say so.",
		Fix:   "Raise the quota, or lower the maximum or the requests.",
		Check: ofScalers(checkQuota),
	},
}

// checkQuota compares what the maximum asks for with each quota of the namespace.
func checkQuota(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil || !s.counts || s.Max == nil || *s.Max < 1 {
		return
	}
	for _, q := range w.quotasOf[t.scope] {
		if !w.together(q.Object, t.Object) || !w.together(q.Object, s.Object) {
			continue
		}
		if pods := scale.Thousand.Times(*s.Max); q.Pods != nil && pods > *q.Pods {
			found.Add(s.Object, s.maxAt, "is %d, and %s allows %s pods", *s.Max, q.title(), *q.Pods)
			continue
		}
		for _, r := range scale.EveryResource {
			requests, limits := w.podSum(t, r, w.request), w.podSum(t, r, w.limit)
			if all := requests.Times(*s.Max); q.Requests[r] != nil && all > *q.Requests[r] {
				found.Add(s.Object, s.maxAt, "is %d: together they request %s of %s, and %s allows %s", *s.Max, r.Format(all), r, q.title(), r.Format(*q.Requests[r]))
			} else if all := limits.Times(*s.Max); q.Limits[r] != nil && all > *q.Limits[r] {
				found.Add(s.Object, s.maxAt, "is %d: together their limits are %s of %s, and %s allows %s", *s.Max, r.Format(all), r, q.title(), r.Format(*q.Limits[r]))
			}
		}
	}
}

// podSum adds up what the containers of a pod have, or takes what the pod states.
func (w *World) podSum(t *Workload, r scale.Resource, of func(*Workload, *Container, scale.Resource) *scale.Amount) scale.Amount {
	if t.Pod.Requests[r] != nil || t.Pod.Limits[r] != nil {
		if stated := of(t, &t.Pod, r); stated != nil {
			return *stated
		}
		return 0
	}
	var sum scale.Amount
	for i := range t.Containers {
		if a := of(t, &t.Containers[i], r); a != nil {
			sum = sum.Add(*a)
		}
	}
	return sum
}

// checkBounds leaves WorkloadAutoscalers to their own compiler.
func checkBounds(_ *World, s *Scaler, found *Report) {
	switch {
	case !s.counts || s.Family == Tidemark:
	case s.Max != nil && *s.Max < 1:
		found.Add(s.Object, s.maxAt, "is %d: at least 1 pod must be allowed", *s.Max)
	case s.Min != nil && *s.Min < 0:
		found.Add(s.Object, s.minAt, "is %d: a count cannot be negative", *s.Min)
	case s.Min != nil && s.Max != nil && *s.Min > *s.Max:
		found.Add(s.Object, s.minAt, "is above the maximum: %d > %d", *s.Min, *s.Max)
	case s.Family == HPA && s.Max == nil && s.Target.Name != "" && len(s.wrong) == 0:
		found.Add(s.Object, s.maxAt, "is missing: an HPA must state its maximum")
	}
}

// checkPinned passes over objects that size pods, and over ScaledObjects with
// an idle count, which do something all the same.
func checkPinned(_ *World, s *Scaler, found *Report) {
	busy := s.sizes != nil || s.keda != nil && s.keda.idle != nil
	if s.counts && !busy && s.Max != nil && *s.Max == s.least() && *s.Max > 0 {
		found.Add(s.Object, s.maxAt, "is %d, and so is the minimum", *s.Max)
	}
}

func checkZero(_ *World, s *Scaler, found *Report) {
	if s.least() != 0 || s.Target.Name == "" {
		return
	}
	switch {
	case s.Family == KEDA && s.keda.triggers > 0 && !s.keda.wakes:
		found.Add(s.Object, s.minAt, "is 0, and every trigger needs pods that run")
	case s.Family == HPA && !s.seesWithoutPods():
		found.Add(s.Object, s.minAt, "is 0, and every metric needs pods that run")
	}
}

func (s *Scaler) seesWithoutPods() bool {
	return slices.ContainsFunc(s.Metrics, func(m Metric) bool { return m.Type == "Object" || m.Type == "External" })
}

// single tells whether one pod may be all there is. A Tortoise and an object
// that learns choose their minimum themselves.
func (s *Scaler) single() bool {
	learns := s.Family == Tortoise || s.own != nil && s.own.learns
	return s.counts && !learns && s.Target.Name != "" && s.least() == 1 && s.Max != nil && len(s.wrong) == 0
}

func checkSingle(_ *World, s *Scaler, found *Report) {
	// Who lets it go idle expects to be without a pod at times.
	if rests := s.keda != nil && s.keda.idle != nil && *s.keda.idle == 0; s.single() && *s.Max > 2 && !rests {
		found.Add(s.Object, s.minAt, "lets a single pod be all there is")
	}
}

func checkCeiling(_ *World, s *Scaler, found *Report) {
	if !s.single() || *s.Max != 2 {
		return
	}
	for _, m := range s.effective() {
		if m.Utilization != nil {
			found.Add(s.Object, s.maxAt, "is 2 and the minimum 1: the second pod goes only once %s is down to %d %% of the requests, half of the target",
				m.Name, *m.Utilization/2)
			return
		}
		if m.Average != nil {
			found.Add(s.Object, s.maxAt, "is 2 and the minimum 1: the second pod goes only once %s is down to half of its target", m.Name)
			return
		}
	}
}

func checkStep(_ *World, s *Scaler, found *Report) {
	step, at := (*int64)(nil), fault.Path("spec.replicas.step")
	switch {
	case s.marks != nil:
		step, at = s.marks.step, s.marks.stepAt
	case s.own != nil:
		step = s.own.step
	}
	if step != nil && s.Max != nil && *step > *s.Max {
		found.Add(s.Object, at, "is %d, above the maximum of %d", *step, *s.Max)
	}
}

func checkFallback(_ *World, s *Scaler, found *Report) {
	outside := func(n *int64) bool { return n != nil && (*n < s.least() || s.Max != nil && *n > *s.Max) }
	for i := range s.Metrics {
		if m := &s.Metrics[i]; outside(m.fallback) {
			found.Add(s.Object, m.Path.Field("onMissing.replicas"), "is %d, outside the bounds", *m.fallback)
		}
	}
	if s.keda != nil && outside(s.keda.fallbackReplicas) {
		found.Add(s.Object, s.keda.fallbackAt.Field("replicas"), "is %d, outside the bounds", *s.keda.fallbackReplicas)
	}
}
