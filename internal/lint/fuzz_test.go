package lint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/tidemark/tidemark/internal/lint"
)

// FuzzLint: whatever is read, nothing panics, and every finding has its rule,
// its line and a message.
func FuzzLint(f *testing.F) {
	for _, rule := range lint.Rules() {
		f.Add([]byte(rule.Example()))
	}
	files, err := filepath.Glob("testdata/clean/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, finding := range lint.Check(lint.Read("fuzz.yaml", bytes.NewReader(text))) {
			if _, ok := lint.Find(finding.Rule); !ok || finding.Line < 1 || finding.Message == "" || finding.Line > bytes.Count(text, []byte("\n"))+1 {
				t.Errorf("a finding without a place or a word: %+v", finding)
			}
		}
	})
}
