package deletioncost_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply/deletioncost"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// listed are the pods of a workload.
type listed struct{ client.Reader }

func (l listed) Of(ctx context.Context, _ targetref.Target) ([]*corev1.Pod, error) {
	var all corev1.PodList
	err := l.List(ctx, &all)
	var out []*corev1.Pod
	for i := range all.Items {
		out = append(out, &all.Items[i])
	}
	return out, err
}

func pod(name, cost, ours string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, Annotations: map[string]string{}}}
	for key, value := range map[string]string{corev1.PodDeletionCost: cost, v1alpha1.DeletionCostAnnotation: ours} {
		if value != "" {
			p.Annotations[key] = value
		}
	}
	return p
}

// TestPodsAreMarked: those that leave, the first with the lowest cost. Marks of ours are
// taken back from those that stay, costs of others are left alone, and what is right
// is not written.
func TestPodsAreMarked(t *testing.T) {
	for name, tc := range map[string]struct {
		pods    []client.Object
		leaving []string
		want    map[string]string
		writes  int
	}{
		"two leave":          {[]client.Object{pod("a", "", ""), pod("b", "", ""), pod("c", "", "")}, []string{"c", "a"}, map[string]string{"a": "-1", "c": "-2"}, 2},
		"they are marked":    {[]client.Object{pod("a", "-1", "-1"), pod("b", "", ""), pod("c", "-2", "-2")}, []string{"c", "a"}, map[string]string{"a": "-1", "c": "-2"}, 0},
		"another one leaves": {[]client.Object{pod("a", "-1", "-1"), pod("b", "", "")}, []string{"b"}, map[string]string{"b": "-1"}, 2},
		"nobody leaves":      {[]client.Object{pod("a", "-1", "-1"), pod("b", "", "")}, nil, map[string]string{}, 1},
		"somebody else's":    {[]client.Object{pod("a", "100", ""), pod("b", "5", "-1")}, []string{"a", "b"}, map[string]string{"a": "100", "b": "5"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			writes := 0
			api := interceptor.NewClient(fake.NewClientBuilder().WithObjects(tc.pods...).Build(), interceptor.Funcs{
				Patch: func(ctx context.Context, c client.WithWatch, o client.Object, p client.Patch, opts ...client.PatchOption) error {
					writes++
					return c.Patch(ctx, o, p, opts...)
				},
			})
			out, err := (&deletioncost.Applier{Pods: listed{api}, Client: api}).Apply(t.Context(), targetref.Target{}, scale.Decision{Leaving: tc.leaving})
			if err != nil || len(out.Waiting) > 0 || writes != tc.writes {
				t.Errorf("error %v, waiting %v, %d writes, want %d", err, out.Waiting, writes, tc.writes)
			}
			all, err := listed{api}.Of(t.Context(), targetref.Target{})
			got := map[string]string{}
			for _, p := range all {
				if cost, has := p.Annotations[corev1.PodDeletionCost]; has {
					got[p.Name] = cost
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("error %v, costs (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestPodsThatCannotBeMarkedAreTold, once, and the count falls all the same.
func TestPodsThatCannotBeMarkedAreTold(t *testing.T) {
	tries := 0
	api := interceptor.NewClient(fake.NewClientBuilder().WithObjects(pod("a", "", ""), pod("b", "", "")).Build(), interceptor.Funcs{
		Patch: func(context.Context, client.WithWatch, client.Object, client.Patch, ...client.PatchOption) error {
			tries++
			return apierrors.NewForbidden(schema.GroupResource{Resource: "pods"}, "a", nil)
		},
	})
	out, err := (&deletioncost.Applier{Pods: listed{api}, Client: api}).Apply(t.Context(), targetref.Target{}, scale.Decision{Leaving: []string{"a", "b"}})
	if err != nil || tries != 1 || !strings.Contains(fmt.Sprint(out.Waiting), "turn nodeAutoscalers.deletionCost on") {
		t.Errorf("error %v after %d tries, waiting %v", err, tries, out.Waiting)
	}
}
