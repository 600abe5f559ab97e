package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// standIn stands in for an API server: it lists and watches what is there, takes
// statuses, and says that each pod uses what it is to use. There is no etcd and no
// other controller, so that a machine of two cores has room for a fleet that no
// control plane on it sustains.
type standIn struct {
	*httptest.Server
	fleet fleet
	// empty is an autoscaler with nothing in it, object makes one of those whose list has
	// the path objects, and history, where it is not nil, what it learned.
	empty   client.Object
	object  func(client.ObjectKey, fleet) (client.Object, error)
	objects string
	history func(client.Object) client.Object
	mu      sync.Mutex
	// version is that of the newest object.
	version int
	// kinds are the objects by the paths of their lists.
	kinds map[string]*kind
	asked map[string]int
	// looks are the moments at which the scale of each workload was read.
	looks map[string][]time.Time
}

// kind is the objects of a kind, in the order in which they were made.
type kind struct {
	name, apiVersion string
	objects          []client.Object
	byName           map[client.ObjectKey]int
	watchers         map[chan client.Object]bool
}

// The lists that a controller asks for.
const (
	podsPath, setsPath   = "/api/v1/pods", "/apis/apps/v1/replicasets"
	deploymentsPath      = "/apis/apps/v1/deployments"
	deploymentsIn        = "/apis/apps/v1/namespaces/"
	autoscalersPath      = "/apis/autoscaling.tidemark.dev/v1alpha1/workloadautoscalers"
	hpasPath             = "/apis/autoscaling/v2/horizontalpodautoscalers"
	historiesPath        = "/apis/autoscaling.tidemark.dev/v1alpha1/workloadhistories"
	historiesIn          = "/apis/autoscaling.tidemark.dev/v1alpha1/namespaces/"
	usagePath            = "/apis/metrics.k8s.io/v1beta1/"
	partial, metaVersion = "PartialObjectMetadata", "meta.k8s.io/v1"
)

// newStandIn makes one with a fleet at rest, and the objects that a side looks after;
// ours have learned for weeks where that is asked for.
func newStandIn(f fleet, of side, learned bool) (_ *standIn, err error) {
	s := &standIn{fleet: f, empty: of.kind, object: of.object, objects: autoscalersPath, kinds: map[string]*kind{}, asked: map[string]int{},
		looks: map[string][]time.Time{}, version: 1}
	if _, theirs := of.kind.(*autoscalingv2.HorizontalPodAutoscaler); theirs {
		s.objects = hpasPath
	} else if learned {
		s.object = learningAutoscaler
		if s.history, err = fourWeeks(f); err != nil {
			return nil, err
		}
	}
	for path, k := range map[string]kind{
		podsPath: {name: "Pod", apiVersion: "v1"}, setsPath: {name: partial, apiVersion: metaVersion}, deploymentsPath: {name: "Deployment", apiVersion: "apps/v1"},
		"/apis/apps/v1/statefulsets": {name: "StatefulSet", apiVersion: "apps/v1"},
		autoscalersPath:              {name: v1alpha1.Kind, apiVersion: v1alpha1.GroupVersion.String()},
		historiesPath:                {name: "WorkloadHistory", apiVersion: v1alpha1.GroupVersion.String()},
		"/api/v1/limitranges":        {name: "LimitRange", apiVersion: "v1"},
		"/api/v1/resourcequotas":     {name: "ResourceQuota", apiVersion: "v1"},
		hpasPath:                     {name: "HorizontalPodAutoscaler", apiVersion: "autoscaling/v2"},
	} {
		k.byName, k.watchers = map[client.ObjectKey]int{}, map[chan client.Object]bool{}
		s.kinds[path] = &k
	}
	for i := range f.objects {
		if err := s.populate(f.key(i)); err != nil {
			return nil, err
		}
	}
	s.Server = httptest.NewServer(s)
	return s, nil
}

// populate makes a workload at rest, and what belongs to it.
func (s *standIn) populate(key client.ObjectKey) error {
	d := workload(key, s.fleet)
	d.Status = appsv1.DeploymentStatus{Replicas: *d.Spec.Replicas, ReadyReplicas: *d.Spec.Replicas}
	s.add(deploymentsPath, d)
	set := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name + "-1",
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(d, appsv1.SchemeGroupVersion.WithKind("Deployment"))}}}
	s.add(setsPath, set)
	for i := range s.fleet.pods {
		started := metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second))
		s.add(podsPath, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: podOf(key.Name, i), Labels: d.Spec.Template.Labels,
				OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(set, appsv1.SchemeGroupVersion.WithKind("ReplicaSet"))}},
			Spec: d.Spec.Template.Spec,
			Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &started,
				Conditions:        []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: started}},
				ContainerStatuses: []corev1.ContainerStatus{{Name: "app", Ready: true, Resources: &d.Spec.Template.Spec.Containers[0].Resources}}},
		})
	}
	a, err := s.object(key, s.fleet)
	if err != nil {
		return err
	}
	s.add(s.objects, a)
	if s.history != nil {
		s.add(historiesPath, s.history(a))
	}
	return nil
}

