package live_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/internal/observe/live"
	"github.com/tidemark/tidemark/internal/observe/observetest"
	"github.com/tidemark/tidemark/internal/observe/target"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

func (w *world) look(text string) observe.Result {
	w.t.Helper()
	result, err := w.observer.Observe(w.t.Context(), w.question(text))
	if err != nil {
		w.t.Fatal(err)
	}
	return result
}

func cpu(a scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, a) }

func TestEverythingIsSeen(t *testing.T) {
	four := int32(4)
	pod := func(name string, used scale.Amount, at time.Time) scale.Pod {
		return scale.Pod{
			Name: name, Phase: scale.Running, Ready: scale.Ready, ReadyChangedAt: monday.Add(-time.Hour), StartedAt: monday.Add(-time.Hour),
			UsageAt: at, UsageWindow: 30 * time.Second,
			Containers: []scale.PodContainer{{Name: "app", Requests: cpu(600), Usage: cpu(used).With(scale.Memory, 1<<20*1000)}},
		}
	}
	want := observe.Result{Selector: "app=web", TargetUID: "uid-d", Observation: scale.Observation{
		At: monday,
		// The pods were resized to 600m; the template still says 500m.
		Target: scale.Target{SpecReplicas: 3, StatusReplicas: 2, Containers: []scale.Container{{Name: "app", Requests: cpu(600)}},
			Template: []scale.Container{{Name: "app", Requests: cpu(500)}}},
		Pods: []scale.Pod{
			pod("web-1-a", 300, monday.Add(-20*time.Second)), pod("web-1-b", 500, monday.Add(-15*time.Second)),
		},
		Samples: []scale.Sample{
			{},
			// The first pod's value is an hour old. Other pods' are not ours.
			{At: monday.Add(-time.Minute), PerPod: []scale.PodValue{{Unusable: true}, {Value: 12000, Known: true}}},
			{At: monday.Add(-50 * time.Second), Series: []scale.Amount{7000}},
			{At: monday.Add(-40 * time.Second), Series: []scale.Amount{30000, 12000}},
			{At: monday, Series: []scale.Amount{4500}},
		},
		Requested: &four,
	}}
	w := newWorld(t)
	got := w.look(everyMetric)
	// Times of objects come back in the zone of the machine.
	sameMoment := cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })
	if diff := cmp.Diff(want, got, observetest.Equal, sameMoment); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if w.count() != 5 {
		t.Errorf("%d requests, want one for each of the five sources", w.count())
	}
}

func TestNothingIsAskedThatNobodyWants(t *testing.T) {
	w := newWorld(t)
	w.look(`replicas: {max: 10}`)
	if w.count() != 0 {
		t.Errorf("%d requests for an object without metrics, want none", w.count())
	}
	w.look(`{replicas: {max: 10}, learn: {}}`)
	if w.count() != 1 {
		t.Errorf("%d requests for an object that learns, want one for the usage", w.count())
	}
	other := newWorld(t)
	request := other.question(`replicas: {max: 10}`)
	request.Usage = true
	seen, err := other.observer.Observe(t.Context(), request)
	if used, known := seen.Observation.Pods[0].Containers[0].Usage.Get(scale.CPU); err != nil || other.count() != 1 || !known || used != 300 {
		t.Errorf("who asks for the usage sees %v after %d requests: %v", used, other.count(), err)
	}
}

func TestAPeriodCostsEachQuestionAtMostTwice(t *testing.T) {
	w := newWorld(t)
	for at := time.Duration(0); at < 15*time.Second; at += 500 * time.Millisecond {
		w.clock.SetTime(monday.Add(at))
		w.look(everyMetric)
	}
	if w.count() != 10 {
		t.Errorf("%d requests to five sources while objects looked thirty times in a period, want 10", w.count())
	}
}

func TestRecommendedSizes(t *testing.T) {
	w := newWorld(t)
	for name, tt := range map[string]struct {
		vertical string
		want     []scale.Recommendation
		problem  string
	}{
		"of a VPA":         {`{source: VPA, vpaName: web}`, []scale.Recommendation{{Container: "app", PerPod: cpu(800)}}, ""},
		"of no such VPA":   {`{source: VPA, vpaName: none}`, []scale.Recommendation{}, "correct vertical.vpaName"},
		"of a recommender": {`{source: Recommender, recommender: {url: "` + w.address + `/size"}}`, []scale.Recommendation{{Container: "app", PerPod: cpu(700)}}, ""},
		"of a forbidden recommender": {`{source: Recommender, recommender: {url: "https://elsewhere/size"}}`,
			[]scale.Recommendation{}, "allowedRecommenderHosts"},
		"built in": {`{source: BuiltIn}`, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := w.look(`{replicas: {max: 10}, containers: [{name: "*", cpu: {}}], vertical: ` + tt.vertical + `}`)
			if diff := cmp.Diff(tt.want, got.Observation.Recommended, observetest.Equal); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got.Observation.Unrecommended != strings.Join(got.Problems, "\n") {
				t.Errorf("the decision is told %q", got.Observation.Unrecommended)
			}
			if problems := strings.Join(got.Problems, "\n"); (problems == "") != (tt.problem == "") || !strings.Contains(problems, tt.problem) {
				t.Errorf("problems %q, want %q", problems, tt.problem)
			}
		})
	}
}

