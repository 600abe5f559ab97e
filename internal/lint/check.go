package lint

import (
	"cmp"
	"slices"
)

// Check asks every rule that is not disabled, by id or by name, about
// everything that was read. Findings are sorted by file, line and rule.
func Check(set *Set, disabled ...string) []Finding {
	world := newWorld(set)
	out := []Finding{}
	for _, rule := range Rules() {
		if slices.Contains(disabled, rule.ID) || slices.Contains(disabled, rule.Name) {
			continue
		}
		report := &Report{rule: &rule}
		rule.Check(world, report)
		for _, f := range report.findings {
			if !world.silenced(f, &rule) {
				out = append(out, f)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.subject, b.subject),
			cmp.Compare(a.Path, b.Path), cmp.Compare(a.Message, b.Message), cmp.Compare(a.Object, b.Object))
	})
	return slices.CompactFunc(out, func(a, b Finding) bool { return a.same(&b) })
}

// silenced tells whether a comment on the finding's line, or on the one above,
// names the rule. Annotations are asked where findings are made.
func (w *World) silenced(f Finding, rule *Rule) bool {
	return slices.ContainsFunc(w.silences[f.File], func(s silence) bool {
		return (s.line == f.Line || s.line == f.Line-1) && names(s.rules, rule)
	})
}
