package migrate

import (
	"context"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/internal/ui/feed"
)

// TestExamples: every object is there, with what lint, the conversion and the
// comparison say of it.
func TestExamples(t *testing.T) {
	d := Examples()
	all, err := d.Foreign(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]feed.ForeignObject{}
	for _, o := range all.Objects {
		by[o.ID] = o
		t.Logf("%+v", o)
		move, err := d.Move(t.Context(), o.ID)
		if err != nil || move.Refused != "" || !strings.Contains(move.Converted, "kind: WorkloadAutoscaler") || len(move.Fields) == 0 || move.YAML == "" {
			t.Errorf("%s: %v %+v", o.ID, err, move)
		}
		recommends(t, &move)
	}
	if len(by) != 6 {
		t.Fatalf("%d objects: %v", len(by), all.Notes)
	}
	web := by["HorizontalPodAutoscaler/shop/web"]
	if web.Verdict != "Equal" || web.Target != "Deployment web" || !slices.Equal(web.With, []string{"VerticalPodAutoscaler shop/web"}) {
		t.Errorf("web: %+v", web)
	}
	if checkout := by["HorizontalPodAutoscaler/shop/checkout"]; checkout.Errors+checkout.Warnings == 0 {
		t.Errorf("checkout: %+v", checkout)
	}
	move, err := d.Move(t.Context(), "ScaledObject/data/worker")
	if err != nil || !strings.Contains(move.Converted, "kind: ScaledObject") || len(move.Rows) == 0 || move.Words == "" {
		t.Errorf("%v: %+v", err, move)
	}
	if _, err := d.Move(t.Context(), "ScaledObject/data/none"); !errors.Is(err, feed.ErrUnknown) {
		t.Errorf("one that is not there: %v", err)
	}
}

// recommends checks that an object in mode Recommend is the converted one but for that.
func recommends(t *testing.T, m *feed.Move) {
	t.Helper()
	read := func(text string) (out []map[string]any) {
		for doc := range strings.SplitSeq(text, "---\n") {
			one := map[string]any{}
			if err := yaml.Unmarshal([]byte(doc), &one); err != nil {
				t.Fatal(err)
			}
			if spec, ok := one["spec"].(map[string]any); ok && one["kind"] == "WorkloadAutoscaler" {
				if text == m.Recommended && spec["mode"] != "Recommend" {
					t.Errorf("%s: the mode is %v", m.ID, spec["mode"])
				}
				delete(spec, "mode")
			}
			out = append(out, one)
		}
		return out
	}
	if a, b := read(m.Converted), read(m.Recommended); !reflect.DeepEqual(a, b) {
		t.Errorf("%s: %v, want %v", m.ID, b, a)
	}
}

// TestNobodyWaits: what nobody waits for is not sorted out, and nobody waits in line who
// has gone.
func TestNobodyWaits(t *testing.T) {
	gone, stop := context.WithCancel(t.Context())
	stop()
	d := Examples()
	if _, err := d.Foreign(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("alone: %v", err)
	}
	asked, may := make(chan struct{}), make(chan struct{})
	d.Read = func(context.Context, func([]byte) error) ([]string, error) {
		close(asked)
		<-may
		return nil, nil
	}
	first := make(chan error)
	go func() {
		_, err := d.Foreign(t.Context())
		first <- err
	}()
	<-asked
	if _, err := d.Foreign(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("behind another: %v", err)
	}
	close(may)
	if err := <-first; err != nil {
		t.Errorf("who waits has %v", err)
	}
}

// TestCluster: what may be listed is shown without what only the cluster writes, what
// may not is named, and what was read is not read again at once.
func TestCluster(t *testing.T) {
	reads := 0
	list := func(_ context.Context, kind schema.GroupVersionResource, namespace string, _ metav1.ListOptions) (*unstructured.UnstructuredList, error) {
		switch kind.Resource {
		case "horizontalpodautoscalers":
			reads++
			return &unstructured.UnstructuredList{Items: []unstructured.Unstructured{{Object: map[string]any{
				"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
				"metadata": map[string]any{"name": "web", "namespace": namespace, "uid": "u", "resourceVersion": "7", "annotations": map[string]any{lastApplied: "secret"}},
				"spec":     map[string]any{"maxReplicas": int64(5), "scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
				"status":   map[string]any{"currentReplicas": int64(3)},
			}}}}, nil
		case "deployments":
			return nil, apierrors.NewForbidden(kind.GroupResource(), "", errors.New("no"))
		}
		return nil, apierrors.NewNotFound(kind.GroupResource(), "")
	}
	d := Cluster(list, "shop")
	now := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	d.Now = func() time.Time { return now }
	all, err := d.Foreign(t.Context())
	if err != nil || len(all.Objects) != 1 || len(all.Notes) != 1 || !strings.Contains(all.Notes[0], "may not list deployments") {
		t.Fatalf("%v: %+v", err, all)
	}
	move, err := d.Move(t.Context(), all.Objects[0].ID)
	if err != nil || reads != 1 {
		t.Errorf("%v after %d reads", err, reads)
	}
	if own := regexp.MustCompile("secret|uid|resourceVersion|status").FindString(move.YAML); own != "" {
		t.Errorf("%s is shown:\n%s", own, move.YAML)
	}
	now = now.Add(fresh)
	if _, err := d.Foreign(t.Context()); err != nil || reads != 2 {
		t.Errorf("%v after %d reads", err, reads)
	}
	broken := Cluster(func(context.Context, schema.GroupVersionResource, string, metav1.ListOptions) (*unstructured.UnstructuredList, error) {
		return nil, errors.New("gone")
	}, "")
	if _, err := broken.Foreign(t.Context()); err == nil {
		t.Error("a cluster that is gone is no error")
	}
}
