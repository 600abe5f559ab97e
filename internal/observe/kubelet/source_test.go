package kubelet_test

import (
	"context"
	"encoding/pem"
	"errors"
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

	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/tidemark/tidemark/internal/observe/kubelet"
	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

var (
	monday  = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	account = types.NamespacedName{Namespace: "tidemark-system", Name: "tidemark-kubelets"}
)

// cluster is nodes that share an address, as fake ones do, and whoever asks
// them.
type cluster struct {
	t      *testing.T
	clock  *clocktesting.FakePassiveClock
	config kubelet.Config
	source *kubelet.Source
	// hangs is how the names of nodes begin that never answer, if any do.
	hangs string
	at    *url.URL

	mu     sync.Mutex
	logged []string
	// answers are the kubelets', by node; status, when set, is all they say.
	answers map[string]string
	status  map[string]int
	asked   []string
	token   string
	// refuse is what the API server refuses, as verb and resource.
	refuse map[string]bool
	api    []string
}

func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/nodes/"), "/metrics/resource")
	if c.hangs != "" && strings.HasPrefix(name, c.hangs) {
		<-r.Context().Done()
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked, c.token = append(c.asked, name), r.Header.Get("Authorization")
	if accepts := r.Header.Get("Accept"); !strings.HasPrefix(accepts, "text/plain") || !strings.Contains(accepts, "*/*") {
		w.WriteHeader(http.StatusNotAcceptable)
		return
	}
	if status := c.status[name]; status != 0 {
		w.Header().Set("Location", "/nodes/elsewhere/metrics/resource")
		w.WriteHeader(status)
		return
	}
	fmt.Fprint(w, c.answers[name])
}

func (c *cluster) requests() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.asked)
}

func (c *cluster) say(node, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers[node] = text
}

// meet notes a request to the API server, and refuses it if it is to be.
func (c *cluster) meet(request, resource string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.api = append(c.api, request)
	if c.refuse[request] {
		return apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", errors.New("no"))
	}
	return nil
}

// node is one whose kubelet is at the address that all share.
func (c *cluster) node(name string) *corev1.Node {
	c.t.Helper()
	port, err := strconv.Atoi(c.at.Port())
	if err != nil {
		c.t.Fatal(err)
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: map[string]string{"name": name},
			Annotations: map[string]string{"metrics.k8s.io/resource-metrics-path": "/nodes/" + name + "/metrics/resource"},
		},
		Status: corev1.NodeStatus{
			Addresses:       []corev1.NodeAddress{{Type: corev1.NodeHostName, Address: "nowhere.invalid"}, {Type: corev1.NodeInternalIP, Address: c.at.Hostname()}},
			DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(port)}},
		},
	}
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{
		t: t, clock: clocktesting.NewFakePassiveClock(monday),
		answers: map[string]string{}, status: map[string]int{}, refuse: map[string]bool{},
	}
	server := httptest.NewUnstartedServer(c)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	var err error
	if c.at, err = url.Parse(server.URL); err != nil {
		t.Fatal(err)
	}
	objects := []client.Object{&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: account.Namespace, Name: account.Name}}}
	for _, name := range []string{"n1", "n2", "virtual"} {
		objects = append(objects, c.node(name))
	}
	api := fake.NewClientBuilder().WithObjects(objects...).WithInterceptorFuncs(interceptor.Funcs{
		Get: func(ctx context.Context, api client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
			if _, isNode := obj.(*corev1.Node); isNode {
				if err := c.meet("get nodes", "nodes"); err != nil {
					return err
				}
			}
			return api.Get(ctx, key, obj, opts...)
		},
		SubResourceCreate: func(ctx context.Context, api client.Client, sub string, obj, of client.Object, opts ...client.SubResourceCreateOption) error {
			if err := c.meet("create "+sub, sub); err != nil {
				return err
			}
			return api.SubResource(sub).Create(ctx, obj, of, opts...)
		},
	}).Build()
	selected, err := labels.Parse("name!=virtual")
	if err != nil {
		t.Fatal(err)
	}
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	c.config = kubelet.Config{
		API: api, REST: &rest.Config{BearerToken: "the controller's own", TLSClientConfig: rest.TLSClientConfig{CAData: authority}},
		Nodes: selected, Account: account, Every: 4 * time.Second, Patience: time.Minute,
		Log: funcr.New(func(_, args string) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.logged = append(c.logged, args)
		}, funcr.Options{}),
	}
	if c.source, err = kubelet.New(c.config, snapshot.New(snapshot.Config{Clock: c.clock}), c.clock); err != nil {
		t.Fatal(err)
	}
	return c
}

