//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/rand"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

var manifests = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// recipe applies what a page of docs/recipes says, to the last letter. Objects of the
// whole cluster go when the test is over.
func (p *place) recipe(name string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "recipes", name+".md"))
	if err != nil {
		p.t.Fatal(err)
	}
	found := manifests.FindAllSubmatch(text, -1)
	if len(found) == 0 {
		p.t.Fatalf("docs/recipes/%s.md has no manifests", name)
	}
	for _, match := range found {
		decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(match[1]), 4096)
		for {
			obj := &unstructured.Unstructured{}
			if err := decoder.Decode(obj); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				p.t.Fatal(err)
			}
			p.apply(obj)
		}
	}
	file := filepath.Join(p.t.TempDir(), name+".yaml")
	if err := os.WriteFile(file, bytes.Join(bodies(found), []byte("---\n")), 0o600); err != nil {
		p.t.Fatal(err)
	}
	tidemark(p.t, "lint", "--fail-on", "info", file)
}

func bodies(found [][][]byte) [][]byte {
	var out [][]byte
	for _, match := range found {
		out = append(out, match[1])
	}
	return out
}

func (p *place) apply(obj *unstructured.Unstructured) {
	p.t.Helper()
	if obj.GetKind() == "ClusterRole" {
		p.t.Cleanup(func() { _ = world.Delete(context.Background(), obj) })
	} else {
		obj.SetNamespace(p.name)
	}
	// A definition that has just been made is not served at once.
	eventually(p.t, patience, func() error { return world.Create(p.t.Context(), obj, client.FieldValidation("Strict")) })
}

// TestRecipeQueue: no message, no pods; five leave it so; a hundred are five pods' work.
func TestRecipeQueue(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	orders := func(n string) { controller.history.exporter.set(`rabbitmq_queue_messages{queue="orders"}`, n) }
	orders("0")
	p.recipe("queue")
	p.eventuallyHas("worker", 0)
	orders("5")
	always(t, 20*time.Second, p.has("worker", 0))
	orders("100")
	p.eventuallyHas("worker", 5)
	p.eventuallyReady("worker", 5)
}

// TestRecipeLLM: 30 requests that wait are three pods' work, and a cache that is nearly
// full asks for one more. The pods run on a node that says it has GPUs.
func TestRecipeLLM(t *testing.T) {
	controller := share(t)
	taintedNode(t, "nvidia.com/gpu")
	p := newPlace(t)
	waiting := func(n string) { controller.history.exporter.set(`vllm:num_requests_waiting{model_name="chat"}`, n) }
	cache := func(share string) {
		controller.history.exporter.set(`vllm:kv_cache_usage_perc{model_name="chat"}`, share)
	}
	waiting("0")
	cache("0.5")
	p.recipe("llm")
	p.eventuallyHas("llm", 2)
	p.eventuallyReady("llm", 2)
	waiting("30")
	p.eventuallyHas("llm", 3)
	p.eventuallyReady("llm", 3)
	waiting("10")
	cache("0.9")
	p.eventuallyHas("llm", 4) // ceil(3 × 90 / 75)
}

// taintedNode adds a node that only those share who tolerate its taint.
func taintedNode(t *testing.T, taint string) {
	t.Helper()
	size := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("32"), corev1.ResourceMemory: resource.MustParse("256Gi"), corev1.ResourcePods: resource.MustParse("110"),
		"nvidia.com/gpu": resource.MustParse("8"),
	}
	name := "tainted-" + rand.String(5)
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			corev1.LabelOSStable: "linux", corev1.LabelHostname: name, "type": "kwok", "taint": path.Base(taint),
		}},
		Spec:   corev1.NodeSpec{Taints: []corev1.Taint{{Key: taint, Effect: corev1.TaintEffectNoSchedule}}},
		Status: corev1.NodeStatus{Capacity: size, Allocatable: size},
	}
	if err := world.Create(t.Context(), node); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), node) })
}

