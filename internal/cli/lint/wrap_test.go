package lint

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidemark/tidemark/internal/lint"
)

// TestRowsFitATerminal: no row is wider than it, but for a word that is.
func TestRowsFitATerminal(t *testing.T) {
	long := strings.Repeat("word ", 200)
	var findings []lint.Finding
	for _, rule := range lint.Rules() {
		findings = append(findings, lint.Finding{
			Rule: rule.ID, Name: rule.Name, File: "deploy/web.yaml", Line: 3, Object: "Deployment " + long, Path: "spec", Message: "is „wide“ " + long,
		})
	}
	var out strings.Builder
	if err := writeTable(&out, findings); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > usualWidth {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	out.Reset()
	wrap(&out, "- ", "  ", "one "+strings.Repeat("x", 50)+" two three", 20)
	if want := "- one\n  " + strings.Repeat("x", 50) + "\n  two three\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}