// line is a series of a container in the text format, with the time in
// milliseconds that kubelets write.
func line(family, pod, container, value string, at time.Time) string {
	return fmt.Sprintf("%s{container=%q,namespace=\"shop\",pod=%q} %s %d\n", family, container, pod, value, at.UnixMilli())
}

// text is a kubelet's answer about pods with one container each, as Kubernetes
// 1.36 writes it.
func text(at time.Time, cpu map[string]string) string {
	var out strings.Builder
	out.WriteString("# HELP container_cpu_usage_seconds_total [STABLE] What it is.\n# TYPE container_cpu_usage_seconds_total counter\n")
	for pod, value := range cpu {
		out.WriteString(line("container_cpu_usage_seconds_total", pod, "app", value, at))
	}
	out.WriteString("# HELP container_memory_working_set_bytes [STABLE] What it is.\n# TYPE container_memory_working_set_bytes gauge\n")
	for pod := range cpu {
		out.WriteString(line("container_memory_working_set_bytes", pod, "app", "6.7108864e+07", at))
	}
	out.WriteString("# HELP container_start_time_seconds [STABLE] What it is.\n# TYPE container_start_time_seconds gauge\n")
	for pod := range cpu {
		fmt.Fprintf(&out, "container_start_time_seconds{container=\"app\",namespace=\"shop\",pod=%q} 1.767600000123e+09\n", pod)
	}
	out.WriteString("# HELP resource_scrape_error [STABLE] What it is.\n# TYPE resource_scrape_error gauge\nresource_scrape_error 0\n")
	return out.String()
}

func pod(name, node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: corev1.PodSpec{NodeName: node}, Status: corev1.PodStatus{Phase: corev1.PodRunning},
	}
}

func (c *cluster) look(pods ...*corev1.Pod) metricsapi.Usage {
	c.t.Helper()
	got, err := c.source.Usage(c.t.Context(), pods, time.Second)
	if err != nil {
		c.t.Fatal(err)
	}
	return got
}

func (c *cluster) pass(d time.Duration) { c.clock.SetTime(c.clock.Now().Add(d)) }

// warm lets every node say three things, ten seconds apart: the first is of an
// unknown age, the second a base, the third makes a rate of half a core.
func (c *cluster) warm(pods ...*corev1.Pod) metricsapi.Usage {
	c.t.Helper()
	var got metricsapi.Usage
	for i := range 3 {
		for _, name := range []string{"n1", "n2", "virtual"} {
			c.say(name, text(c.clock.Now().Add(-time.Second), map[string]string{"web-1": fmt.Sprint(100 + 5*i), "web-2": fmt.Sprint(300 + 5*i)}))
		}
		got = c.look(pods...)
		c.pass(10 * time.Second)
	}
	return got
}

var half = []metricsapi.ContainerUsage{{Name: "app", Usage: scale.Resources{}.With(scale.CPU, 500).With(scale.Memory, 64<<20*1000)}}

var equal = cmp.Comparer(func(a, b scale.Resources) bool { return a == b })

func TestUsage(t *testing.T) {
	c := newCluster(t)
	pending, ended := pod("web-3", ""), pod("web-2", "n2")
	ended.Status.Phase = corev1.PodSucceeded
	got := c.warm(pod("web-1", "n1"), pending, ended, pod("web-2", "virtual"))
	want := metricsapi.Usage{"web-1": {At: monday.Add(19 * time.Second), Window: 10 * time.Second, Containers: half}}
	if diff := cmp.Diff(want, got, equal); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"n1", "n1", "n1"}, c.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if c.token == "" || strings.Contains(c.token, "the controller's own") || !strings.HasPrefix(c.token, "Bearer ") {
		t.Errorf("the kubelet was shown %q, want a token of %s", c.token, account)
	}
	if diff := cmp.Diff(map[string]int{"get nodes": 2, "create token": 1}, counted(c.api)); diff != "" {
		t.Errorf("requests to the API server (-want +got):\n%s", diff)
	}
}

