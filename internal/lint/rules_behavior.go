package lint

import (
	"slices"

	"github.com/tidemark/tidemark/scale"
)

var behaviorRules = []Rule{
	{
		ID: "TM060", Name: "both-directions-shut", Severity: Error,
		Why:   "Both directions are switched off, so the autoscaler can never change anything.",
		Fix:   "Allow one direction. To stop an autoscaler for a while, use its mode or its pause.",
		Check: ofScalers(checkShut),
	},
	{
		ID: "TM061", Name: "policies-without-effect", Severity: Warning,
		Why: "The direction is Disabled, so its policies do nothing, and a reader may take them for what happens.",
		Fix: "Remove the policies, or the selectPolicy.",
		Check: ofDirections(func(s *Scaler, d *Direction, found *Report) {
			if d.Select == "Disabled" && len(d.Policies) > 0 {
				found.Add(s.Object, d.Path.Field("policies"), "have no effect: selectPolicy is Disabled")
			}
		}),
	},
	{
		ID: "TM062", Name: "rate-out-of-range", Severity: Error,
		Why: "The API server refuses the behavior: policies need a value of at least 1 and a period of 1 to 1800 seconds, windows are at most " +
			"an hour, and a list of policies is never empty.",
		Fix:   "Write a value in range. To forbid a direction, say selectPolicy: Disabled.",
		Check: ofDirections(checkRates),
	},
	{
		ID: "TM063", Name: "policy-outdone", Severity: Info,
		Why: "Of several policies the loosest counts (selectPolicy Max, the default). Within these bounds another policy of the same period " +
			"always allows at least as much, so this one never decides anything.",
		Fix:   "Remove it, or say selectPolicy: Min where the strictest was meant.",
		Check: ofDirections(checkOutdone),
	},
	{
		ID: "TM064", Name: "period-below-sync", Severity: Warning,
		Why: "The autoscaler looks once a sync period, 15 seconds for an HPA. A rate with a shorter period can be used once a look only, so " +
			"scaling is slower than the policy reads.",
		Fix:   "Use a period that is not shorter than the sync period.",
		Check: ofDirections(checkPeriods),
	},
	{
		ID: "TM065", Name: "slow-to-rise", Severity: Warning,
		Why: "Scaling up waits longer than scaling down. Growth is answered late while every lull is followed at once, which is the wrong way " +
			"round for anything that serves.",
		Fix:   "Make the scaleUp window the shorter one; 0 is the default.",
		Check: ofScalers(checkWindows),
	},
	{
		ID: "TM066", Name: "tolerance-zero", Severity: Warning,
		Why: "Without any tolerance each small change of the metric changes the count, and pods come and go with the noise.",
		Fix: "Use a tolerance above the noise of the metric, such as 0.05; 0.1 is the default.",
		Check: ofDirections(func(s *Scaler, d *Direction, found *Report) {
			if d.Tolerance != nil && *d.Tolerance == 0 {
				found.Add(s.Object, d.Path.Field("tolerance"), "is 0")
			}
		}),
	},
	{
		ID: "TM067", Name: "tolerance-forbids-down", Severity: Error,
		Why: "A tolerance is a share, 0.1 for 10 %. On the way down a value would have to be below zero to leave a tolerance of 1 or more, so the count never falls.",
		Fix: "Write a share below 1. To forbid the direction, say selectPolicy: Disabled.",
		Check: ofDirections(func(s *Scaler, d *Direction, found *Report) {
			if d.Down && d.Tolerance != nil && *d.Tolerance >= scale.Parts {
				found.Add(s.Object, d.Path.Field("tolerance"), "is 1 or more, so no value is ever low enough")
			}
		}),
	},
}

// shut tells whether a direction can never move.
func (d *Direction) shut() bool {
	return d != nil && (d.Select == "Disabled" || d.update == "Off" || d.percent != nil && *d.percent == 0)
}

func checkShut(_ *World, s *Scaler, found *Report) {
	if s.Up.shut() && s.Down.shut() {
		found.Add(s.Object, s.behaviorAt, "switches both directions off")
	}
}

