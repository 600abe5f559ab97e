package live_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	vpav1 "k8s.io/autoscaler/vertical-pod-autoscaler/pkg/apis/autoscaling.k8s.io/v1"
	"k8s.io/client-go/rest"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/internal/observe/observetest"
	"github.com/tidemark/tidemark/internal/observe/pods"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/policy"
)

var monday = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

// world is a Deployment of two pods, and a server that has metrics of them: it
// stands for the API server and, below /prometheus, for Prometheus.
type world struct {
	t        *testing.T
	cache    client.Client
	clock    *clocktesting.FakePassiveClock
	observer *live.Observer
	admin    v1alpha1.AdminSettings
	address  string

	mu       sync.Mutex
	broken   bool
	requests int
	// changed replaces the answer of a path, and forbidden is one that is refused.
	changed   map[string]string
	forbidden string
}

// answers are the server's, by path.
var answers = map[string]string{
	"/api": `{"kind":"APIVersions","versions":["v1"]}`,
	"/apis": `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"custom.metrics.k8s.io",
		"versions":[{"groupVersion":"custom.metrics.k8s.io/v1beta2","version":"v1beta2"}],
		"preferredVersion":{"groupVersion":"custom.metrics.k8s.io/v1beta2","version":"v1beta2"}}]}`,
	"/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods": `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[
		{"metadata":{"name":"web-1-a"},"timestamp":"2026-01-05T09:59:40Z","window":"30s","containers":[{"name":"app","usage":{"cpu":"300m","memory":"1Mi"}}]},
		{"metadata":{"name":"web-1-b"},"timestamp":"2026-01-05T09:59:45Z","window":"30s","containers":[{"name":"app","usage":{"cpu":"500m","memory":"1Mi"}}]},
		{"metadata":{"name":"other"},"timestamp":"2026-01-05T09:59:45Z","window":"30s","containers":[{"name":"app","usage":{"cpu":"9","memory":"1Mi"}}]}]}`,
	"/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/rps": `{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","items":[
		{"describedObject":{"kind":"Pod","name":"web-1-b"},"timestamp":"2026-01-05T09:59:00Z","value":"12"},
		{"describedObject":{"kind":"Pod","name":"web-1-a"},"timestamp":"2026-01-05T09:00:00Z","value":"10"},
		{"describedObject":{"kind":"Pod","name":"other"},"timestamp":"2026-01-05T09:59:00Z","value":"99"}]}`,
	"/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/ingresses.networking.k8s.io/main/hits": `{"kind":"MetricValueList","apiVersion":"custom.metrics.k8s.io/v1beta2","items":[
		{"describedObject":{"kind":"Ingress","name":"main"},"timestamp":"2026-01-05T09:59:10Z","value":"7"}]}`,
	"/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue": `{"kind":"ExternalMetricValueList","apiVersion":"external.metrics.k8s.io/v1beta1","items":[
		{"metricName":"queue","timestamp":"2026-01-05T09:59:20Z","value":"30"},{"metricName":"queue","timestamp":"2026-01-05T09:59:30Z","value":"12"}]}`,
	"/prometheus/api/v1/query":       `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1767607200,"4.5"]}]}}`,
	"/prometheus/api/v1/query_range": `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"container":"app"},"values":[[1767002400,"6"]]}]}}`,
	"/size":                          `{"containers":[{"name":"app","target":{"cpu":"700m"}}]}`,
}

