package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// TestTheChartInstallsTheBase: with default values both install the same
// objects, field by field.
func TestTheChartInstallsTheBase(t *testing.T) {
	base, chart := ofBase(t, "default"), ofChart(t, "")
	// Helm makes the namespace itself, on --create-namespace.
	delete(base, "Namespace /"+namespace)
	if diff := cmp.Diff(base.names(), chart.names()); diff != "" {
		t.Fatalf("objects (-base +chart):\n%s", diff)
	}
	for _, name := range base.names() {
		if diff := cmp.Diff(compared(t, base[name]), compared(t, chart[name])); diff != "" {
			t.Errorf("%s (-base +chart):\n%s", name, diff)
		}
	}
}

// TestTheChartOnAnOlderKubernetes has the definitions that it takes, and the rest
// is the same.
func TestTheChartOnAnOlderKubernetes(t *testing.T) {
	for version, folder := range map[string]string{"v1.33.0": "default-1.33", "v1.33.13-gke.100": "default-1.33", "v1.34.0": "default", "v1.36.3": "default"} {
		t.Run(version, func(t *testing.T) {
			text, _, err := renderOn(t.Context(), version, "", namespace)
			if err != nil {
				t.Fatal(err)
			}
			base, chart := ofBase(t, folder), parse(t, []byte(text))
			if diff := cmp.Diff(ofBase(t, "default").names(), base.names()); diff != "" {
				t.Errorf("every version has the same objects (-newest +this):\n%s", diff)
			}
			delete(base, "Namespace /"+namespace) // Helm makes it itself.
			if diff := cmp.Diff(base.names(), chart.names()); diff != "" {
				t.Fatalf("objects (-base +chart):\n%s", diff)
			}
			for name := range base {
				if diff := cmp.Diff(compared(t, base[name]), compared(t, chart[name])); diff != "" {
					t.Errorf("%s (-base +chart):\n%s", name, diff)
				}
			}
		})
	}
}

// compared is an object without what only Helm needs, and with the
// controller's configuration as the document that it is.
func compared(t *testing.T, obj *unstructured.Unstructured) map[string]any {
	t.Helper()
	out := obj.DeepCopy()
	annotations := out.GetAnnotations()
	delete(annotations, "helm.sh/resource-policy")
	out.SetAnnotations(annotations)
	if text, ok, _ := unstructured.NestedString(out.Object, "data", "config.yaml"); ok {
		var config map[string]any
		if err := yaml.UnmarshalStrict([]byte(text), &config); err != nil {
			t.Fatal(err)
		}
		out.Object["data"] = map[string]any{"config.yaml": config}
	}
	return out.Object
}

// TestTheChartHasCopies: what the chart carries of the base is what the base
// has now. hack/chart.sh makes the copies.
func TestTheChartHasCopies(t *testing.T) {
	found := 0
	err := filepath.WalkDir(filepath.Join(chartFolder, "files"), func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found++
		copied, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		originals, err := filepath.Glob("../../config/*/" + entry.Name())
		if err != nil {
			return err
		}
		for _, original := range originals {
			if text, err := os.ReadFile(original); err == nil && string(text) == string(copied) {
				return nil
			}
		}
		t.Errorf("%s equals none of %s: run make generate", path, strings.Join(originals, ", "))
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d files, error %v", found, err)
	}
}
