//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// place is a namespace of a test's own.
type place struct {
	t    *testing.T
	name string
}

func newPlace(t *testing.T) *place {
	t.Helper()
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "e2e-"}}
	if err := world.Create(t.Context(), ns); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("%s in the shared controller's log:\n%s", ns.Name, together.about(ns.Name))
		}
		_ = world.Delete(context.Background(), ns)
	})
	return &place{t: t, name: ns.Name}
}

// create makes an object of the namespace from its manifest.
func (p *place) create(obj client.Object, format string, args ...any) {
	p.t.Helper()
	if err := yaml.UnmarshalStrict(fmt.Appendf(nil, format, args...), obj); err != nil {
		p.t.Fatal(err)
	}
	obj.SetNamespace(p.name)
	if err := world.Create(p.t.Context(), obj); err != nil {
		p.t.Fatal(err)
	}
}

// workload makes a Deployment of pods that request 100m of CPU and 64Mi.
func (p *place) workload(name string, replicas int) {
	p.t.Helper()
	p.deployment(name, replicas, "", `requests: {cpu: 100m, memory: 64Mi}`)
}

// deployment makes a Deployment of pods with these annotations and resources.
func (p *place) deployment(name string, replicas int, annotations, resources string) {
	p.t.Helper()
	p.create(&appsv1.Deployment{}, `{metadata: {name: %[1]s}, spec: {replicas: %[2]d, selector: {matchLabels: {app: %[1]s}},
		template: {metadata: {labels: {app: %[1]s}, annotations: {%[3]s}}, spec: {containers: [{name: app, image: none, resources: {%[4]s}}]}}}}`,
		name, replicas, annotations, resources)
}

// autoscaler makes an object for the Deployment of the same name. It is looked
// at every two seconds, and scales down after a short window, unless the spec
// says otherwise.
func (p *place) autoscaler(name, spec string) {
	p.t.Helper()
	p.object(name, name, spec)
}

// object makes an object for a Deployment, which may have another name.
func (p *place) object(name, target, spec string) {
	p.t.Helper()
	obj := &v1alpha1.WorkloadAutoscaler{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: p.name}}
	obj.Spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: target}
	obj.Spec.Behavior = &v1alpha1.Behavior{
		SyncPeriodSeconds: new(int32(2)), ScaleDown: &v1alpha1.ScalingRules{StabilizationWindowSeconds: new(int32(4))},
	}
	if err := yaml.UnmarshalStrict([]byte(spec), &obj.Spec); err != nil {
		p.t.Fatal(err)
	}
	if err := world.Create(p.t.Context(), obj); err != nil {
		p.t.Fatal(err)
	}
}

// get reads an object of the namespace.
func (p *place) get(obj client.Object, name string) error {
	return world.Get(context.Background(), client.ObjectKey{Namespace: p.name, Name: name}, obj)
}

// patch merges a document into an object.
func (p *place) patch(obj client.Object, name, format string, args ...any) {
	p.t.Helper()
	obj.SetNamespace(p.name)
	obj.SetName(name)
	text, err := yaml.YAMLToJSON(fmt.Appendf(nil, format, args...))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := world.Patch(p.t.Context(), obj, client.RawPatch("application/merge-patch+json", text)); err != nil {
		p.t.Fatal(err)
	}
}

// demand is the CPU that all pods of a Deployment use together.
func (p *place) demand(name, cores string) {
	p.t.Helper()
	p.patch(&appsv1.Deployment{}, name, `{metadata: {annotations: {cluster.tidemark.dev/demand-cpu: %q}}}`, cores)
}

