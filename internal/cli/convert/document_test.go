package convert

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documented is an object in YAML and, further down, lines of what --diff says
// to it.
var documented = regexp.MustCompile("(?s)```yaml\n(.*?)```\n.*?```text\n(.*?)```\n")

// TestDocuments runs the examples of the documents: every line that is shown
// must be a line of the answer.
func TestDocuments(t *testing.T) {
	files, err := filepath.Glob("../../../docs/migrate/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range documented.FindAllStringSubmatch(string(text), -1) {
			found++
			input := filepath.Join(t.TempDir(), "object.yaml")
			if err := os.WriteFile(input, []byte(example[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			answer, notes := run(t, "-f", input, "--diff")
			for line := range strings.Lines(example[2]) {
				if !strings.Contains("\n"+answer, "\n"+line) {
					t.Errorf("%s shows a line that the answer does not have: %s%s%s", filepath.Base(file), line, answer, notes)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no examples found")
	}
}
