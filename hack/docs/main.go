package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/tidemark/tidemark/scale"
)

func main() {
	if err := os.WriteFile("docs/reasons.md", []byte(reasons()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func reasons() string {
	var out strings.Builder
	fmt.Fprint(&out, `<!-- Written by "make generate" from scale/reason.go. -->
# Reasons

Every decision carries reasons: why a size was wished for, and what held the
wish back. They are stable words. Programs may rely on them; new ones may be
added, none is renamed.

| reason | meaning |
|---|---|
`)
	for _, d := range scale.Docs {
		fmt.Fprintf(&out, "| `%s` | %s |\n", d.Reason, d.Meaning)
	}
	return out.String()
}
