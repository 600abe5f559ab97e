package pods_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/targetref"
)

// direct is an index over an API server that has no index, and what was listed there.
func direct(t *testing.T) (index *pods.Index, listed *[]string) {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, corev1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	all := cluster()
	for _, obj := range all {
		if set, ok := obj.(*appsv1.ReplicaSet); ok {
			name, _, _ := strings.Cut(set.Name, "-")
			set.Labels = map[string]string{"app": name}
		}
	}
	all = append(all, &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"},
		Spec: appsv1.DeploymentSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}})
	listed = &[]string{}
	api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(all...).WithInterceptorFuncs(interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			var o client.ListOptions
			o.ApplyOptions(opts)
			selector := "everything"
			if o.LabelSelector != nil {
				selector = o.LabelSelector.String()
			}
			*listed = append(*listed, o.Namespace+" "+selector)
			return c.List(ctx, list, opts...)
		}}).Build()
	return pods.NewIndex(pods.Config{Cache: pods.Direct{Reader: api}, Indexer: indexes{}, Targets: workloads{
		"Deployment": {UID: "d1", Selector: "app=web"}, "StatefulSet": {UID: "s1", Selector: "app=db"}, "Fleet": {UID: "f1", Selector: "app=fleet"},
	}}), listed
}

// TestDirect: without watches the pods of a workload are those that an index finds,
// and a namespace is never listed as a whole.
func TestDirect(t *testing.T) {
	for name, tt := range map[string]struct {
		kind, selector string
		want           []string
	}{
		"a Deployment":              {"Deployment", "app=web", []string{"web-1-a", "web-1-b", "web-2-a"}},
		"a StatefulSet":             {"StatefulSet", "app=db", []string{"db-0"}},
		"a kind with hidden owners": {"Fleet", "app=fleet", []string{"fleet-a"}},
	} {
		t.Run(name, func(t *testing.T) {
			index, listed := direct(t)
			found, err := index.Of(pods.Looking(t.Context(), tt.selector), targetref.Target{APIVersion: "example.com/v1", Kind: tt.kind, Namespace: "shop", Name: "any"})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range found {
				got = append(got, p.Name)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			for _, l := range *listed {
				if l != "shop "+tt.selector {
					t.Errorf("listed %s", l)
				}
			}
			if len(*listed) > 3 {
				t.Errorf("%d lists for one look: %v", len(*listed), *listed)
			}
		})
	}
}

// TestDirectAsksForOneWorkloadAlone: without a look, or without a way to choose the
// pods, nothing is listed; the workload itself knows best how they are chosen.
func TestDirectAsksForOneWorkloadAlone(t *testing.T) {
	index, listed := direct(t)
	web := targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "web"}
	for name, ctx := range map[string]context.Context{"no look": t.Context(), "no selector": pods.Looking(t.Context(), "")} {
		t.Run(name, func(t *testing.T) {
			if _, err := index.Of(ctx, web); err == nil || len(*listed) != 0 {
				t.Errorf("%v, listed %v", err, *listed)
			}
		})
	}
	if _, err := index.Daemons(pods.Looking(t.Context(), "app=web")); err == nil || len(*listed) != 0 {
		t.Errorf("pods of all namespaces: %v, listed %v", err, *listed)
	}
	ctx := pods.Looking(t.Context(), "")
	if err := index.Cache.Get(ctx, client.ObjectKey{Namespace: "shop", Name: "web"}, &appsv1.Deployment{}); err != nil {
		t.Fatal(err)
	}
	if found, err := index.Of(ctx, web); err != nil || len(found) != 3 {
		t.Errorf("%d pods, %v", len(found), err)
	}
}
