package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// documents are what is written, and what from.
var documents = []struct {
	path string
	text func() string
}{
	{"docs/concepts.md", concepts},
	{"docs/reasons.md", reasons},
	{"docs/metrics.md", metricsPage},
	{"config/monitoring/alerts.yaml", alertRules},
	{"config/monitoring/dashboard.json", dashboard},
	{"docs/rules.md", rules},
	{"docs/migrate/carried.md", carriedPage},
	{"docs/fidelity.md", fidelity},
	{"docs/schema/openapi.json", openAPI},
	{"docs/schema/synth.schema.json", synthSchema},
}

func main() {
	for _, d := range documents {
		if err := os.WriteFile(d.path, []byte(d.text()), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	if err := writeManPages(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func reasons() string {
	var out strings.Builder
	fmt.Fprint(&out, `<!-- Written by "make generate" from scale/reason.go. -->
# Reasons

Every decision carries reasons: why a size is desired, and what holds it
back. They are stable words. Programs may rely on them; new ones may be
added, none is renamed.

| reason | meaning |
|---|---|
`)
	for _, d := range scale.Docs {
		fmt.Fprintf(&out, "| `%s` | %s |\n", d.Reason, d.Meaning)
	}
	return out.String()
}