// usageOf answers with the usage of one pod.
func usageOf(at, containers string) string {
	return `{"kind":"PodMetricsList","apiVersion":"metrics.k8s.io/v1beta1","items":[
		{"metadata":{"name":"web-1-a"},"timestamp":"` + at + `","window":"30s","containers":[` + containers + `]}]}`
}

const usagePath = "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods"

func TestUsageOfAnEarlierPodOfTheSameName(t *testing.T) {
	w := newWorld(t)
	w.changed[usagePath] = usageOf("2026-01-05T08:59:59Z", `{"name":"app","usage":{"cpu":"1"}}`)
	got := w.look(`{replicas: {max: 10}, metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]}`)
	if pod := got.Observation.Pods[0]; !pod.Containers[0].Usage.Empty() || !pod.UsageAt.IsZero() {
		t.Errorf("got %+v, want no usage: it is from before the pod's start", pod)
	}
}

func TestAContainerNobodyMeasured(t *testing.T) {
	resource := `metrics: [{type: Resource, resource: {name: cpu, target: {averageUtilization: 60}}}]`
	ofContainer := `metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {averageUtilization: 60}}}]`
	idle := cpu(0).With(scale.Memory, 0)
	for name, tt := range map[string]struct {
		spec, containers string
		want             scale.Resources
	}{
		"is a gap":                              {resource, `{"name":"debugger","usage":{"cpu":"1"}}`, scale.Resources{}},
		"is idle for the HPA":                   {resource + "\ncompatibility: HPA", `{"name":"debugger","usage":{"cpu":"1"}}`, idle},
		"is a gap for a metric of it":           {ofContainer + "\ncompatibility: HPA", `{"name":"debugger","usage":{"cpu":"1"}}`, scale.Resources{}},
		"is a gap where none was, also for HPA": {resource + "\ncompatibility: HPA", ``, scale.Resources{}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.changed[usagePath] = usageOf("2026-01-05T09:59:40Z", tt.containers)
			got := w.look("replicas: {max: 10}\n" + tt.spec).Observation.Pods[0].Containers[0].Usage
			if got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestWithoutPrometheusAQuerySaysSo(t *testing.T) {
	w := newWorld(t)
	w.admin.Prometheus = nil
	got := w.look(everyMetric).Observation.Samples[4]
	if !strings.Contains(got.Problem, "set prometheus.address") {
		t.Errorf("got %+v, want advice to set the address", got)
	}
}

func TestBackfill(t *testing.T) {
	w := newWorld(t)
	req := w.question(`{learn: {}}`)
	plan, _ := learner.PlanOf(req.Object.Spec, req.Policy)
	fill, err := w.observer.Backfill(req, plan)
	if err != nil {
		t.Fatal(err)
	}
	for read, of := fill.Progress(); read < of; {
		before := read
		if err := fill.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		if read, of = fill.Progress(); read != before+1 {
			t.Fatalf("after a step %d pieces were read, and %d before", read, before)
		}
	}
	// The server knows of six pods, one week ago.
	if got, known := fill.History().Slots.Value(monday); !known || got != 6 {
		t.Errorf("the slot of the moment is %d, %t; want 6 pods", got, known)
	}
	w.admin.Prometheus = nil
	if err := fill.Step(t.Context()); err == nil {
		t.Error("a step without a server is no error")
	}
	if _, err := w.observer.Backfill(req, plan); err == nil {
		t.Error("no error without a server")
	}
}

func TestTheCacheKeepsLittle(t *testing.T) {
	options := live.CacheOptions()
	for object, by := range options.ByObject {
		switch object.(type) {
		case *corev1.Pod:
			out, err := by.Transform(&corev1.Pod{Spec: corev1.PodSpec{Volumes: []corev1.Volume{{Name: "v"}}}})
			if err != nil || out.(*corev1.Pod).Spec.Volumes != nil {
				t.Errorf("a pod becomes %v, %v", out, err)
			}
		case *appsv1.ReplicaSet:
			owners := owned("Deployment", "web", "d")
			out, err := by.Transform(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "web-1", OwnerReferences: owners,
				Labels: map[string]string{"a": "b"}}})
			if err != nil {
				t.Fatal(err)
			}
			kept := out.(*metav1.PartialObjectMetadata)
			if diff := cmp.Diff(owners, kept.OwnerReferences); diff != "" || kept.Labels != nil || kept.Name != "web-1" {
				t.Errorf("metadata becomes %+v", kept)
			}
			whole, err := by.Transform(&appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"a": "b"},
				ManagedFields: []metav1.ManagedFieldsEntry{{}}}})
			if set := whole.(*appsv1.ReplicaSet); err != nil || set.ManagedFields != nil || set.Labels == nil {
				t.Errorf("a whole ReplicaSet becomes %+v, %v", whole, err)
			}
		}
	}
	if len(options.ByObject) != 4 {
		t.Errorf("%d kinds have a rule of their own, want 4", len(options.ByObject))
	}
}

