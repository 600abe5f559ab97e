package live_test

import (
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/kubelet"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/internal/observe/observetest"
	"github.com/tidemark/tidemark/scale"
)

// kubelets are those of two nodes with a pod each, which use 200 and 400
// thousandths of a core, where 1.2 and 1.4 are used in all. They measure when they are asked, and write no time.
type kubelets struct {
	w *world

	mu       sync.Mutex
	requests int
	// silent are nodes that do not answer; refuse is all that the others say.
	silent map[string]bool
	refuse bool
	// found counts what was told of the age of usage.
	found map[string][]time.Duration
}

var on = map[string]string{"web-1-a": "n1", "web-1-b": "n2"}

func (k *kubelets) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.requests++
	node := strings.Trim(r.URL.Path, "/")
	switch {
	case k.refuse:
		out.WriteHeader(http.StatusForbidden)
		return
	case k.silent[node]:
		out.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	for pod, rate := range map[string]int64{"web-1-a": 200, "web-1-b": 400} {
		if on[pod] == node {
			used := float64(k.w.clock.Now().Sub(monday).Milliseconds()*rate) / 1e6
			fmt.Fprintf(out, "container_cpu_usage_seconds_total{container=\"app\",namespace=\"shop\",pod=%q} %v\n", pod, 100+used)
			fmt.Fprintf(out, "container_memory_working_set_bytes{container=\"app\",namespace=\"shop\",pod=%q} 2097152\n", pod)
			all := float64(k.w.clock.Now().Sub(monday).Milliseconds()*(rate+1000)) / 1e6
			fmt.Fprintf(out, "node_cpu_usage_seconds_total %v\n", 9000+all)
		}
	}
}

// newFresh is a world whose kubelets are asked, with two readings of each
// behind it.
func newFresh(t *testing.T) (*world, *kubelets) {
	t.Helper()
	k := &kubelets{silent: map[string]bool{}, found: map[string][]time.Duration{}}
	server := httptest.NewUnstartedServer(k)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(at.Port())
	if err != nil {
		t.Fatal(err)
	}
	account := types.NamespacedName{Namespace: "tidemark-system", Name: "tidemark-kubelets"}
	objects := []client.Object{&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: account.Namespace, Name: account.Name}}}
	for _, name := range on {
		objects = append(objects, &corev1.Node{
			ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{"metrics.k8s.io/resource-metrics-path": "/" + name}},
			Status: corev1.NodeStatus{
				Addresses:       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: at.Hostname()}},
				DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(port)}},
			},
		})
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	w := newWorld(t, func(c *live.Config) {
		c.Kubelets = &kubelet.Config{
			API: fake.NewClientBuilder().WithObjects(objects...).Build(), REST: &rest.Config{TLSClientConfig: rest.TLSClientConfig{CAData: authority}},
			Nodes: labels.Everything(), Account: account, Every: time.Second, Patience: time.Minute,
		}
		c.OnUsage = func(source string, age time.Duration) {
			k.mu.Lock()
			defer k.mu.Unlock()
			k.found[source] = append(k.found[source], age)
		}
	})
	k.w = w
	for name, node := range on {
		var pod corev1.Pod
		if err := w.cache.Get(t.Context(), client.ObjectKey{Namespace: "shop", Name: name}, &pod); err != nil {
			t.Fatal(err)
		}
		pod.Spec.NodeName = node
		if err := w.cache.Update(t.Context(), &pod); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		w.lookNow(byCPU)
		w.clock.SetTime(w.clock.Now().Add(5 * time.Second))
	}
	clear(k.found)
	return w, k
}

const byCPU = `
replicas: {max: 10}
behavior: {syncPeriodSeconds: 5}
metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]
`

// lookNow looks at the moment of the clock.
func (w *world) lookNow(text string) observe.Result {
	w.t.Helper()
	request := w.question(text)
	request.At = w.clock.Now()
	result, err := w.observer.Observe(w.t.Context(), request)
	if err != nil {
		w.t.Fatal(err)
	}
	return result
}

// rows are what was seen of each pod: its name, cpu in thousandths, and the age
// and the window of that.
func rows(r observe.Result) []string {
	var out []string
	for i := range r.Observation.Pods {
		p := &r.Observation.Pods[i]
		row := p.Name + " unknown"
		if used, known := p.Containers[0].Usage.Get(scale.CPU); known {
			row = fmt.Sprintf("%s %d, %s old, over %s", p.Name, used, r.Observation.At.Sub(p.UsageAt), p.UsageWindow)
		}
		out = append(out, row)
	}
	slices.Sort(out)
	return out
}