// TestRecipeJVM: pods that burn two cores while they start ask for no more of them. What
// they are asked for, 2300m at 600m for each, is four pods' work.
func TestRecipeJVM(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.recipe("jvm")
	const starting = `{cluster.tidemark.dev/ready: "false", kwok.x-k8s.io/usage-cpu: "2"}`
	p.patch(&appsv1.Deployment{}, "shop", `{spec: {template: {metadata: {annotations: %s}}}}`, starting)
	p.eventuallyHas("shop", 2)
	eventually(t, patience, func() error {
		var pods corev1.PodList
		if err := world.List(t.Context(), &pods, client.InNamespace(p.name)); err != nil {
			return err
		}
		warm := client.RawPatch("application/merge-patch+json",
			[]byte(`{"metadata": {"annotations": {"cluster.tidemark.dev/ready": "true", "kwok.x-k8s.io/usage-cpu": "100m"}}}`))
		for i := range pods.Items {
			if err := world.Patch(t.Context(), &pods.Items[i], warm); client.IgnoreNotFound(err) != nil {
				return err
			}
		}
		return p.rolledOut("shop")()
	})
	p.demand("shop", "2300m")
	p.eventuallyHas("shop", 4)
	always(t, 30*time.Second, p.has("shop", 4))
}

// TestRecipeBusinessHours: the count that the clock of Berlin asks for. Ten minutes before
// a schedule starts its pods may be there already. Then both edges of a working day that
// begins in a minute or two; internal/replay has a week of the others.
func TestRecipeBusinessHours(t *testing.T) {
	share(t)
	p := newPlace(t)
	p.recipe("business-hours")
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	least := func(at time.Time) int32 {
		at = at.In(berlin)
		year := at.Year() == 2026 && at.After(time.Date(2026, 12, 30, 21, 0, 0, 0, berlin)) && at.Before(time.Date(2026, 12, 31, 2, 0, 0, 0, berlin))
		if working := at.Weekday() != time.Saturday && at.Weekday() != time.Sunday && at.Hour() >= 8 && at.Hour() < 18; working || year {
			return 10
		}
		return 2
	}
	eventually(t, patience, func() error {
		got, err := p.replicas("portal")
		if now := time.Now(); err != nil || got == least(now) || got == least(now.Add(10*time.Minute)) {
			return err
		}
		return fmt.Errorf("%d replicas at %s", got, time.Now().In(berlin))
	})

	start := time.Now().In(berlin).Truncate(time.Minute).Add(2 * time.Minute)
	end := start.Add(2 * time.Minute)
	p.patch(&v1alpha1.WorkloadAutoscaler{}, "portal", `{spec: {schedules: [{name: short-day, start: "%d %d * * *", end: "%d %d * * *", timeZone: Europe/Berlin, replicas: {min: 10}}]}}`,
		start.Minute(), start.Hour(), end.Minute(), end.Hour())
	eventually(t, patience, p.explains("portal", "ScheduledMin short-day asks for at least 10"))
	if now := time.Now(); now.Before(start.Add(-time.Minute)) {
		t.Errorf("ten pods are asked for at %s, and the day starts at %s", now.In(berlin), start)
	}
	p.eventuallyHas("portal", 10)
	p.eventuallyHas("portal", 2)
	if now := time.Now(); now.Before(end) {
		t.Errorf("two pods at %s, and the day ends at %s", now.In(berlin), end)
	}
}