// checkRates leaves WorkloadAutoscalers to their own compiler.
func checkRates(s *Scaler, d *Direction, found *Report) {
	if s.Family == Tidemark {
		return
	}
	if d.empty {
		found.Add(s.Object, d.Path.Field("policies"), "is an empty list")
	}
	if w := d.Window; w != nil && (*w < 0 || *w > 3600) {
		found.Add(s.Object, d.Path.Field("stabilizationWindowSeconds"), "must be between 0 and 3600, got %d", *w)
	}
	if !slices.Contains([]string{"", "Max", "Min", "Disabled"}, d.Select) {
		found.Add(s.Object, d.Path.Field("selectPolicy"), "must be Max, Min or Disabled, got %q", d.Select)
	}
	for _, p := range d.Policies {
		switch {
		case p.Type != "Pods" && p.Type != "Percent":
			found.Add(s.Object, p.Path.Field("type"), "must be Pods or Percent, got %q", p.Type)
		case p.Value != nil && *p.Value < 1:
			found.Add(s.Object, p.Path.Field("value"), "must be at least 1, got %d", *p.Value)
		case p.Period != nil && (*p.Period < 1 || *p.Period > 1800):
			found.Add(s.Object, p.Path.Field("periodSeconds"), "must be between 1 and 1800, got %d", *p.Period)
		}
	}
}

// moves is how many pods a policy lets move, of a count.
func (p *Policy) moves(count int64) int64 {
	if p.Type == "Percent" {
		return (count**p.Value + 99) / 100
	}
	return *p.Value
}

// checkOutdone compares the policies of one period at both ends of the range.
// How much a policy allows grows with the count or is always the same, so the
// ends decide. The default pair is passed over: people copy it.
func checkOutdone(s *Scaler, d *Direction, found *Report) {
	if d.Select != "" && d.Select != "Max" || s.Max == nil || d.isDefault() {
		return
	}
	least := max(s.least(), 1)
	for i := range d.Policies {
		p := &d.Policies[i]
		for j := range d.Policies {
			q := &d.Policies[j]
			if i == j || !p.comparable(q) {
				continue
			}
			same := p.moves(least) == q.moves(least) && p.moves(*s.Max) == q.moves(*s.Max)
			if p.moves(least) <= q.moves(least) && p.moves(*s.Max) <= q.moves(*s.Max) && (!same || i > j) {
				found.Add(s.Object, p.Path, "never decides: between %d and %d pods %s allows as much or more", least, *s.Max, q.Path)
				break
			}
		}
	}
}

func (p *Policy) comparable(q *Policy) bool {
	return p.Value != nil && q.Value != nil && *p.Value > 0 && *q.Value > 0 && p.Period != nil && q.Period != nil && *p.Period == *q.Period
}

// isDefault tells whether the policies are Kubernetes' own for scaling up.
func (d *Direction) isDefault() bool {
	return !slices.ContainsFunc(d.Policies, func(p Policy) bool {
		return p.Value == nil || p.Type == "Pods" && *p.Value != 4 || p.Type == "Percent" && *p.Value != 100
	})
}

// defaultSync is how often an HPA looks, in seconds.
const defaultSync = 15

func checkPeriods(s *Scaler, d *Direction, found *Report) {
	sync := int64(defaultSync)
	if s.own != nil && s.own.sync != nil {
		sync = *s.own.sync
	}
	for _, p := range d.Policies {
		if p.Period != nil && *p.Period > 0 && *p.Period < sync {
			found.Add(s.Object, p.Path.Field("periodSeconds"), "is %d, shorter than the sync period of %d seconds", *p.Period, sync)
		}
	}
}

// defaultDownWindow is how long a lower count is waited for, in seconds.
const defaultDownWindow = 300

func checkWindows(_ *World, s *Scaler, found *Report) {
	if s.Up == nil || s.Up.Window == nil || s.Down.shut() {
		return
	}
	down := int64(defaultDownWindow)
	if s.Down != nil && s.Down.Window != nil {
		down = *s.Down.Window
	}
	if *s.Up.Window > down {
		found.Add(s.Object, s.Up.Path.Field("stabilizationWindowSeconds"), "is %d, longer than the %d seconds of scaling down", *s.Up.Window, down)
	}
}