func counted(list []string) map[string]int {
	out := map[string]int{}
	for _, one := range list {
		out[one]++
	}
	return out
}

// TestOneRequestANodeAndPeriod: everyone on a node shares its answer, however
// often they look.
func TestOneRequestANodeAndPeriod(t *testing.T) {
	c := newCluster(t)
	c.warm(pod("web-1", "n1"))
	before := c.requests()
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { c.look(pod("web-1", "n1"), pod("web-2", "n1")) })
	}
	all.Wait()
	c.pass(4*time.Second - 1)
	c.look(pod("web-2", "n1"))
	if got := c.requests() - before; got != 1 {
		t.Errorf("%d requests, want one", got)
	}
	c.pass(1)
	if c.look(pod("web-2", "n1")); c.requests()-before != 2 {
		t.Errorf("%d requests after the time between two, want another", c.requests()-before)
	}
}

// TestANodeThatDoesNotAnswerIsAGap: its pods are left to others, and the other
// nodes are not affected.
func TestANodeThatDoesNotAnswerIsAGap(t *testing.T) {
	for name, spoil := range map[string]func(*cluster){
		"an error":           func(c *cluster) { c.status["n2"] = http.StatusInternalServerError },
		"a redirect":         func(c *cluster) { c.status["n2"] = http.StatusFound },
		"one that refuses":   func(c *cluster) { c.status["n2"] = http.StatusForbidden },
		"no text":            func(c *cluster) { c.say("n2", "<html>") },
		"too much text":      func(c *cluster) { c.say("n2", strings.Repeat("# "+strings.Repeat("x", 60_000)+"\n", 300)) },
		"could not measure":  func(c *cluster) { c.say("n2", text(c.clock.Now(), nil)+"scrape_error 1\n") },
		"no kubelet":         func(c *cluster) { c.say("n2", "up 1\n") },
		"broken off":         func(c *cluster) { c.say("n2", "container_cpu_usage_seconds_total{container=\"app") },
		"a line without end": func(c *cluster) { c.say("n2", "container_cpu_usage_seconds_total "+strings.Repeat("1", 1<<20)) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			both := []*corev1.Pod{pod("web-1", "n1"), pod("web-2", "n2")}
			if got := c.warm(both...); len(got) != 2 {
				t.Fatalf("got %v, want both pods", got)
			}
			spoil(c)
			for range 8 {
				if got := c.look(both...); len(got) != 1 || got["web-1"].Window == 0 {
					t.Errorf("got %v, want the pod of the other node", got)
				}
				c.pass(5 * time.Second)
			}
			if len(c.logged) != 1 {
				t.Errorf("logged %q, want it once", c.logged)
			}
			if slices.Contains(c.asked, "elsewhere") {
				t.Error("a redirect was followed")
			}
		})
	}
}

// TestKubeletsThatHangAreNotAnOutageOfAll: failures in a row are not counted
// together, because each node is a source of its own. All of them hang at once, so
// that the time that also the one which answers is given can be long enough for a
// busy machine.
func TestKubeletsThatHangAreNotAnOutageOfAll(t *testing.T) {
	c := newCluster(t)
	c.hangs = "silent-"
	var err error
	if c.source, err = kubelet.New(c.config, snapshot.New(snapshot.Config{Clock: c.clock, Timeout: 3 * time.Second}), c.clock); err != nil {
		t.Fatal(err)
	}
	var silent []*corev1.Pod
	for i := range 20 {
		name := fmt.Sprint(c.hangs, i)
		if err := c.config.API.Create(t.Context(), c.node(name)); err != nil {
			t.Fatal(err)
		}
		silent = append(silent, pod("web-2", name))
	}
	if got := c.look(silent...); len(got) != 0 {
		t.Fatalf("got %v of nodes that hang", got)
	}
	if got := c.warm(pod("web-1", "n1")); len(got) != 1 {
		t.Errorf("got %v", got)
	}
}

