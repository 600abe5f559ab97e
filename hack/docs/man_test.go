package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestManPagesAreUpToDate compares the pages with the commands they are made
// from, and looks for those of verbs that are no more.
func TestManPagesAreUpToDate(t *testing.T) {
	pages := manPages()
	for name, want := range pages {
		text, err := os.ReadFile(filepath.Join("../..", manFolder, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(text)); diff != "" {
			t.Errorf("%s is out of date, run make generate (-want +got):\n%s", name, diff)
		}
	}
	files, err := filepath.Glob(filepath.Join("../..", manFolder, "*"))
	if err != nil || len(files) != len(pages) {
		t.Errorf("%d files of %d pages, %v", len(files), len(pages), err)
	}
}

// TestManPagesSayAll: a page has the flags and the examples of its command, and a
// line of an example is never taken for a command of roff.
func TestManPagesSayAll(t *testing.T) {
	pages := manPages()
	for name, wants := range map[string][]string{
		"tidemark.1":          {".TP\n.B backtest\n", "\\fB\\-v\\fR, \\fB\\-\\-version\\fR", ".BR tidemark\\-lint (1)\n"},
		"tidemark-generate.1": {".B tidemark generate SHAPE", "\\fB\\-\\-days\\fR \\fIint\\fR\nhow many days (default 7)\n", "tidemark generate weekly \\-\\-days 28", ".nf\n  bursty "},
		"tidemark-backtest.1": {"\\fB\\-\\-sum\\fR\n"},
	} {
		for _, want := range wants {
			t.Run(name+" "+want, func(t *testing.T) {
				if !strings.Contains(pages[name], want) {
					t.Errorf("no %q in\n%s", want, pages[name])
				}
			})
		}
	}
	if got := roff(".SH a\\b\n'quoted\n-f"); got != "\\&.SH a\\eb\n\\&'quoted\n\\-f" {
		t.Errorf("got %q", got)
	}
}

// TestManPagesAreRead by the program that shows them, where it is installed: it
// must have nothing to complain about.
func TestManPagesAreRead(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	for name, text := range manPages() {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-Kutf8", "-ww", "-Wbreak", "-z")
			cmd.Stdin = strings.NewReader(text)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
