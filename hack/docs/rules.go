package main

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/internal/lint"
)

// rules writes what tidemark lint looks for.
func rules() string {
	var out strings.Builder
	fmt.Fprint(&out, `<!-- Written by "make generate" from the rules in internal/lint. -->
# Rules

What `+"`tidemark lint`"+` looks for; [lint](lint.md) says how it is run. Ids are stable: a rule may be added, none
changes its meaning. An error does not work, a warning does something else than
it seems to, an info is worth knowing.

To silence a rule, write `+"`# lint.tidemark.dev/ignore: TM013`"+` behind the line
or above it, or give the object that annotation. To leave a rule out of a run,
say `+"`--disable TM013`"+`; a repository keeps such things in a
[configuration](lint.md#configuration).

| id | name | severity | fixed by --fix |
|---|---|---|---|
`)
	for _, r := range lint.Rules() {
		fixed := ""
		if r.Fixable {
			fixed = "yes"
		}
		fmt.Fprintf(&out, "| [%s](#%s-%s) | %s | %s | %s |\n", r.ID, strings.ToLower(r.ID), r.Name, r.Name, r.Severity, fixed)
	}
	for _, r := range lint.Rules() {
		fmt.Fprintf(&out, "\n## %s %s\n\n%s. %s\n\n**Fix.** %s\n\nTriggers it:\n\n```yaml\n%s```\n\nDoes not:\n\n```yaml\n%s```\n",
			r.ID, r.Name, capital(r.Severity.String()), r.Why, r.Fix, r.Example(), r.Counterexample())
	}
	return out.String()
}

func capital(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
