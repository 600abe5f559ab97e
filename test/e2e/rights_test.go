//go:build e2e

package e2e

import (
	"context"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// TestMissingRightsAreNamed lets an object scale a kind that the installed role
// does not have. One right after the other is granted, as the condition asks.
func TestMissingRightsAreNamed(t *testing.T) {
	share(t)
	defineBoats(t)
	p := newPlace(t)
	boat := &unstructured.Unstructured{}
	boat.SetGroupVersionKind(schema.GroupVersionKind{Group: "e2e.example.com", Version: "v1", Kind: "Boat"})
	eventually(t, patience, func() error {
		boat.SetNamespace(p.name)
		boat.SetName("web")
		boat.Object["spec"] = map[string]any{"replicas": int64(2)}
		return world.Create(t.Context(), boat)
	})
	p.queue("40")
	p.autoscaler("web", `{targetRef: {apiVersion: e2e.example.com/v1, kind: Boat, name: web}, replicas: {min: 1, max: 9},
		metrics: [{type: External, external: {metric: {name: queue_length}, target: {averageValue: 10}}}]}`)
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Forbidden", "get", "boats"))

	role := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "boats-", Labels: map[string]string{"rbac.tidemark.dev/aggregate-to-controller": "true"}},
		Rules: []rbacv1.PolicyRule{
			{APIGroups: []string{"e2e.example.com"}, Resources: []string{"boats/scale"}, Verbs: []string{"get"}},
			{APIGroups: []string{"e2e.example.com"}, Resources: []string{"boats"}, Verbs: []string{"get", "list", "watch"}},
		},
	}
	if err := world.Create(t.Context(), role); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), role) })
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Forbidden", "update", "boats/scale"))

	role.Rules[0].Verbs = append(role.Rules[0].Verbs, "update")
	if err := world.Update(t.Context(), role); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, p.shows("web", "AbleToScale", "True", "Ready"))
	if err := p.get(boat, "web"); err != nil {
		t.Fatal(err)
	}
	if got, _, err := unstructured.NestedInt64(boat.Object, "spec", "replicas"); got != 4 || err != nil {
		t.Errorf("there are %d replicas, want 4; error %v", got, err)
	}
}

// defineBoats makes a kind that has nothing but a count.
func defineBoats(t *testing.T) {
	t.Helper()
	definition := &unstructured.Unstructured{}
	err := yaml.Unmarshal([]byte(`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: boats.e2e.example.com},
		spec: {group: e2e.example.com, scope: Namespaced, names: {kind: Boat, plural: boats}, versions: [{name: v1, served: true, storage: true,
		subresources: {scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}, schema: {openAPIV3Schema: {type: object,
		properties: {spec: {type: object, properties: {replicas: {type: integer}}}, status: {type: object, properties: {replicas: {type: integer}}}}}}}]}}`), &definition.Object)
	if err != nil {
		t.Fatal(err)
	}
	if err := world.Create(t.Context(), definition); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), definition) })
}
