package doctest

import (
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/lint"
)

// TestRecipesAreClean: lint finds nothing in the manifests of a recipe. The tests on a
// control plane, in test/e2e, apply them.
func TestRecipesAreClean(t *testing.T) {
	clean := 0
	for _, path := range documents(t) {
		if !strings.HasPrefix(path, "docs/recipes/") {
			continue
		}
		var manifests []string
		fenced, _ := blocks(read(t, path))
		for _, b := range fenced {
			if b.language == "yaml" {
				manifests = append(manifests, b.text)
			}
		}
		if len(manifests) == 0 {
			continue
		}
		clean++
		for _, f := range lint.Check(lint.Read(path, strings.NewReader(strings.Join(manifests, "---\n")))) {
			t.Errorf("%s: %s %s: %s %s", path, f.Severity, f.Rule, f.Path, f.Message)
		}
	}
	if clean != 5 {
		t.Errorf("%d recipes were looked at, want 5", clean)
	}
}