// TestStrippedWorkloadsSayTheSame: what the cache keeps of a workload is all that is
// read of it, and its template is not kept.
func TestStrippedWorkloadsSayTheSame(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	meta := metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u", Annotations: map[string]string{"huge": "text"}}
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	sized := corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("250m")}}
	template := corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Containers:     []corev1.Container{{Name: "app", Image: "app:1", Env: []corev1.EnvVar{{Name: "A", Value: "B"}}, Resources: sized}},
		InitContainers: []corev1.Container{{Name: "migrate", Resources: sized}, {Name: "proxy", RestartPolicy: &always, Resources: sized}},
		Volumes:        []corev1.Volume{{Name: "v"}},
	}}
	for kind, object := range map[string]client.Object{
		"Deployment": &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Replicas: new(int32(4)), Selector: selector, Template: template},
			Status: appsv1.DeploymentStatus{Replicas: 3, Conditions: []appsv1.DeploymentCondition{
				{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue},
				{Type: appsv1.DeploymentReplicaFailure, Status: corev1.ConditionTrue, Message: `pods "web-1" is forbidden: exceeded quota: small`},
			}}},
		"StatefulSet": &appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Replicas: new(int32(4)), Selector: selector, Template: template},
			Status: appsv1.StatefulSetStatus{Replicas: 3}},
	} {
		t.Run(kind, func(t *testing.T) {
			read := func(o client.Object) target.Scale {
				cache := fake.NewClientBuilder().WithObjects(o).WithStatusSubresource(o).Build()
				out, err := target.New(target.Config{Cache: cache}).Read(t.Context(),
					targetref.Target{APIVersion: "apps/v1", Kind: kind, Namespace: "shop", Name: "web"})
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			stripped := object.DeepCopyObject().(client.Object)
			for key, by := range live.CacheOptions().ByObject {
				if reflect.TypeOf(key) != reflect.TypeOf(object) {
					continue
				}
				out, err := by.Transform(stripped)
				if err != nil {
					t.Fatal(err)
				}
				stripped = out.(client.Object)
			}
			if text := fmt.Sprint(stripped); strings.Contains(text, "app:1") || strings.Contains(text, "huge") {
				t.Errorf("too much is kept: %s", text)
			}
			whole := read(object)
			if diff := cmp.Diff(whole, read(stripped), cmp.Comparer(func(a, b scale.Resources) bool { return a == b })); diff != "" {
				t.Errorf("(-whole +stripped):\n%s", diff)
			}
			if whole.StatusReplicas != 3 || kind == "Deployment" && whole.Refused == nil {
				t.Errorf("the whole one says %+v", whole)
			}
		})
	}
}

// TestKindsThatComeLater: a kind that is installed while the controller runs can
// be scaled, although it was asked for before.
func TestKindsThatComeLater(t *testing.T) {
	w := newWorld(t)
	rollouts := schema.GroupResource{Group: "argoproj.io", Resource: "rollouts"}
	scales := w.observer.Scales().Scales("shop")
	four := &autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: autoscalingv1.ScaleSpec{Replicas: 4}}
	if _, err := scales.Update(t.Context(), rollouts, four, metav1.UpdateOptions{}); err == nil {
		t.Fatal("a kind that nobody knows was scaled")
	}
	w.mu.Lock()
	w.changed["/apis/argoproj.io/v1alpha1"] = `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"argoproj.io/v1alpha1","resources":[
		{"name":"rollouts","kind":"Rollout","namespaced":true,"verbs":["get"]},
		{"name":"rollouts/scale","kind":"Scale","group":"autoscaling","version":"v1","namespaced":true,"verbs":["get","update"]}]}`
	w.changed["/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/web/scale"] = `{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"web","namespace":"shop"},"spec":{"replicas":4}}`
	w.mu.Unlock()
	got, err := scales.Update(t.Context(), rollouts, four, metav1.UpdateOptions{})
	if err != nil || got.Spec.Replicas != 4 {
		t.Errorf("got %+v, error %v", got, err)
	}
}
