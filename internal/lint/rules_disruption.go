package lint

import (
	"cmp"
	"slices"

	"github.com/tidemark/tidemark/fault"
)

var disruptionRules = []Rule{
	{
		ID: "TM070", Name: "fast-down-without-budget", Severity: Warning,
		Why: "Half of the pods or more may go within a minute, without a window to wait in. A budget does not slow an autoscaler, but without " +
			"one a node drain can take all the pods that are left at the same time.",
		Fix:   "Add a PodDisruptionBudget for the workload, or scale down more slowly.",
		Check: ofScalers(checkFastDown),
	},
	{
		ID: "TM071", Name: "budget-blocks-resize", Severity: Error,
		Why:   "New requests reach the pods by evicting them, and the disruption budget allows no eviction at any count. The requests never change.",
		Fix:   "Allow at least one pod to be unavailable, or resize in place.",
		Check: ofScalers(checkBlockedResize),
	},
	{
		ID: "TM072", Name: "budget-blocks-drain", Severity: Warning,
		Why:   "At the autoscaler's minimum the disruption budget allows no eviction. Node drains, and with them upgrades, hang whenever load is low.",
		Fix:   "Say maxUnavailable: 1, or raise the minimum above the pods that must stay.",
		Check: ofScalers(checkBlockedDrain),
	},
	{
		ID: "TM073", Name: "no-budget", Severity: Info,
		Why: "A Service sends requests to these pods, always two or more of them, and no PodDisruptionBudget selects them. A node drain, and with " +
			"it an upgrade of the nodes, may evict all of them at the same time.",
		Fix:   "Add a PodDisruptionBudget with maxUnavailable: 1, or a share.",
		Check: ofScalers(checkNoBudget),
	},
	{
		ID: "TM074", Name: "no-readiness-probe", Severity: Warning,
		Why: "A Service sends requests to these pods as soon as their containers run, because no container has a readiness probe. Each time the " +
			"autoscaler adds pods, the first requests to them fail, and pods that hang keep getting their share.",
		Fix:   "Give the container that serves a readinessProbe.",
		Check: checkNoReadiness,
	},
}

// checkNoBudget looks at pods that serve: work that only waits in a queue gets
// done later. Where pods also go fast, TM070 has said it.
func checkNoBudget(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil || !s.counts || !s.acts() || s.least() < 2 || s.Down.fast() || len(w.budgetsOf(t)) > 0 {
		return
	}
	if service := w.serves(t); service != nil {
		found.Add(t.Object, "spec.template", "serves %s with %d pods or more, and no PodDisruptionBudget selects them", service.title(), s.least())
	}
}

func checkNoReadiness(w *World, found *Report) {
	told := map[*Workload]bool{}
	for _, s := range w.scalers {
		t := w.pods(s)
		if t == nil || !s.counts || !s.acts() || t.gated || told[t] || s.Max != nil && *s.Max <= s.least() {
			continue
		}
		told[t] = true
		service := w.serves(t)
		if service != nil && !slices.ContainsFunc(t.Containers, func(c Container) bool { return c.probed }) {
			found.Add(t.Object, "spec.template", "serves %s, %s adds pods to it, and no container has a readiness probe", service.title(), s.title())
		}
	}
}

const (
	// fastWindow and fastPercent are what makes scaling down fast.
	fastWindow  = 60
	fastPercent = 50
)

// fast tells whether a direction lets half of the pods go within a minute.
func (d *Direction) fast() bool {
	if d == nil || d.shut() || d.Window == nil || *d.Window >= fastWindow {
		return false
	}
	for _, p := range d.Policies {
		if p.Type == "Percent" && p.Value != nil && *p.Value >= fastPercent && p.Period != nil && *p.Period <= fastWindow {
			return d.Select != "Min"
		}
	}
	return len(d.Policies) == 0 && d.percent == nil
}

func checkFastDown(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t != nil && s.counts && s.acts() && s.Down.fast() && len(w.budgetsOf(t)) == 0 {
		found.Add(s.Object, s.Down.Path, "lets half of the pods of %s %s go within a minute, and no disruption budget selects them", t.Kind, t.Name)
	}
}

// most is the largest count that a workload can have.
func (w *World) most(t *Workload) int64 {
	most := *cmp.Or(t.Replicas, new(int64(1)))
	for _, s := range w.scaledBy[t] {
		if s.Max != nil {
			most = max(most, *s.Max)
		}
	}
	return most
}

func checkBlockedResize(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil || s.sizes == nil || !s.sizes.evicts {
		return
	}
	for _, b := range w.budgetsOf(t) {
		if b.blocks(w.most(t)) && w.together(b.Object, t.Object) {
			found.Add(s.Object, s.sizes.Path, "evicts pods of %s %s, and %s allows no eviction", t.Kind, t.Name, b.title())
		}
	}
}

func checkBlockedDrain(w *World, s *Scaler, found *Report) {
	t := w.pods(s)
	if t == nil || !s.counts || s.least() < 1 || s.Family == Tortoise {
		return
	}
	for _, b := range w.budgetsOf(t) {
		at := fault.Path("spec.minAvailable")
		if b.MinAvailable == "" {
			at = "spec.maxUnavailable"
		}
		if b.blocks(s.least()) && w.together(b.Object, t.Object) && w.together(b.Object, s.Object) {
			found.Add(b.Object, at, "allows no eviction at the %d pods that are the minimum of %s", s.least(), s.title())
		}
	}
}
