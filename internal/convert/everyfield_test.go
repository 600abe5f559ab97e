package convert

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/policy"
)

// TestNoFieldIsForgotten changes the manifests of the command line's tests in
// random places. Whatever is still accepted must compile, and every value of
// the input must be covered by a line of the report that says why, unless it
// says that the value means the same.
func TestNoFieldIsForgotten(t *testing.T) {
	manifests := wholeManifests(t)
	draw.Check(t, func(t *rapid.T) {
		tree, err := parse([]byte(rapid.SampledFrom(manifests).Draw(t, "manifest")))
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			mutate(t, tree)
		}
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		result, err := Convert(text)
		if err != nil {
			return
		}
		lines := map[string]bool{}
		for _, f := range result.Report.Fields {
			lines[f.Path] = true
			if f.Fate != Carried && f.Note == "" {
				t.Fatalf("no reason: %+v", f)
			}
		}
		covered(t, tree, "", lines)
		if wa, ok := result.Object.(*v1alpha1.WorkloadAutoscaler); ok {
			if _, err := policy.Compile(wa.Spec, v1alpha1.AdminSettings{}); err != nil {
				t.Fatalf("does not compile: %v", err)
			}
		}
	})
}

func wholeManifests(t *testing.T) []string {
	files, err := filepath.Glob("../cli/convert/testdata/*.[yj][as][mo][ln]")
	if err != nil || len(files) == 0 {
		t.Fatalf("no manifests: %v", err)
	}
	var out []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if document, err := yaml.YAMLToJSON(text); err == nil && !strings.Contains(string(document), `"List"`) {
			out = append(out, string(document))
		}
	}
	return out
}

// mutate removes, replaces or adds one field somewhere.
func mutate(t *rapid.T, tree map[string]any) {
	for {
		keys := slices.Sorted(maps.Keys(tree))
		if len(keys) == 0 {
			return
		}
		key := rapid.SampledFrom(keys).Draw(t, "key")
		below := tree[key]
		if list, ok := below.([]any); ok && len(list) > 0 {
			below = rapid.SampledFrom(list).Draw(t, "entry")
		}
		if deeper, ok := below.(map[string]any); ok && rapid.IntRange(0, 3).Draw(t, "depth") > 0 {
			tree = deeper
			continue
		}
		switch rapid.IntRange(0, 2).Draw(t, "kind") {
		case 0:
			delete(tree, key)
		case 1:
			tree[key] = rapid.SampledFrom([]any{nil, 0, 7, "Off", "100m", true, []any{}, map[string]any{}}).Draw(t, "value")
		default:
			tree["someField"] = map[string]any{"a": 1}
		}
		return
	}
}

// covered fails for a value that no line of the report stands for.
func covered(t *rapid.T, node any, path fault.Path, lines map[string]bool) {
	if lines[string(path)] && path != "" {
		return
	}
	switch n := node.(type) {
	case map[string]any:
		for key, value := range n {
			covered(t, value, child(path, key), lines)
		}
	case []any:
		for i, value := range n {
			covered(t, value, path.Index(i), lines)
		}
	default:
		t.Fatalf("%s has no line in the report", path)
	}
}