func (s *standIn) add(path string, o client.Object) {
	k := s.kinds[path]
	s.version++
	o.SetUID(types.UID(fmt.Sprintf("%08d-0000-4000-8000-000000000000", s.version)))
	o.SetResourceVersion(fmt.Sprint(s.version))
	o.SetGeneration(1)
	o.SetCreationTimestamp(metav1.NewTime(time.Now().Add(-time.Hour).Truncate(time.Second)))
	o.GetObjectKind().SetGroupVersionKind(schema.FromAPIVersionAndKind(k.apiVersion, k.name))
	k.byName[client.ObjectKeyFromObject(o)] = len(k.objects)
	k.objects = append(k.objects, o)
}

// kubeconfig writes how to reach it.
func (s *standIn) kubeconfig(path, _, _ string) error {
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"x","contexts":[{"name":"x","context":{"cluster":"x","user":"x"}}],
"clusters":[{"name":"x","cluster":{"server":%q}}],"users":[{"name":"x","user":{}}]}`, s.URL)
	return os.WriteFile(path, []byte(text), 0o600)
}

// ServeHTTP answers what a controller asks for.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	s.mu.Lock()
	s.asked[kindOf(r)]++
	s.mu.Unlock()
	if text, is := offered[r.URL.Path]; is {
		_, _ = w.Write([]byte(text))
		return
	}
	switch k := s.kinds[r.URL.Path]; {
	case r.Method == http.MethodPost: // an event
		w.WriteHeader(http.StatusCreated)
		_, _ = w.Write([]byte(`{"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"x"}}`))
	case strings.Contains(r.URL.Path, "/workloadhistories/"):
		s.oneHistory(w, r)
	case r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/status"):
		s.takeStatus(w, r)
	case strings.HasPrefix(r.URL.Path, deploymentsIn) && strings.HasSuffix(r.URL.Path, "/scale"):
		s.writeScale(w, r)
	case strings.HasPrefix(r.URL.Path, usagePath) && strings.HasSuffix(r.URL.Path, "/pods"):
		s.writeUsage(w, r)
	case k != nil && r.URL.Query().Get("watch") != "":
		s.watch(w, r, k)
	case k != nil:
		s.list(w, r, k)
	default:
		notFound(w)
	}
}

// oneHistory answers with a history, or takes one that is written, which nobody asks
// for again.
func (s *standIn) oneHistory(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		_, _ = io.Copy(w, r.Body)
		return
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, historiesIn), "/")
	k := s.kinds[historiesPath]
	s.mu.Lock()
	i, is := k.byName[client.ObjectKey{Namespace: parts[0], Name: parts[len(parts)-1]}]
	s.mu.Unlock()
	if !is {
		notFound(w)
		return
	}
	_ = json.NewEncoder(w).Encode(k.objects[i])
}

func notFound(w http.ResponseWriter) {
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound"}`))
}

// kindOf says what a request asks for, as the audit log of an API server does.
func kindOf(r *http.Request) string {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if i := slices.Index(parts, "namespaces"); i > 0 && i+2 < len(parts) {
		parts = slices.Delete(parts, i, i+2)
		parts = parts[:i+1]
	}
	return r.Method + " " + strings.Join(parts, "/")
}

// list answers with a page, where that is asked for. What continues one is the number
// of its last object.
func (s *standIn) list(w http.ResponseWriter, r *http.Request, k *kind) {
	s.mu.Lock()
	meta := map[string]string{"resourceVersion": fmt.Sprint(s.version)}
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	page := append([]client.Object{}, k.objects[min(from, len(k.objects)):]...)
	s.mu.Unlock()
	if most, _ := strconv.Atoi(r.URL.Query().Get("limit")); most > 0 && len(page) > most {
		page = page[:most]
		meta["continue"] = strconv.Itoa(from + most)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": k.name + "List", "apiVersion": k.apiVersion, "metadata": meta, "items": page})
}

// watch tells of everything that is there, where that is asked for, and then of what
// changes.
func (s *standIn) watch(w http.ResponseWriter, r *http.Request, k *kind) {
	out := json.NewEncoder(w)
	news := make(chan client.Object, 100_000)
	s.mu.Lock()
	var there []client.Object
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		there = append(there, k.objects...)
	}
	version := s.version
	k.watchers[news] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(k.watchers, news)
		s.mu.Unlock()
	}()
	for _, o := range there {
		_ = out.Encode(map[string]any{"type": "ADDED", "object": o})
	}
	_ = out.Encode(map[string]any{"type": "BOOKMARK", "object": map[string]any{"kind": k.name, "apiVersion": k.apiVersion, "metadata": map[string]any{
		"resourceVersion": fmt.Sprint(version), "annotations": map[string]string{"k8s.io/initial-events-end": "true"}}}})
	for {
		w.(http.Flusher).Flush()
		select {
		case o := <-news:
			_ = out.Encode(map[string]any{"type": "MODIFIED", "object": o})
		case <-r.Context().Done():
			return
		}
	}
}
