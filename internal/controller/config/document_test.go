package config

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDocument: the files in docs/operations.md are read, and the one that says
// it holds the defaults does.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	var files []Controller
	for _, block := range strings.Split(string(text), "```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		read, faults := Parse([]byte(block))
		if len(faults) > 0 {
			t.Errorf("%s\n%v", block, faults)
		}
		files = append(files, read)
	}
	if len(files) != 2 {
		t.Fatalf("%d files", len(files))
	}
	if diff := cmp.Diff(Default(), files[0]); diff != "" {
		t.Errorf("the defaults (-want +documented):\n%s", diff)
	}
}
