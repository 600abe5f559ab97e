package pods_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/observe/target"
	"github.com/tidemark/tidemark/internal/targetref"
)

// workloads answers for the identity of each kind of target.
type workloads map[string]target.Scale

func (w workloads) Read(_ context.Context, t targetref.Target) (target.Scale, error) {
	return w[t.Kind], nil
}

// indexes collects what is indexed, as a manager's cache would.
type indexes map[string]int

func (i indexes) IndexField(_ context.Context, _ client.Object, field string, _ client.IndexerFunc) error {
	i[field]++
	return nil
}

func ownedBy(kind, name string, uid types.UID) []metav1.OwnerReference {
	yes := true
	api := "apps/v1"
	if kind == "Rollout" || kind == "Fleet" {
		api = "example.com/v1"
	}
	return []metav1.OwnerReference{{APIVersion: api, Kind: kind, Name: name, UID: uid, Controller: &yes}}
}

func aPod(name string, owners []metav1.OwnerReference, app string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, OwnerReferences: owners, Labels: map[string]string{"app": app, "tier": "x"}}}
}

func aSet(name string, uid types.UID, owners []metav1.OwnerReference) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: uid, OwnerReferences: owners}}
}

func cluster() []client.Object {
	elsewhere := aPod("web-1-z", ownedBy("ReplicaSet", "web-1", "rs1"), "web")
	elsewhere.Namespace = "other"
	return []client.Object{
		aSet("web-1", "rs1", ownedBy("Deployment", "web", "d1")),
		aSet("web-2", "rs2", ownedBy("Deployment", "web", "d1")),
		aSet("blue-1", "rs3", ownedBy("Rollout", "blue", "r1")),
		aSet("lone", "rs4", nil),
		aPod("web-2-a", ownedBy("ReplicaSet", "web-2", "rs2"), "web"),
		aPod("web-1-b", ownedBy("ReplicaSet", "web-1", "rs1"), "web"),
		aPod("web-1-a", ownedBy("ReplicaSet", "web-1", "rs1"), "web"),
		aPod("blue-1-a", ownedBy("ReplicaSet", "blue-1", "rs3"), "blue"),
		aPod("lone-a", ownedBy("ReplicaSet", "lone", "rs4"), "lone"),
		aPod("db-0", ownedBy("StatefulSet", "db", "s1"), "db"),
		aPod("stranger", nil, "web"),
		aPod("fleet-a", ownedBy("StatefulSet", "hidden", "s9"), "fleet"),
		elsewhere,
	}
}

func newIndex(t *testing.T, added indexes, funcs interceptor.Funcs) *pods.Index {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, corev1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	set := &metav1.PartialObjectMetadata{}
	set.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))
	cache := fake.NewClientBuilder().WithScheme(scheme).WithObjects(cluster()...).WithInterceptorFuncs(funcs).
		WithIndex(&corev1.Pod{}, "tidemark.controllerUID", pods.ControllerUID).
		WithIndex(set, "tidemark.controllerUID", pods.ControllerUID).
		WithIndex(&corev1.Pod{}, "tidemark.label", pods.LabelPairs).Build()
	return pods.NewIndex(pods.Config{Cache: cache, Indexer: added, Targets: workloads{
		"Deployment": {UID: "d1", Selector: "app=web"}, "StatefulSet": {UID: "s1", Selector: "app=db"}, "ReplicaSet": {UID: "rs4"},
		"Rollout": {UID: "r1", Selector: "app=blue"}, "Fleet": {UID: "f1", Selector: "app=fleet,tier in (x,y)"}, "Empty": {UID: "e1"},
		"Gone": {UID: "g1", Selector: "app=web"},
	}})
}

func TestOf(t *testing.T) {
	for name, tt := range map[string]struct {
		apiVersion, kind string
		want             []string
		labels           int
	}{
		"a Deployment through all its ReplicaSets": {"apps/v1", "Deployment", []string{"web-1-a", "web-1-b", "web-2-a"}, 0},
		"a StatefulSet directly":                   {"apps/v1", "StatefulSet", []string{"db-0"}, 0},
		"a ReplicaSet directly":                    {"apps/v1", "ReplicaSet", []string{"lone-a"}, 0},
		"another kind that owns ReplicaSets":       {"example.com/v1", "Rollout", []string{"blue-1-a"}, 0},
		"a kind with hidden owners, by labels":     {"example.com/v1", "Fleet", []string{"fleet-a"}, 1},
		"a kind that says nothing":                 {"example.com/v1", "Empty", []string{}, 0},
		"a workload without pods takes no others":  {"apps/v1", "Gone", []string{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			added := indexes{}
			index := newIndex(t, added, interceptor.Funcs{})
			for range 2 {
				found, err := index.Of(t.Context(), targetref.Target{APIVersion: tt.apiVersion, Kind: tt.kind, Namespace: "shop", Name: "any"})
				if err != nil {
					t.Fatal(err)
				}
				got := []string{}
				for _, p := range found {
					got = append(got, p.Name)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
			if added["tidemark.label"] != tt.labels {
				t.Errorf("the index of labels was added %d times, want %d", added["tidemark.label"], tt.labels)
			}
		})
	}
}

// TestANamespaceIsNeverWalked makes sure that every list goes through an index.
func TestANamespaceIsNeverWalked(t *testing.T) {
	lists := 0
	index := newIndex(t, indexes{}, interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			var o client.ListOptions
			o.ApplyOptions(opts)
			if lists++; o.FieldSelector == nil || o.FieldSelector.Empty() {
				t.Errorf("a list of %T without an index", list)
			}
			return c.List(ctx, list, opts...)
		},
	})
	for _, kind := range []string{"Deployment", "StatefulSet", "Rollout", "Fleet"} {
		t.Run(kind, func(t *testing.T) {
			if _, err := index.Of(t.Context(), targetref.Target{APIVersion: "example.com/v1", Kind: kind, Namespace: "shop", Name: "any"}); err != nil {
				t.Fatal(err)
			}
		})
	}
	if lists == 0 {
		t.Error("nothing was listed")
	}
}

func TestASelectorNoIndexCanHelpWith(t *testing.T) {
	index := newIndex(t, indexes{}, interceptor.Funcs{})
	index.Targets = workloads{"Fleet": {UID: "f1", Selector: "app!=web"}}
	if _, err := index.Of(t.Context(), targetref.Target{APIVersion: "example.com/v1", Kind: "Fleet", Namespace: "shop", Name: "any"}); err == nil {
		t.Error("no error, though only a walk could answer")
	}
}

func TestSetupIndexesOwnersAndDaemons(t *testing.T) {
	added := indexes{}
	if err := pods.Setup(t.Context(), added); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(indexes{"tidemark.controllerUID": 2, "tidemark.daemon": 1}, added); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
