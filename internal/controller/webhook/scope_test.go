package webhook

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// listing is a cache that lists.
type listing struct {
	cache.Cache
	client.Reader
}

func (l listing) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	return l.Reader.Get(ctx, key, obj, opts...)
}

func (l listing) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return l.Reader.List(ctx, list, opts...)
}

func in(namespace string) func(*v1alpha1.WorkloadAutoscaler) {
	return func(obj *v1alpha1.WorkloadAutoscaler) { obj.Namespace = namespace }
}

func sizesNothing(obj *v1alpha1.WorkloadAutoscaler) { obj.Spec.Containers = nil }

// TestOnlyNamespacesWithSizedPodsAreAskedAbout: all others never wait. What the
// installation says of namespaces stays.
func TestOnlyNamespacesWithSizedPodsAreAskedAbout(t *testing.T) {
	for name, tc := range map[string]struct {
		objects []client.Object
		want    []string
	}{
		"no object":          {nil, []string{""}},
		"one that sizes":     {[]client.Object{object("web")}, []string{"shop"}},
		"one that does not":  {[]client.Object{object("web"), object("web", in("other"), sizesNothing)}, []string{"shop"}},
		"each of them once":  {[]client.Object{object("web"), object("api"), object("web", in("bank"))}, []string{"bank", "shop"}},
		"one that may later": {[]client.Object{object("web", undecided)}, []string{"shop"}},
	} {
		t.Run(name, func(t *testing.T) {
			scheme := runtime.NewScheme()
			if err := v1alpha1.AddToScheme(scheme); err != nil {
				t.Fatal(err)
			}
			if err := admissionregistrationv1.AddToScheme(scheme); err != nil {
				t.Fatal(err)
			}
			installed := metav1.LabelSelectorRequirement{Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"kube-system"}}
			old := metav1.LabelSelectorRequirement{Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpIn, Values: []string{"gone"}}
			config := &admissionregistrationv1.MutatingWebhookConfiguration{
				ObjectMeta: metav1.ObjectMeta{Name: "tidemark"},
				Webhooks: []admissionregistrationv1.MutatingWebhook{{
					Name: "pods.tidemark.dev", NamespaceSelector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{installed, old}},
				}},
			}
			api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(append(tc.objects, config)...).Build()
			s := &Scope{Configuration: "tidemark", Objects: listing{Reader: api}, Direct: api, Writer: api}
			versions := map[string]bool{}
			for range 2 {
				s.names = nil
				if err := s.round(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err := api.Get(t.Context(), types.NamespacedName{Name: "tidemark"}, config); err != nil {
					t.Fatal(err)
				}
				versions[config.ResourceVersion] = true
			}
			want := []metav1.LabelSelectorRequirement{installed, {Key: old.Key, Operator: old.Operator, Values: tc.want}}
			if diff := cmp.Diff(want, config.Webhooks[0].NamespaceSelector.MatchExpressions); diff != "" {
				t.Errorf("selector (-want +got):\n%s", diff)
			}
			if len(versions) != 1 {
				t.Error("it is written again although nothing changed")
			}
		})
	}
}
