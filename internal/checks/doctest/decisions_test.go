package doctest

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestDecisions: each page of docs/decisions is in the list with its status, has
// the parts of the template, and stays short enough to be read.
func TestDecisions(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs/decisions/0*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatalf("no decisions: %v", err)
	}
	list, template := read(t, "docs/decisions/README.md"), read(t, "docs/decisions/template.md")
	for _, path := range pages {
		name := filepath.Base(path)
		page := read(t, "docs/decisions/"+name)
		_, row, listed := strings.Cut(list, "]("+name+") |")
		row, _, _ = strings.Cut(row, "\n")
		_, status, _ := strings.Cut(page, "\n| status | ")
		status, _, _ = strings.Cut(status, "\n")
		if !listed || status == "" || !strings.HasSuffix(row, "| "+status) {
			t.Errorf("docs/decisions/README.md does not list %s with its status", name)
		}
		for line := range strings.Lines(template) {
			if strings.HasPrefix(line, "## ") && !strings.Contains(page, "\n"+line) {
				t.Errorf("%s has no part %q", name, strings.TrimSpace(line))
			}
		}
		if lines := strings.Count(page, "\n"); lines > 70 {
			t.Errorf("%s has %d lines, not at most 70: a longer one is not read", name, lines)
		}
	}
}
