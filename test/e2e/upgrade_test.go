//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// TestAnUpgradeKeepsObjects: an object that was made under the definition of the
// last release, which here knows even less, keeps its spec, its status and its
// memory, and can then use what is new.
func TestAnUpgradeKeepsObjects(t *testing.T) {
	alone(t)
	replaceDefinition(t, func(spec, status map[string]any) {
		delete(spec, "mode")
		delete(status["lastDecision"].(map[string]any)["properties"].(map[string]any), "tuning")
	})
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	startController(t, options{})
	p.autoscaler("web", `{replicas: {min: 1, max: 9}, mode: Recommend, behavior: {scaleDown: {stabilizationWindowSeconds: 300}},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	p.eventuallyHas("web", 4)
	eventually(t, patience, p.shows("web", "ScalingActive", "True", "WithinTolerance"))
	var before, after v1alpha1.WorkloadAutoscaler
	if err := p.get(&before, "web"); err != nil {
		t.Fatal(err)
	}
	if before.Spec.Mode != "" {
		t.Fatal("the older definition knows what it should not know")
	}

	if err := world.Install(); err != nil {
		t.Fatal(err)
	}
	if err := p.get(&after, "web"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before.Spec, after.Spec); diff != "" {
		t.Errorf("the spec (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(before.Status.LastDecision.Want, after.Status.LastDecision.Want); diff != "" || after.Status.Memory == nil {
		t.Errorf("the status (-before +after):\n%s", diff)
	}
	p.queue("10")
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "Stabilized"))
	eventually(t, patience, func() error {
		p.patch(&v1alpha1.WorkloadAutoscaler{}, "web", `{spec: {mode: Recommend}}`)
		err := p.get(&after, "web")
		if err == nil && after.Spec.Mode != v1alpha1.ModeRecommend {
			err = fmt.Errorf("the new field is not kept: the mode is %q", after.Spec.Mode)
		}
		return err
	})
	p.queue("60")
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Recommend"))
	if err := p.has("web", 4)(); err != nil {
		t.Error(err)
	}
}

// replaceDefinition installs the definition of the last release, with fewer fields
// than it has.
func replaceDefinition(t *testing.T, lessen func(spec, status map[string]any)) {
	t.Helper()
	older, err := world.Older()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("../../docs/api/released", older, "autoscaling.tidemark.dev_workloadautoscalers.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var definition unstructured.Unstructured
	if err := yaml.Unmarshal(text, &definition.Object); err != nil {
		t.Fatal(err)
	}
	versions, _, err := unstructured.NestedSlice(definition.Object, "spec", "versions")
	if err != nil {
		t.Fatal(err)
	}
	properties := func(of string) map[string]any {
		found, ok, err := unstructured.NestedMap(versions[0].(map[string]any), "schema", "openAPIV3Schema", "properties", of, "properties")
		if err != nil || !ok {
			t.Fatal(of, ok, err)
		}
		return found
	}
	spec, status := properties("spec"), properties("status")
	lessen(spec, status)
	for name, less := range map[string]map[string]any{"spec": spec, "status": status} {
		if err := unstructured.SetNestedMap(versions[0].(map[string]any), less, "schema", "openAPIV3Schema", "properties", name, "properties"); err != nil {
			t.Fatal(err)
		}
	}
	if err := unstructured.SetNestedSlice(definition.Object, versions, "spec", "versions"); err != nil {
		t.Fatal(err)
	}
	if text, err = yaml.Marshal(definition.Object); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "older.yaml")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Install() })
	world.must(t, "kubectl", "apply", "--server-side", "-f", path)
}