// TestRecipeRollouts: a Rollout is scaled through its scale subresource, by the usage of
// pods that are its own. The test does what Argo's controller would: it writes the first
// count, gives it to the ReplicaSet, and tells how many there are.
func TestRecipeRollouts(t *testing.T) {
	share(t)
	defineRollouts(t)
	p := newPlace(t)
	p.recipe("rollouts")
	rollout := &unstructured.Unstructured{}
	rollout.SetAPIVersion("argoproj.io/v1alpha1")
	rollout.SetKind("Rollout")
	if err := p.get(rollout, "web"); err != nil {
		t.Fatal(err)
	}
	p.replicaSetOf(rollout)
	counts := map[int64]bool{}
	eventually(t, patience, func() error {
		if err := p.get(rollout, "web"); err != nil {
			return err
		}
		n, stated, err := unstructured.NestedInt64(rollout.Object, "spec", "replicas")
		if err != nil {
			return err
		}
		if !stated {
			p.patch(rollout, "web", `{spec: {replicas: 1}}`)
			return errors.New("it has no count yet")
		}
		counts[n] = true
		if err := p.followed(rollout, n); err != nil {
			return err
		}
		if n != 8 { // Each of them is asked for more than it should be, however many there are.
			status, _ := p.status("web")
			return fmt.Errorf("%d replicas, want 8; %s", n, summary(status))
		}
		return nil
	})
	if !counts[3] && !counts[4] { // ceil(2 × 90 / 60), or one more where slightly more was measured
		t.Errorf("it went to 8 by %v, and not by the usage of its pods", counts)
	}
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
}

// replicaSetOf makes the pods of a Rollout, each of which uses 225m of its 250m.
func (p *place) replicaSetOf(rollout *unstructured.Unstructured) {
	p.t.Helper()
	template, _, err := unstructured.NestedMap(rollout.Object, "spec", "template")
	if err != nil {
		p.t.Fatal(err)
	}
	set := &appsv1.ReplicaSet{}
	text, err := yaml.Marshal(map[string]any{"spec": map[string]any{
		"replicas": 1, "selector": map[string]any{"matchLabels": map[string]any{"app": "web"}}, "template": template,
	}})
	if err == nil {
		err = yaml.Unmarshal(text, set)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	set.Name, set.Namespace = "web-1", p.name
	set.Spec.Template.Annotations = map[string]string{"kwok.x-k8s.io/usage-cpu": "225m"}
	set.OwnerReferences = []metav1.OwnerReference{{APIVersion: "argoproj.io/v1alpha1", Kind: "Rollout", Name: "web", UID: rollout.GetUID(), Controller: new(true)}}
	if err := world.Create(p.t.Context(), set); err != nil {
		p.t.Fatal(err)
	}
}

// followed gives the ReplicaSet a count, and notes in the Rollout how many there are.
func (p *place) followed(rollout *unstructured.Unstructured, n int64) error {
	set := &appsv1.ReplicaSet{}
	if err := p.get(set, "web-1"); err != nil {
		return err
	}
	if *set.Spec.Replicas != int32(n) {
		p.patch(set, "web-1", `{spec: {replicas: %d}}`, n)
	}
	status := map[string]any{"HPAReplicas": int64(set.Status.Replicas), "selector": "app=web"}
	if err := unstructured.SetNestedMap(rollout.Object, status, "status"); err != nil {
		return err
	}
	return world.Status().Update(p.t.Context(), rollout)
}

// defineRollouts defines what Argo's definition says of the scale subresource; the rest of
// a Rollout is its controller's to read.
func defineRollouts(t *testing.T) {
	t.Helper()
	crd := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: rollouts.argoproj.io}, spec: {group: argoproj.io, scope: Namespaced,
		names: {plural: rollouts, singular: rollout, kind: Rollout, listKind: RolloutList},
		versions: [{name: v1alpha1, served: true, storage: true,
			subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.HPAReplicas, labelSelectorPath: .status.selector}},
			schema: {openAPIV3Schema: {type: object, properties: {
				spec: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {replicas: {type: integer}}},
				status: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {HPAReplicas: {type: integer}, selector: {type: string}}}}}}}]}}`), &crd.Object); err != nil {
		t.Fatal(err)
	}
	if err := world.Create(t.Context(), crd); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), crd) })
}