func (w *world) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	isDiscovery := r.URL.Path == "/api" || r.URL.Path == "/apis"
	if !isDiscovery {
		w.requests++
	}
	answer, ok := answers[r.URL.Path]
	if changed, is := w.changed[r.URL.Path]; is {
		answer, ok = changed, true
	}
	out.Header().Set("Content-Type", "application/json")
	switch {
	case w.broken && !isDiscovery:
		http.Error(out, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":503,"reason":"ServiceUnavailable"}`, http.StatusServiceUnavailable)
	case r.URL.Path == w.forbidden:
		http.Error(out, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":403,"reason":"Forbidden"}`, http.StatusForbidden)
	case !ok:
		http.Error(out, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound"}`, http.StatusNotFound)
	default:
		fmt.Fprint(out, answer)
	}
}

func newWorld(t *testing.T, with ...func(*live.Config)) *world {
	t.Helper()
	w := &world{t: t, clock: clocktesting.NewFakePassiveClock(monday), changed: map[string]string{}}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	w.address = server.URL
	w.admin = v1alpha1.AdminSettings{
		Prometheus:              &v1alpha1.PrometheusSettings{Address: server.URL + "/prometheus"},
		AllowedRecommenderHosts: []string{strings.TrimPrefix(server.URL, "http://")},
	}
	scheme := runtime.NewScheme()
	if err := live.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	set := &metav1.PartialObjectMetadata{}
	set.SetGroupVersionKind(appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))
	w.cache = fake.NewClientBuilder().WithScheme(scheme).WithObjects(cluster()...).
		WithIndex(&corev1.Pod{}, "tidemark.controllerUID", pods.ControllerUID).WithIndex(&corev1.Pod{}, "tidemark.daemon", pods.Daemon).
		WithIndex(set, "tidemark.controllerUID", pods.ControllerUID).Build()
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "networking.k8s.io", Version: "v1"}})
	mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, meta.RESTScopeNamespace)
	mapper.Add(schema.GroupVersionKind{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"}, meta.RESTScopeNamespace)
	mapper.Add(schema.GroupVersionKind{Group: "argoproj.io", Version: "v1alpha1", Kind: "Rollout"}, meta.RESTScopeNamespace)
	var err error
	config := live.Config{
		Cache: w.cache, Live: w.cache, REST: &rest.Config{Host: server.URL}, Mapper: mapper, Clock: w.clock,
		Admin: func() v1alpha1.AdminSettings { return w.admin }, OnFetch: func(snapshot.Fetched) {},
	}
	for _, change := range with {
		change(&config)
	}
	if w.observer, err = live.New(config); err != nil {
		t.Fatal(err)
	}
	return w
}

func owned(kind, name, uid string) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: kind, Name: name, UID: types.UID("uid-" + uid), Controller: &yes}}
}

func cluster() []client.Object {
	spec := func(cpu string) corev1.PodSpec {
		return corev1.PodSpec{Containers: []corev1.Container{{
			Name: "app", Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}},
		}}}
	}
	pod := func(name string) *corev1.Pod {
		started := metav1.NewTime(monday.Add(-time.Hour))
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, OwnerReferences: owned("ReplicaSet", "web-1", "rs")}, Spec: spec("600m"),
			Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &started, Conditions: []corev1.PodCondition{
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: started},
			}},
		}
	}
	three := int32(3)
	return []client.Object{
		&appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "uid-d"}, Spec: appsv1.DeploymentSpec{
			Replicas: &three, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}, Template: corev1.PodTemplateSpec{Spec: spec("500m")},
		}, Status: appsv1.DeploymentStatus{Replicas: 2}},
		&appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1", UID: "uid-rs", OwnerReferences: owned("Deployment", "web", "d")}},
		pod("web-1-b"), pod("web-1-a"),
		&vpav1.VerticalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Status: vpav1.VerticalPodAutoscalerStatus{
			Recommendation: &vpav1.RecommendedPodResources{ContainerRecommendations: []vpav1.RecommendedContainerResources{
				{ContainerName: "app", Target: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("800m")}},
			}},
		}},
	}
}

// question asks about the Deployment with a spec in YAML.
func (w *world) question(text string) observe.Request {
	w.t.Helper()
	object := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "scaler"}}
	if err := yaml.UnmarshalStrict([]byte(strings.ReplaceAll(text, "\t", "  ")), &object.Spec); err != nil {
		w.t.Fatal(err)
	}
	object.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}
	p, err := policy.Compile(object.Spec, w.admin)
	if err != nil {
		w.t.Fatal(err)
	}
	return observe.Request{Object: object, Policy: p, At: monday}
}

func (w *world) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.requests
}

const everyMetric = `
replicas: {max: 10, requested: 4}
metrics:
- {type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}
- {type: Pods, pods: {metric: {name: rps}, target: {averageValue: 10}}}
- {type: Object, object: {describedObject: {apiVersion: networking.k8s.io/v1, kind: Ingress, name: main}, metric: {name: hits}, target: {value: 10}}}
- {type: External, external: {metric: {name: queue}, target: {value: 10}}}
- {type: External, external: {metric: {name: orders}, prometheus: {query: sum(orders)}, target: {value: 10}}}
`

func TestContract(t *testing.T) {
	observetest.Run(t, func(t *testing.T) observetest.World {
		w := newWorld(t)
		return observetest.World{
			Observer: w.observer, Request: w.question(everyMetric), Requests: w.count,
			Break: func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.broken = true
			},
			RemoveTarget: func() {
				if err := w.cache.Delete(t.Context(), &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}); err != nil {
					t.Fatal(err)
				}
			},
		}
	})
}
