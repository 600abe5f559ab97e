package live_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/scale"
)

const (
	nodesPath   = "/apis/metrics.k8s.io/v1beta1/nodes"
	headroom    = `{replicas: {max: 10}, metrics: [{type: Resource, resource: {name: cpu}}], learn: {headroom: {risk: "0.03", minPercent: 11, maxPercent: 20}}}`
	sharedNode  = `{"metadata":{"name":"n1"},"timestamp":"2026-01-05T09:59:41Z","window":"30s","usage":{"cpu":"3100m","memory":"1Gi"}}`
	nodesListed = `{"kind":"NodeMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[` + sharedNode + `]}`
)

// lister counts lists of nodes, and may refuse them.
type lister struct {
	client.Reader
	lists     int
	forbidden bool
}

func (l *lister) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	if _, ofNodes := list.(*corev1.NodeList); ofNodes {
		if l.lists++; l.forbidden {
			return apierrors.NewForbidden(schema.GroupResource{Resource: "nodes"}, "", nil)
		}
	}
	return l.Reader.List(ctx, list, opts...)
}

// newRoom is a world whose two pods, which request 600m each, are on a node that
// has four cores for pods. They use 800m, and everything on the node 3.1 cores.
func newRoom(t *testing.T) (w *world, nodes *lister, logged *[]string) {
	t.Helper()
	nodes, logged = &lister{}, new([]string)
	w = newWorld(t, func(c *live.Config) {
		nodes.Reader, c.Live = c.Cache, nodes
		c.Log = funcr.New(func(_, args string) { *logged = append(*logged, args) }, funcr.Options{})
	})
	w.changed[nodesPath] = nodesListed
	for _, name := range []string{"web-1-a", "web-1-b"} {
		var pod corev1.Pod
		if err := w.cache.Get(t.Context(), client.ObjectKey{Namespace: "shop", Name: name}, &pod); err != nil {
			t.Fatal(err)
		}
		pod.Spec.NodeName = "n1"
		if err := w.cache.Update(t.Context(), &pod); err != nil {
			t.Fatal(err)
		}
	}
	size := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")}
	if err := w.cache.Create(t.Context(), &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n1"}, Status: corev1.NodeStatus{Allocatable: size}}); err != nil {
		t.Fatal(err)
	}
	return w, nodes, logged
}

// roomAt looks after a while.
func (w *world) roomAt(after time.Duration, spec string) (*scale.Room, []string) {
	w.t.Helper()
	request := w.question(spec)
	request.At = monday.Add(after)
	w.clock.SetTime(request.At)
	result, err := w.observer.Observe(w.t.Context(), request)
	if err != nil {
		w.t.Fatal(err)
	}
	return result.Observation.Room, result.Problems
}

// TestRoomOfNodes: 4 − (3.1 − 0.8) − 1.2 = 0.5 cores are left for 1.2 that are
// requested. The lists are shared, and nobody asks for them who does not want to
// know.
func TestRoomOfNodes(t *testing.T) {
	w, nodes, _ := newRoom(t)
	if room, _ := w.roomAt(0, everyMetric); room != nil || nodes.lists != 0 {
		t.Errorf("without headroom: %+v after %d lists", room, nodes.lists)
	}
	want := &scale.Room{At: monday.Add(-19 * time.Second), Share: 416, Largest: 4000}
	room, problems := w.roomAt(0, headroom)
	if diff := cmp.Diff(want, room); diff != "" || len(problems) > 0 {
		t.Errorf("(-want +got)\n%s%q", diff, problems)
	}
	before := w.count()
	if _, _ = w.roomAt(2*time.Second, headroom); w.count() != before || nodes.lists != 1 {
		t.Errorf("a second look made %d requests and %d lists of nodes", w.count()-before, nodes.lists-1)
	}
	// The answer is from 09:59:41, so it is too old after 10:04:41.
	if room, problems := w.roomAt(4*time.Minute+42*time.Second, headroom); room != nil || len(problems) > 0 {
		t.Errorf("with a measurement of long ago: %+v %q", room, problems)
	}
	compatible := strings.Replace(headroom, "{replicas", "{compatibility: HPA, replicas", 1)
	compatible = strings.Replace(compatible, "resource: {name: cpu}", "resource: {name: cpu, target: {averageUtilization: 60}}", 1)
	if room, _ := w.roomAt(0, compatible); room != nil {
		t.Errorf("one that does as an HPA does sees a room of %+v", room)
	}
}