func TestAPodIsWholeOrAbsent(t *testing.T) {
	at := func(c *cluster) time.Time { return c.clock.Now().Add(-time.Second) }
	cpu, memory := "container_cpu_usage_seconds_total", "container_memory_working_set_bytes"
	for name, more := range map[string]func(*cluster, int) string{
		"a container without memory": func(c *cluster, i int) string { return line(cpu, "web-1", "proxy", fmt.Sprint(7+i), at(c)) },
		"a container without cpu":    func(c *cluster, _ int) string { return line(memory, "web-1", "proxy", "4096", at(c)) },
		"a container at zero": func(c *cluster, _ int) string {
			return line(cpu, "web-1", "proxy", "0", at(c)) + line(memory, "web-1", "proxy", "4096", at(c))
		},
		"a negative counter": func(c *cluster, _ int) string {
			return line(cpu, "web-1", "proxy", "-3", at(c)) + line(memory, "web-1", "proxy", "4096", at(c))
		},
		"no number": func(c *cluster, _ int) string {
			return line(cpu, "web-1", "proxy", "NaN", at(c)) + line(memory, "web-1", "proxy", "4096", at(c))
		},
		"no end": func(c *cluster, _ int) string {
			return line(cpu, "web-1", "proxy", "+Inf", at(c)) + line(memory, "web-1", "proxy", "4096", at(c))
		},
		"two opinions":           func(c *cluster, i int) string { return line(cpu, "web-1", "app", fmt.Sprint(900+i), at(c)) },
		"two opinions on memory": func(c *cluster, _ int) string { return line(memory, "web-1", "app", "4096", at(c)) },
		"a counter that goes back": func(c *cluster, i int) string {
			return line(cpu, "web-1", "proxy", fmt.Sprint(9-i), at(c)) + line(memory, "web-1", "proxy", "4096", at(c))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			var got metricsapi.Usage
			for i := range 4 {
				c.say("n1", text(at(c), map[string]string{"web-1": fmt.Sprint(100 + 5*i), "web-2": fmt.Sprint(300 + 5*i)})+"# TYPE more untyped\n"+more(c, i))
				got = c.look(pod("web-1", "n1"), pod("web-2", "n1"))
				c.pass(10 * time.Second)
			}
			if _, known := got["web-1"]; known || len(got) != 1 {
				t.Errorf("got %v, want web-2 alone", got)
			}
		})
	}
}

// TestMissingRights: nobody is asked any more, the log says it once, the answer
// says what to grant each time; and it ends when the right is there.
func TestMissingRights(t *testing.T) {
	for name, tt := range map[string]struct {
		take, give func(*cluster)
		words      string
	}{
		"reading nodes": {
			func(c *cluster) { c.refuse["get nodes"] = true }, func(c *cluster) { c.refuse["get nodes"] = false }, "grant the controller's role get on nodes",
		},
		"making a token": {
			func(c *cluster) { c.refuse["create token"] = true }, func(c *cluster) { c.refuse["create token"] = false },
			"grant the controller's role create on serviceaccounts/token of tidemark-kubelets",
		},
		"reading metrics": {
			func(c *cluster) { c.status["n1"] = http.StatusForbidden }, func(c *cluster) { c.status["n1"] = 0 }, "get on nodes/metrics",
		},
		"being known": {
			func(c *cluster) { c.status["n1"] = http.StatusUnauthorized }, func(c *cluster) { c.status["n1"] = 0 }, "authenticate by webhook",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCluster(t)
			tt.take(c)
			look := func() (metricsapi.Usage, error) {
				return c.source.Usage(t.Context(), []*corev1.Pod{pod("web-1", "n1")}, time.Second)
			}
			for range 12 {
				if got, err := look(); err == nil || !strings.Contains(err.Error(), tt.words) || len(got) > 0 {
					t.Errorf("got %v, %v, want it to say %q", got, err, tt.words)
				}
				c.pass(20 * time.Second)
			}
			if asked := c.requests() + len(c.api); asked > 3 {
				t.Errorf("%d requests in four minutes without the right: %q", asked, c.api)
			}
			if len(c.logged) != 1 || !strings.Contains(c.logged[0], tt.words) {
				t.Errorf("logged %q, want it once", c.logged)
			}
			tt.give(c)
			c.pass(10 * time.Minute)
			if got := c.warm(pod("web-1", "n1")); len(got) != 1 {
				t.Errorf("got %v after the right was granted", got)
			}
			if len(c.logged) != 2 {
				t.Errorf("logged %q, want one line more", c.logged)
			}
		})
	}
}

