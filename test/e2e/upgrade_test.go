//go:build e2e

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
)

// TestAnUpgradeKeepsObjects: an object that was made under the definitions of the
// last release, of which the first here knows even less, keeps its spec, its status, its
// memory and its history, and can then use what is new.
func TestAnUpgradeKeepsObjects(t *testing.T) {
	alone(t)
	installReleased(t, func(spec, status map[string]any) {
		delete(spec, "mode")
		delete(status["lastDecision"].(map[string]any)["properties"].(map[string]any), "tuning")
	})
	p := newPlace(t)
	p.queue("40")
	p.workload("web", 2)
	controller := startController(t, options{})
	learned := p.learns("api")
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
	if err := controller.Stop(); err != nil { // it writes what it has learned
		t.Fatal(err)
	}
	history := learned()

	if err := world.Install(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(history.History, learned().History); diff != "" {
		t.Errorf("the history (-before +after):\n%s", diff)
	}
	p.create(&v1alpha1.WorkloadCourse{}, `{metadata: {name: new}, course: ""}`) // no release has this kind yet
	controller = startController(t, options{})
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
	if err := controller.Stop(); err != nil {
		t.Error(err)
	}
	if after := learned(); after.UID != history.UID || len(after.History) == 0 {
		t.Errorf("the history is not gone on with: %s", after.UpdatedAt)
	}
	if status, err := p.status("api"); err != nil || meta.FindStatusCondition(status.Conditions, explain.HistoryKept) != nil {
		t.Errorf("the history is not used: %v\n%s", err, summary(status))
	}
}

// learns makes a workload that is learned, waits until it is scaled, and returns what
// reads its history.
func (p *place) learns(name string) func() *v1alpha1.WorkloadHistory {
	p.t.Helper()
	p.workload(name, 2)
	p.autoscaler(name, `{replicas: {min: 1, max: 9}, learn: {windowWeeks: 3},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	p.eventuallyHas(name, 4)
	return func() *v1alpha1.WorkloadHistory {
		p.t.Helper()
		var history v1alpha1.WorkloadHistory
		if err := p.get(&history, name); err != nil {
			p.t.Fatal(err)
		}
		return &history
	}
}

// installReleased installs the definitions of the last release, that of objects with
// fewer fields than it has, and takes away the kinds that it does not have.
func installReleased(t *testing.T, lessen func(spec, status map[string]any)) {
	t.Helper()
	older, err := world.Older()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join("../../docs/api/released", older, "autoscaling.tidemark.dev_*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	t.Cleanup(func() { _ = world.Install() })
	kinds := world.must(t, "kubectl", "get", "crd", "-o", "name")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var definition unstructured.Unstructured
		if err := yaml.Unmarshal(text, &definition.Object); err != nil {
			t.Fatal(err)
		}
		kinds = strings.Replace(kinds, "customresourcedefinition.apiextensions.k8s.io/"+definition.GetName(), "", 1)
		if strings.HasPrefix(definition.GetName(), "workloadautoscalers.") {
			reduce(t, &definition, lessen)
		}
		if text, err = yaml.Marshal(definition.Object); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), filepath.Base(file))
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		world.must(t, "kubectl", "apply", "--server-side", "-f", path)
	}
	for kind := range strings.FieldsSeq(kinds) {
		if strings.HasSuffix(kind, ".autoscaling.tidemark.dev") {
			world.must(t, "kubectl", "delete", kind)
		}
	}
}

// reduce takes fields out of a definition.
func reduce(t *testing.T, definition *unstructured.Unstructured, lessen func(spec, status map[string]any)) {
	t.Helper()
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
}
