package backtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// block returns the first fenced block of a language after a text.
func block(t *testing.T, document, after, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(document, after)
	_, rest, opened := strings.Cut(rest, "```"+language+"\n")
	text, _, closed := strings.Cut(rest, "```")
	if !found || !opened || !closed {
		t.Fatalf("docs/replay.md has no block of %s after %q", language, after)
	}
	return text
}

// TestTheDocumentsComparison: docs/replay.md shows what the verb prints.
func TestTheDocumentsComparison(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "replay.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, folder := string(document), t.TempDir()
	for name, content := range map[string]string{
		"day.csv":  block(t, text, "This is `day.csv`", "csv"),
		"web.yaml": block(t, text, "`web.yaml` is", "yaml"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := strings.Fields(block(t, text, "## 3. Compare", "sh"))
	t.Chdir(folder)
	out, stderr, code := execute(command[2:])
	if want := block(t, text, "## 3. Compare", "text"); out != want || code != 0 {
		t.Errorf("exit %d %s\ngot\n%s\nthe document has\n%s", code, stderr, out, want)
	}
}
