package migrate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/internal/listing"
)

// cluster is one in which each namespace has an HPA, and a token may list what it says.
func cluster(may map[string][]string) *Brought {
	now := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	return &Brought{now: func() time.Time { return now }, as: func(token string) (listing.Lister, error) {
		return func(_ context.Context, kind schema.GroupVersionResource, namespace string, _ metav1.ListOptions) (*unstructured.UnstructuredList, error) {
			if kind.Resource != "horizontalpodautoscalers" {
				return nil, apierrors.NewNotFound(kind.GroupResource(), "")
			}
			if !slices.Contains(may[token], namespace) {
				return nil, apierrors.NewForbidden(kind.GroupResource(), "", errors.New("no"))
			}
			out := &unstructured.UnstructuredList{}
			for _, of := range []string{"bank", "shop"} {
				if namespace == "" || namespace == of {
					out.Items = append(out.Items, unstructured.Unstructured{Object: map[string]any{
						"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": map[string]any{"name": "web", "namespace": of},
						"spec": map[string]any{"maxReplicas": int64(5), "scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
					}})
				}
			}
			return out, nil
		}, nil
	}}
}

// TestBrought: each sees what the cluster lets them see, whatever they name, and nobody
// sees what was read for another.
func TestBrought(t *testing.T) {
	b := cluster(map[string][]string{"root": {""}, "ann": {"shop"}, "bob": {"bank"}})
	for _, c := range []struct {
		name, token string
		named       []string
		want, note  string
	}{
		{"all", "root", nil, "bank shop", ""},
		{"all, and one that is named", "root", []string{"shop"}, "bank shop", ""},
		{"her own", "ann", []string{"shop"}, "shop", ""},
		{"his own", "bob", []string{"bank"}, "bank", ""},
		{"another's", "bob", []string{"bank", "shop"}, "bank", "you may not list horizontalpodautoscalers in shop"},
		{"another's alone", "ann", []string{"bank"}, "", "in bank"},
		{"none that is named", "ann", nil, "", "you may not list horizontalpodautoscalers:"},
		{"nobody", "eve", []string{"shop"}, "", "in shop"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := b.Of(c.token, c.named)
			if err != nil {
				t.Fatal(err)
			}
			all, err := d.Foreign(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range all.Objects {
				got = append(got, o.Namespace)
			}
			if strings.Join(got, " ") != c.want || !strings.Contains(strings.Join(all.Notes, "\n"), c.note) || c.note == "" && len(all.Notes) > 0 {
				t.Errorf("%v: %v", got, all.Notes)
			}
		})
	}
	if len(b.desks) > mostDesks {
		t.Errorf("%d desks are kept", len(b.desks))
	}
}

// TestDesksAreForgotten: what was read for someone is not kept for longer than it is
// shown again.
func TestDesksAreForgotten(t *testing.T) {
	b := cluster(map[string][]string{"root": {""}})
	first, err := b.Of("root", nil)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := b.Of("root", nil); again != first {
		t.Error("it is read again at once")
	}
	later := b.now().Add(fresh)
	b.now = func() time.Time { return later }
	if again, _ := b.Of("root", nil); again == first || len(b.desks) != 1 {
		t.Errorf("it is kept: %d desks", len(b.desks))
	}
}