func TestFreshUsage(t *testing.T) {
	for name, tt := range map[string]struct {
		spec     string
		prepare  func(*world, *kubelets)
		want     []string
		problems []string
		listed   bool
	}{
		"from every kubelet": {want: []string{"web-1-a 200, 0s old, over 5s", "web-1-b 400, 0s old, over 5s"}},
		"from metrics-server where a node does not answer": {
			prepare: func(_ *world, k *kubelets) { k.silent["n2"] = true }, listed: true,
			want: []string{"web-1-a 200, 0s old, over 5s", "web-1-b 500, 25s old, over 30s"},
		},
		"a gap where metrics-server only knows what was before": {
			prepare: func(w *world, k *kubelets) {
				w.lookNow(byCPU)
				w.clock.SetTime(w.clock.Now().Add(5 * time.Second))
				k.silent["n2"] = true
			}, listed: true,
			want: []string{"web-1-a 200, 0s old, over 5s", "web-1-b unknown"},
		},
		"from metrics-server where it knows what came after": {
			prepare: func(w *world, k *kubelets) {
				w.lookNow(byCPU)
				w.clock.SetTime(w.clock.Now().Add(15 * time.Second))
				k.silent["n2"] = true
				path := "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods"
				w.changed[path] = strings.ReplaceAll(answers[path], "2026-01-05T09:59:45Z", "2026-01-05T10:00:10Z")
			}, listed: true,
			want: []string{"web-1-a 200, 0s old, over 15s", "web-1-b 500, 15s old, over 30s"},
		},
		"a gap where metrics-server fails as well": {
			prepare: func(w *world, k *kubelets) { k.silent["n2"], w.broken = true, true }, listed: true,
			want:     []string{"web-1-a 200, 0s old, over 5s", "web-1-b unknown"},
			problems: []string{"look at metrics-server"},
		},
		"as an HPA sees it": {
			spec: byCPU + "compatibility: HPA", listed: true,
			want: []string{"web-1-a 300, 30s old, over 30s", "web-1-b 500, 25s old, over 30s"},
		},
		"from metrics-server where a container is unknown": {
			prepare: func(w *world, _ *kubelets) {
				var pod corev1.Pod
				if err := w.cache.Get(w.t.Context(), client.ObjectKey{Namespace: "shop", Name: "web-1-a"}, &pod); err != nil {
					w.t.Fatal(err)
				}
				pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "proxy"})
				if err := w.cache.Update(w.t.Context(), &pod); err != nil {
					w.t.Fatal(err)
				}
			}, listed: true,
			want: []string{"web-1-a 300, 30s old, over 30s", "web-1-b 400, 0s old, over 5s"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, k := newFresh(t)
			if tt.prepare != nil {
				tt.prepare(w, k)
			}
			if tt.spec == "" {
				tt.spec = byCPU
			}
			before := w.count()
			got := w.lookNow(tt.spec)
			if diff := cmp.Diff(tt.want, rows(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if listed := w.count() > before; listed != tt.listed {
				t.Errorf("metrics-server was asked: %t, want %t", listed, tt.listed)
			}
			if len(got.Problems) != len(tt.problems) {
				t.Fatalf("problems %q, want %q", got.Problems, tt.problems)
			}
			for i, words := range tt.problems {
				if !strings.Contains(got.Problems[i], words) {
					t.Errorf("problem %q does not say %q", got.Problems[i], words)
				}
			}
		})
	}
}

// TestTheAgeOfUsageIsTold: by source, for every pod that was found.
func TestTheAgeOfUsageIsTold(t *testing.T) {
	w, k := newFresh(t)
	k.silent["n2"] = true
	w.lookNow(byCPU)
	want := map[string][]time.Duration{"kubelet": {0}, "metrics.k8s.io": {25 * time.Second}}
	if diff := cmp.Diff(want, k.found); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWithoutRightsToAskKubelets: metrics-server is asked as before, and the
// result says what to grant.
func TestWithoutRightsToAskKubelets(t *testing.T) {
	w, k := newFresh(t)
	k.refuse = true
	w.clock.SetTime(w.clock.Now().Add(20 * time.Minute))
	for range 3 {
		got := w.lookNow(byCPU)
		if len(got.Problems) != 1 || !strings.Contains(got.Problems[0], "get on nodes/metrics") {
			t.Errorf("problems %q", got.Problems)
		}
		if used := got.Observation.Pods[0].Containers[0].Usage; used.Empty() {
			t.Error("metrics-server was not asked")
		}
		w.clock.SetTime(w.clock.Now().Add(5 * time.Second))
	}
}

// TestContractWithKubelets: who asks kubelets is an Observer as any other.
func TestContractWithKubelets(t *testing.T) {
	observetest.Run(t, func(t *testing.T) observetest.World {
		w, k := newFresh(t)
		// What was asked before is too old now, also for a longer period.
		w.clock.SetTime(w.clock.Now().Add(10 * time.Second))
		request := w.question(everyMetric)
		request.At = w.clock.Now()
		return observetest.World{
			Observer: w.observer, Request: request,
			Requests: func() int {
				k.mu.Lock()
				defer k.mu.Unlock()
				return k.requests + w.count()
			},
			Break: func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				k.mu.Lock()
				defer k.mu.Unlock()
				w.broken, k.silent["n1"], k.silent["n2"] = true, true, true
			},
			RemoveTarget: func() {
				if err := w.cache.Delete(t.Context(), &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}
