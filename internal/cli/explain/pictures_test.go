package explain

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the pictures and tables of docs")

const images = "../../../docs/images"

// TestPictures: every spec in docs/images has its picture beside it, as the
// verb draws it now.
func TestPictures(t *testing.T) {
	specs, err := filepath.Glob(images + "/*.yaml")
	if err != nil || len(specs) == 0 {
		t.Fatalf("no specs in %s: %v", images, err)
	}
	for _, spec := range specs {
		t.Run(filepath.Base(spec), func(t *testing.T) {
			drawn, stderr, err := run(t, "", "--intervals", "-f", spec, "-o", "svg")
			if err != nil {
				t.Fatalf("%v\n%s", err, stderr)
			}
			compare(t, strings.TrimSuffix(spec, ".yaml")+".svg", drawn)
		})
	}
}

// compare holds a file against what it should be, or rewrites it.
func compare(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: run go test ./internal/cli/explain -update", path)
	}
}

// TestConsole: where docs/intervals.md shows the verb's answer, that is what it
// prints now.
func TestConsole(t *testing.T) {
	const path, prompt = "../../../docs/intervals.md", "$ tidemark explain "
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	answers, skipping := 0, false
	for line := range strings.Lines(string(text)) {
		skipping = skipping && !strings.HasPrefix(line, "```")
		if skipping {
			continue
		}
		out.WriteString(line)
		if words, asks := strings.CutPrefix(line, prompt); asks && !strings.Contains(words, ">") {
			args := strings.Fields(strings.ReplaceAll(words, "docs/images", images))
			answer, stderr, err := run(t, "", args...)
			if err != nil {
				t.Fatalf("%s: %v\n%s", words, err, stderr)
			}
			out.WriteString(answer)
			answers, skipping = answers+1, true
		}
	}
	if answers == 0 {
		t.Error("the document shows no answer of the verb")
	}
	compare(t, path, out.String())
}
