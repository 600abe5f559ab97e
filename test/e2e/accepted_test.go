//go:build e2e

package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"
)

// TestTheAPIServerAcceptsWhatWeEmit: every object that synth and convert are
// known to print is tried on the real API server. Nothing is stored.
func TestTheAPIServerAcceptsWhatWeEmit(t *testing.T) {
	beside(t)
	p := newPlace(t)
	tried := 0
	for name, text := range emitted(t) {
		for i, document := range strings.Split("\n"+text, "\n---\n") {
			obj := &unstructured.Unstructured{}
			if err := yaml.Unmarshal([]byte(document), &obj.Object); err != nil {
				t.Errorf("document %d of %s: %v", i, name, err)
			}
			if !ours(obj) {
				continue
			}
			tried++
			obj.SetNamespace(p.name)
			if err := world.Create(t.Context(), obj, client.DryRunAll, client.FieldValidation("Strict")); err != nil {
				t.Errorf("document %d of %s: %v", i, name, err)
			}
		}
	}
	if tried < 20 {
		t.Errorf("only %d objects were found to try", tried)
	}
	t.Logf("%d objects were accepted", tried)
}

func ours(obj *unstructured.Unstructured) bool {
	return obj.GetKind() == "HorizontalPodAutoscaler" || obj.GetKind() == "WorkloadAutoscaler"
}

// emitted is the output of the golden tests, by file.
func emitted(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"../../internal/cli/synth/testdata/*.txtar", "../../internal/cli/convert/testdata/*.golden"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, error %v", pattern, len(files), err)
		}
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Files) == 0 {
				objects, _, _ := strings.Cut(string(archive.Comment), "\n=====")
				out[filepath.Base(file)] = objects
			}
			for _, part := range archive.Files {
				if part.Name == "stdout" {
					out[fmt.Sprintf("%s/%s", filepath.Base(file), part.Name)] = string(part.Data)
				}
			}
		}
	}
	return out
}