// TestWhoAsksRarelyIsLeftToOthers: two readings of theirs would make no rate.
func TestWhoAsksRarelyIsLeftToOthers(t *testing.T) {
	c := newCluster(t)
	got, err := c.source.Usage(t.Context(), []*corev1.Pod{pod("web-1", "n1")}, 31*time.Second)
	if err != nil || len(got) > 0 || c.requests() > 0 {
		t.Errorf("got %v, %v after %d requests", got, err, c.requests())
	}
}

// TestWithoutTimes: a kubelet that writes none measures when it is asked.
func TestWithoutTimes(t *testing.T) {
	c := newCluster(t)
	var got metricsapi.Usage
	for i := range 3 {
		c.say("n1", fmt.Sprintf("container_cpu_usage_seconds_total{container=\"app\",namespace=\"shop\",pod=\"web-1\"} %d\n"+
			"container_memory_working_set_bytes{container=\"app\",namespace=\"shop\",pod=\"web-1\"} 67108864\n", 100+2*i))
		got = c.look(pod("web-1", "n1"))
		c.pass(4 * time.Second)
	}
	want := metricsapi.Usage{"web-1": {At: monday.Add(8 * time.Second), Window: 4 * time.Second, Containers: half}}
	if diff := cmp.Diff(want, got, equal); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestACertificateOfSomeoneElse: no token goes to a kubelet that nobody vouches
// for, whatever the API server's own connection allows.
func TestACertificateOfSomeoneElse(t *testing.T) {
	c := newCluster(t)
	c.config.REST = &rest.Config{TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
	var err error
	if c.source, err = kubelet.New(c.config, snapshot.New(snapshot.Config{Clock: c.clock}), c.clock); err != nil {
		t.Fatal(err)
	}
	if got := c.warm(pod("web-1", "n1")); len(got) > 0 || c.requests() > 0 || c.api == nil {
		t.Errorf("got %v after %d requests, and %q to the API server", got, c.requests(), c.api)
	}
}

// TestWhatWasShown: it is remembered as long as the pod is there, and only of pods
// that were answered for.
func TestWhatWasShown(t *testing.T) {
	c := newCluster(t)
	web1, web2 := pod("web-1", "n1"), pod("web-2", "n1")
	web2.Spec.Containers = []corev1.Container{{Name: "app"}, {Name: "proxy"}}
	if got := c.warm(web1, web2); len(got) != 1 {
		t.Errorf("got %v, want the pod whose every container is known", got)
	}
	if got := c.source.Shown(web1); !got.Equal(monday.Add(19 * time.Second)) {
		t.Errorf("web-1 was shown as of %s", got)
	}
	if got := c.source.Shown(web2); !got.IsZero() {
		t.Errorf("web-2 was shown as of %s, though it was not answered for", got)
	}
	c.status["n1"] = http.StatusInternalServerError
	c.look(web1)
	if c.source.Shown(web1).IsZero() {
		t.Error("a failure makes it forget")
	}
	c.status["n1"] = 0
	c.say("n1", text(c.clock.Now(), map[string]string{"web-9": "5"}))
	c.pass(time.Minute)
	if c.look(web1); !c.source.Shown(web1).IsZero() {
		t.Error("a pod that is gone is remembered")
	}
}