// TestRoomWithoutRights: each right that is missing is named at the object and
// logged once; there is no room, and all else goes on.
func TestRoomWithoutRights(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world, *lister, bool)
		want   string
	}{
		"list on nodes": {func(_ *world, l *lister, missing bool) { l.forbidden = missing }, "grant the controller's role list on nodes ("},
		"list on their metrics": {func(w *world, _ *lister, missing bool) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.forbidden = ""
			if missing {
				w.forbidden = nodesPath
			}
		}, "grant the controller's role list on nodes in metrics.k8s.io ("},
	} {
		t.Run(name, func(t *testing.T) {
			w, nodes, logged := newRoom(t)
			c.change(w, nodes, true)
			for i := range 3 {
				room, problems := w.roomAt(time.Duration(i)*20*time.Second, headroom)
				if room != nil || len(problems) != 1 || !strings.Contains(problems[0], c.want) {
					t.Errorf("look %d: %+v %q, want it to say %s", i, room, problems, c.want)
				}
			}
			c.change(w, nodes, false)
			if room, problems := w.roomAt(4*time.Minute, headroom); room == nil || len(problems) > 0 {
				t.Errorf("with the right: %+v %q", room, problems)
			}
			if all := strings.Join(*logged, "\n"); len(*logged) != 2 || !strings.Contains(all, "is not known") || !strings.Contains(all, "known again") {
				t.Errorf("logged\n%s", all)
			}
		})
	}
}

// TestANodeThatIsNew: a pod on a node that the list does not have yet leads to a
// new list after a minute, and until then only the other nodes count.
func TestANodeThatIsNew(t *testing.T) {
	w, nodes, _ := newRoom(t)
	w.roomAt(0, headroom)
	var pod corev1.Pod
	if err := w.cache.Get(t.Context(), client.ObjectKey{Namespace: "shop", Name: "web-1-b"}, &pod); err != nil {
		t.Fatal(err)
	}
	pod.Spec.NodeName = "n2"
	if err := w.cache.Update(t.Context(), &pod); err != nil {
		t.Fatal(err)
	}
	if err := w.cache.Create(t.Context(), &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: "n2"}, Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}},
	}); err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	w.changed[nodesPath] = strings.Replace(nodesListed, sharedNode, sharedNode+`,`+strings.ReplaceAll(strings.Replace(sharedNode, "n1", "n2", 1), "3100m", "1"), 1)
	w.mu.Unlock()
	// n1: 4 − (3.1 − 0.3) − 0.6 = 0.6 for 0.6.
	if room, _ := w.roomAt(30*time.Second, headroom); room == nil || room.Share != 1000 || nodes.lists != 1 {
		t.Errorf("before the new list: %+v after %d lists", room, nodes.lists)
	}
	// n2: 2 − (1 − 0.5) − 0.6 = 0.9 for 0.6: 1.5 for 1.2 in all.
	if room, _ := w.roomAt(61*time.Second, headroom); room == nil || room.Share != 1250 || nodes.lists != 2 {
		t.Errorf("after the new list: %+v after %d lists", room, nodes.lists)
	}
}

// TestRoomByKubelets: where kubelets speak for the pods they also do for the nodes,
// and nobody else is asked: of two cores on each node others use one, and 0.6 are
// requested. For a node whose kubelet is silent metrics-server is asked: there
// everything uses 1.8, of which web-1-b uses 0.5, so that 0.1 are left beside 0.4.
func TestRoomByKubelets(t *testing.T) {
	for name, c := range map[string]struct {
		silent string
		want   scale.Room
		asks   bool
	}{
		"both speak":       {want: scale.Room{At: monday.Add(10 * time.Second), Share: 666, Largest: 2000}},
		"one does not":     {silent: "n2", want: scale.Room{At: monday.Add(-19 * time.Second), Share: 416, Largest: 2000}, asks: true},
		"another does not": {silent: "n1", want: scale.Room{At: monday.Add(10 * time.Second), Share: 666, Largest: 2000}, asks: true},
	} {
		t.Run(name, func(t *testing.T) {
			w, k := newFresh(t)
			for _, node := range on {
				if err := w.cache.Create(t.Context(), &corev1.Node{
					ObjectMeta: metav1.ObjectMeta{Name: node}, Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("2")}},
				}); err != nil {
					t.Fatal(err)
				}
			}
			w.changed[nodesPath] = strings.ReplaceAll(strings.Replace(nodesListed, "n1", "n2", 1), "3100m", "1800m")
			k.silent[c.silent] = true
			before := w.count()
			got := w.lookNow(strings.Replace(headroom, "{replicas", "{behavior: {syncPeriodSeconds: 5}, replicas", 1)).Observation.Room
			if diff := cmp.Diff(&c.want, got); diff != "" || (w.count() != before) != c.asks {
				t.Errorf("(-want +got)\n%s%d requests to metrics-server", diff, w.count()-before)
			}
		})
	}
}
