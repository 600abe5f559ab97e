package synth

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var rewriteDocument = flag.Bool("update-document", false, "rewrite the answers in docs/manifests.md")

const documentPath = "../../../docs/manifests.md"

// documented is an input in YAML and, if a block of text follows it at once, what
// the verb says to it: standard error, then standard output.
var documented = regexp.MustCompile("(?s)```yaml\n(.*?)```\n(?:\n```text\n(.*?)```\n)?")

// TestDocument runs every example of the document. One without an answer has
// to be accepted.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile(documentPath)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	updated := documented.ReplaceAllStringFunc(string(text), func(block string) string {
		found++
		parts := documented.FindStringSubmatch(block)
		input, want := parts[1], parts[2]
		stdout, stderr, code := synth(input)
		switch {
		case want == "" && code != 0:
			t.Errorf("refused: %s\n%s", stderr, input)
		case want == "":
			return block
		}
		if diff := cmp.Diff(want, stderr+stdout); diff != "" && !*rewriteDocument {
			t.Errorf("(-want +got):\n%s", diff)
		}
		return strings.Replace(block, "```text\n"+want, "```text\n"+stderr+stdout, 1)
	})
	if found == 0 {
		t.Error("no examples found")
	}
	if *rewriteDocument {
		if err := os.WriteFile(documentPath, []byte(updated), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
