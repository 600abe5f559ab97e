package metricsapi_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/utils/clock"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

var (
	monday         = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	equalResources = cmp.Comparer(func(a, b scale.Resources) bool { return a == b })
)

// server answers with JSON by path and remembers what it was asked.
type server struct {
	mu      sync.Mutex
	answers map[string]string
	status  int
	asked   []string
	accept  string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if answer, ok := discovery[r.URL.Path]; ok {
		fmt.Fprint(w, answer)
		return
	}
	s.asked, s.accept = append(s.asked, r.URL.Path+r.URL.Query().Get("metricLabelSelector")), r.Header.Get("Accept")
	answer, ok := s.answers[r.URL.Path]
	switch {
	case s.status != 0:
		w.WriteHeader(s.status)
		fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"reason":%q}`, s.status, reasons[s.status])
	case !ok:
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound"}`)
	default:
		fmt.Fprint(w, answer)
	}
}

var reasons = map[int]string{403: "Forbidden", 503: "ServiceUnavailable", 400: "BadRequest"}

var discovery = map[string]string{
	"/api": `{"kind":"APIVersions","versions":["v1"]}`,
	"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"custom.metrics.k8s.io",
		"versions":[{"groupVersion":"custom.metrics.k8s.io/v1beta2","version":"v1beta2"}],
		"preferredVersion":{"groupVersion":"custom.metrics.k8s.io/v1beta2","version":"v1beta2"}}]}`,
}

func newClient(t *testing.T, s *server) *metricsapi.Client {
	t.Helper()
	return newClientAt(t, s, clocktesting.NewFakePassiveClock(monday))
}

func newClientAt(t *testing.T, s *server, now clock.PassiveClock) *metricsapi.Client {
	t.Helper()
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "networking.k8s.io", Version: "v1"}})
	mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, meta.RESTScopeNamespace)
	mapper.Add(schema.GroupVersionKind{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}, meta.RESTScopeNamespace)
	answers := snapshot.New(snapshot.Config{Clock: now})
	c, err := metricsapi.New(&rest.Config{Host: web.URL}, mapper, answers)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const usagePath = "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods"

func TestUsage(t *testing.T) {
	s := &server{answers: map[string]string{usagePath: `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[
		{"metadata":{"name":"web-1"},"timestamp":"2026-01-05T09:59:40Z","window":"30s","containers":[
			{"name":"app","usage":{"cpu":"123456789n","memory":"64Mi"}},{"name":"proxy","usage":{"cpu":"-5m"}}]},
		{"metadata":{"name":"web-2"},"timestamp":"2026-01-05T09:59:41Z","window":"30s","containers":[{"name":"app","usage":{"cpu":"1e30"}}]}]}`}}
	c := newClient(t, s)
	want := metricsapi.Usage{
		"web-1": {At: monday.Add(-20 * time.Second), Window: 30 * time.Second, Containers: []metricsapi.ContainerUsage{
			{Name: "app", Usage: scale.Resources{}.With(scale.CPU, 124).With(scale.Memory, 64<<20*1000)},
			{Name: "proxy", Usage: scale.Resources{}.With(scale.CPU, -5)},
		}},
		"web-2": {At: monday.Add(-19 * time.Second), Window: 30 * time.Second, Containers: []metricsapi.ContainerUsage{
			{Name: "app", Usage: scale.Resources{}.WithUnusable(scale.CPU)},
		}},
	}
	for range 3 {
		got, err := c.Usage(t.Context(), "shop", time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, equalResources); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if diff := cmp.Diff([]string{usagePath}, s.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(s.accept, "application/vnd.kubernetes.protobuf,") {
		t.Errorf("accepts %q, want Protocol Buffers first", s.accept)
	}
}

func TestPodsMetric(t *testing.T) {
	path := "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/rps"
	s := &server{answers: map[string]string{path: `{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","items":[
		{"describedObject":{"kind":"Pod","name":"web-1"},"metric":{"name":"rps"},"timestamp":"2026-01-05T10:00:00Z","value":"12500m"},
		{"describedObject":{"kind":"Pod","name":"web-2"},"metric":{"name":"rps"},"timestamp":"2026-01-05T09:00:00Z","value":"1e40"}]}`}}
	m := metricsapi.Metric{Namespace: "shop", Name: "rps", MaxAge: time.Second, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"verb": "GET"}}}
	got, err := newClient(t, s).Pods(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	want := metricsapi.PodValues{
		"web-1": {PodValue: scale.PodValue{Value: 12500, Known: true}, At: monday},
		"web-2": {PodValue: scale.PodValue{Unusable: true}, At: monday.Add(-time.Hour)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{path + "verb=GET"}, s.asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestObjectMetric(t *testing.T) {
	ofIngress := `{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","items":[
		{"describedObject":{"kind":"Ingress","name":"main"},"metric":{"name":"rps"},"timestamp":"2026-01-05T09:59:00Z","value":"300"}]}`
	for name, tt := range map[string]struct {
		of   metricsapi.ObjectKey
		path string
	}{
		"an object":     {metricsapi.ObjectKey{Kind: schema.GroupKind{Group: "networking.k8s.io", Kind: "Ingress"}, Name: "main"}, "/namespaces/shop/ingresses.networking.k8s.io/main/rps"},
		"the namespace": {metricsapi.ObjectKey{Kind: schema.GroupKind{Kind: "Namespace"}, Name: "other"}, "/namespaces/shop/metrics/rps"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: map[string]string{"/apis/custom.metrics.k8s.io/v1beta2" + tt.path: ofIngress}}
			got, err := newClient(t, s).Object(t.Context(), metricsapi.Metric{Namespace: "shop", Name: "rps", MaxAge: time.Second}, tt.of)
			if err != nil {
				t.Fatal(err)
			}
			want := scale.Sample{At: monday.Add(-time.Minute), Series: []scale.Amount{300_000}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestExternalMetric(t *testing.T) {
	list := func(items string) string {
		return `{"kind":"ExternalMetricValueList","apiVersion":"external.metrics.k8s.io/v1beta1","items":[` + items + `]}`
	}
	for name, tt := range map[string]struct {
		answer string
		want   scale.Sample
	}{
		"series are as old as the oldest": {
			list(`{"metricName":"q","timestamp":"2026-01-05T10:00:00Z","value":"30"},{"metricName":"q","timestamp":"2026-01-05T09:59:30Z","value":"500m"}`),
			scale.Sample{At: monday.Add(-30 * time.Second), Series: []scale.Amount{30_000, 500}}},
		"none are no sample":     {list(``), scale.Sample{}},
		"a negative one is kept": {list(`{"metricName":"q","timestamp":"2026-01-05T10:00:00Z","value":"-1"}`), scale.Sample{At: monday, Series: []scale.Amount{-1000}}},
		"an absurd one is a problem": {list(`{"metricName":"q","timestamp":"2026-01-05T10:00:00Z","value":"1e30"}`),
			scale.Sample{At: monday, Problem: "the source's value 1e30 is unusable: is out of range: the largest quantity is about 9.2e15"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: map[string]string{"/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/q": tt.answer}}
			got, err := newClient(t, s).External(t.Context(), metricsapi.Metric{Namespace: "shop", Name: "q", MaxAge: time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestFailuresSayWhatToDo(t *testing.T) {
	ask := map[string]func(context.Context, *metricsapi.Client) error{
		"usage": func(ctx context.Context, c *metricsapi.Client) error {
			_, err := c.Usage(ctx, "shop", time.Second)
			return err
		},
		"external": func(ctx context.Context, c *metricsapi.Client) error {
			_, err := c.External(ctx, metricsapi.Metric{Namespace: "shop", Name: "q", MaxAge: time.Second})
			return err
		},
		"pods": func(ctx context.Context, c *metricsapi.Client) error {
			_, err := c.Pods(ctx, metricsapi.Metric{Namespace: "shop", Name: "q", MaxAge: time.Second})
			return err
		},
	}
	for _, tt := range []struct {
		what   string
		status int
		words  string
		outage bool
	}{
		{"usage", 0, "install metrics-server", false},
		{"usage", 403, "grant the controller's role list on pods in metrics.k8s.io", false},
		{"usage", 503, "look at metrics-server", true},
		{"usage", 400, "reading what pods of shop use", false},
		{"external", 0, "no adapter of the external metrics API has it", false},
		{"external", 503, "look at the adapter", true},
		{"pods", 403, "get and list in custom.metrics.k8s.io", false},
	} {
		t.Run(fmt.Sprint(tt.what, " ", tt.status), func(t *testing.T) {
			err := ask[tt.what](t.Context(), newClient(t, &server{status: tt.status}))
			if err == nil || !strings.Contains(err.Error(), tt.words) {
				t.Errorf("got %v, want it to say %q", err, tt.words)
			}
			if outage := new(snapshot.Outage); errors.As(err, outage) != tt.outage {
				t.Errorf("%v: an outage: %t, want %t", err, !tt.outage, tt.outage)
			}
		})
	}
}

func TestABadSelectorIsNotAsked(t *testing.T) {
	s := &server{}
	bad := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}
	if _, err := newClient(t, s).External(t.Context(), metricsapi.Metric{Namespace: "shop", Name: "q", Selector: bad}); err == nil || len(s.asked) > 0 {
		t.Errorf("got %v after requests %v, want an error and none", err, s.asked)
	}
}
