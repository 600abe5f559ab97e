package lint

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/fault"
)

// Rule is one thing to look for.
type Rule struct {
	// ID never changes its meaning and is never used again.
	ID string
	// Name says in a few words what is wrong.
	Name     string
	Severity Severity
	// Why says what happens if nothing is done about it.
	Why string
	// Fix says what to do.
	Fix string
	// Fixable rules can fix what they find.
	Fixable bool
	Check   func(w *World, found *Report)
}

// manual is where the rules are explained.
const manual = "https://github.com/tidemark/tidemark/blob/main/docs/rules.md"

// URL is where the rule is explained.
func (r *Rule) URL() string { return manual + "#" + strings.ToLower(r.ID) + "-" + r.Name }

// families are the rules in the order of their ids, one list a file.
var families = [][]Rule{
	inputRules, boundsRules, targetRules, ownerRules, metricRules, reachRules, behaviorRules,
	disruptionRules, verticalRules, kedaRules, markRules, ownRules, burstRules, scheduleRules, pauseRules,
}

// Rules returns every rule, in the order of their ids.
func Rules() []Rule {
	var out []Rule
	for _, family := range families {
		out = append(out, family...)
	}
	return out
}

// Find returns the rule with an id or a name.
func Find(word string) (Rule, bool) {
	for _, rule := range Rules() {
		if rule.ID == word || rule.Name == word {
			return rule, true
		}
	}
	return Rule{}, false
}

// Report takes what a rule finds.
type Report struct {
	rule     *Rule
	findings []Finding
}

// Add records a finding at a path of an object, unless the object's annotation
// silences the rule.
func (r *Report) Add(on *Object, at fault.Path, format string, args ...any) *Finding {
	if on.ignores(r.rule) {
		return &Finding{}
	}
	object := on.title()
	if on.via != "" {
		object += " (" + on.via + ")"
	}
	r.findings = append(r.findings, Finding{
		Rule: r.rule.ID, Severity: r.rule.Severity, File: on.File, Line: on.line(at), Object: object, Path: string(at), subject: on.Kind + " " + on.Name,
		Message: fmt.Sprintf(format, args...), Fix: r.rule.Fix, Name: r.rule.Name, URL: r.rule.URL(),
	})
	return &r.findings[len(r.findings)-1]
}

// edit says how a line can be fixed, where it stands in the object's file and not
// in a template.
func (f *Finding) edit(on *Object, e Edit) {
	if on.origin == nil || on.origin.fixable {
		f.Edit = &e
	}
}

// ofScalers makes a check of a look at each autoscaler.
func ofScalers(look func(w *World, s *Scaler, found *Report)) func(*World, *Report) {
	return func(w *World, found *Report) {
		for _, s := range w.scalers {
			look(w, s, found)
		}
	}
}

// ofMetrics makes a check of a look at each metric of each autoscaler.
func ofMetrics(look func(s *Scaler, m *Metric, found *Report)) func(*World, *Report) {
	return ofScalers(func(_ *World, s *Scaler, found *Report) {
		for i := range s.Metrics {
			look(s, &s.Metrics[i], found)
		}
	})
}

// ofDirections makes a check of a look at each direction an autoscaler states.
func ofDirections(look func(s *Scaler, d *Direction, found *Report)) func(*World, *Report) {
	return ofScalers(func(_ *World, s *Scaler, found *Report) {
		for _, d := range []*Direction{s.Up, s.Down} {
			if d != nil {
				look(s, d, found)
			}
		}
	})
}