// metric scripts what the metrics adapter says, under a key of the namespace's
// own.
func (p *place) metric(key, format string, args ...any) {
	p.t.Helper()
	script := fmt.Sprintf("namespace: %s\n", p.name) + fmt.Sprintf(format, args...)
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "kube-system", Name: "metrics-adapter"}}
	text, err := yaml.Marshal(map[string]any{"data": map[string]string{p.name + "-" + key: script}})
	if err == nil {
		text, err = yaml.YAMLToJSON(text)
	}
	if err == nil {
		err = world.Patch(p.t.Context(), cm, client.RawPatch("application/merge-patch+json", text))
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// queue scripts the external metric queue_length.
func (p *place) queue(length string) {
	p.t.Helper()
	p.metric("queue", "external: queue_length\nvalue: %q\n", length)
}

// replicas is the count that a Deployment has been given.
func (p *place) replicas(name string) (int32, error) {
	var d appsv1.Deployment
	if err := p.get(&d, name); err != nil {
		return 0, err
	}
	return *d.Spec.Replicas, nil
}

// has is a check that a Deployment has been given a count.
func (p *place) has(name string, want int32) func() error {
	return func() error {
		got, err := p.replicas(name)
		if err == nil && got != want {
			status, _ := p.status(name)
			err = fmt.Errorf("%s has %d replicas, want %d; %s", name, got, want, summary(status))
		}
		return err
	}
}

func (p *place) eventuallyHas(name string, want int32) {
	p.t.Helper()
	eventually(p.t, patience, p.has(name, want))
}

// ready returns the pods of a Deployment that are ready, the oldest first.
func (p *place) ready(name string) ([]corev1.Pod, error) {
	var list corev1.PodList
	if err := world.List(context.Background(), &list, client.InNamespace(p.name), client.MatchingLabels{"app": name}); err != nil {
		return nil, err
	}
	list.Items = slices.DeleteFunc(list.Items, func(pod corev1.Pod) bool {
		return pod.DeletionTimestamp != nil || !slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		})
	})
	slices.SortFunc(list.Items, func(a, b corev1.Pod) int { return strings.Compare(a.Name, b.Name) })
	return list.Items, nil
}

// eventuallyReady waits for so many ready pods.
func (p *place) eventuallyReady(name string, want int) []corev1.Pod {
	p.t.Helper()
	var pods []corev1.Pod
	eventually(p.t, patience, func() (err error) {
		if pods, err = p.ready(name); err == nil && len(pods) != want {
			err = fmt.Errorf("%d pods of %s are ready, want %d", len(pods), name, want)
		}
		return err
	})
	return pods
}

// rolledOut is a check that a Deployment's own controller has nothing left to say
// of it: its pods are available, and the last one was told.
func (p *place) rolledOut(name string) func() error {
	return func() error {
		var d appsv1.Deployment
		if err := p.get(&d, name); err != nil {
			return err
		}
		told := slices.ContainsFunc(d.Status.Conditions, func(c appsv1.DeploymentCondition) bool {
			return c.Type == appsv1.DeploymentProgressing && c.Reason == "NewReplicaSetAvailable"
		})
		if s := d.Status; !told || s.ObservedGeneration != d.Generation || s.AvailableReplicas != *d.Spec.Replicas || s.Replicas != *d.Spec.Replicas {
			return fmt.Errorf("%s is not rolled out: %+v", name, s)
		}
		return nil
	}
}

func (p *place) status(name string) (v1alpha1.WorkloadAutoscalerStatus, error) {
	var obj v1alpha1.WorkloadAutoscaler
	err := p.get(&obj, name)
	return obj.Status, err
}

// summary is what a failed test should show of a status.
func summary(s v1alpha1.WorkloadAutoscalerStatus) string {
	var out strings.Builder
	if d := s.LastDecision; d != nil {
		fmt.Fprintf(&out, "decided %d to %d because of %s, limited by %q", d.From.Replicas, d.Want.Replicas, d.Reason, d.LimitedBy)
	}
	for _, c := range s.Conditions {
		fmt.Fprintf(&out, "; %s=%s %s: %s", c.Type, c.Status, c.Reason, c.Message)
	}
	return out.String()
}

// shows is a check that a condition has a status and a reason, and that its
// message has the words.
func (p *place) shows(name, kind string, status metav1.ConditionStatus, reason string, words ...string) func() error {
	return func() error {
		got, err := p.status(name)
		if err != nil {
			return err
		}
		c := meta.FindStatusCondition(got.Conditions, kind)
		missing := c == nil || c.Status != status || c.Reason != reason
		for _, word := range words {
			missing = missing || !strings.Contains(c.Message, word)
		}
		if missing {
			return fmt.Errorf("%s does not show %s=%s %s %q: %s", name, kind, status, reason, words, summary(got))
		}
		return nil
	}
}

// events returns the events about an object, as type and reason and note.
func (p *place) events(name string) ([]string, error) {
	var list eventsv1.EventList
	if err := world.List(context.Background(), &list, client.InNamespace(p.name)); err != nil {
		return nil, err
	}
	var out []string
	for _, e := range list.Items {
		if e.Regarding.Kind == v1alpha1.Kind && e.Regarding.Name == name {
			out = append(out, e.Type+" "+e.Reason+": "+e.Note)
		}
	}
	return out, nil
}
