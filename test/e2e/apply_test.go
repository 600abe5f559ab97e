//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	scaleclient "k8s.io/client-go/scale"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/internal/apply/route"
	"github.com/tidemark/tidemark/internal/permit"
	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// applying is a place with a Deployment "web", and a way to act on it under the
// installed role and nothing more.
type applying struct {
	*place
	acts   *route.Applier
	object *v1alpha1.WorkloadAutoscaler
}

// newApplying makes a Deployment of pods with these annotations and resources,
// and waits until they are ready.
func newApplying(t *testing.T, replicas int, annotations, resources, spec string) *applying {
	t.Helper()
	a := &applying{place: newPlace(t), object: &v1alpha1.WorkloadAutoscaler{}}
	a.object.Namespace, a.object.Name = a.name, "web"
	if err := yaml.UnmarshalStrict([]byte(spec), &a.object.Spec); err != nil {
		t.Fatal(err)
	}
	a.deployment("web", replicas, annotations, resources)
	a.acts = a.route()
	a.eventuallyReady("web", replicas)
	return a
}

// route acts as the controller's ServiceAccount. Its clock is an hour ahead, so
// that no pod is too young to be replaced.
func (a *applying) route() *route.Applier {
	config := rest.CopyConfig(world.Config)
	config.Impersonate.UserName = "system:serviceaccount:tidemark-system:tidemark"
	config.Impersonate.Groups = []string{"system:serviceaccounts", "system:authenticated"}
	api, err := client.New(config, client.Options{Scheme: world.Scheme()})
	if err != nil {
		a.t.Fatal(err)
	}
	groups, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		a.t.Fatal(err)
	}
	scales, err := scaleclient.NewForConfig(rest.CopyConfig(config), api.RESTMapper(), dynamic.LegacyAPIPathResolverFunc,
		scaleclient.NewDiscoveryScaleKindResolver(memory.NewMemCacheClient(groups)))
	if err != nil {
		a.t.Fatal(err)
	}
	return route.New(route.Config{
		Scales: scales, Mapper: api.RESTMapper(), Client: api, Pods: a, Clock: clocktesting.NewFakePassiveClock(time.Now().Add(time.Hour)),
		Rules: permit.Rules{Admin: func() v1alpha1.AdminSettings { return v1alpha1.AdminSettings{} }}, NewPodsAreSized: true,
	})
}

// Of stands for the ownership index: every pod of the namespace is the
// workload's.
func (a *applying) Of(ctx context.Context, _ targetref.Target) ([]*corev1.Pod, error) {
	var list corev1.PodList
	if err := world.List(ctx, &list, client.InNamespace(a.name)); err != nil {
		return nil, err
	}
	var pods []*corev1.Pod
	for i := range list.Items {
		pods = append(pods, &list.Items[i])
	}
	return pods, nil
}

// running returns the pods that are ready now.
func (a *applying) running() []corev1.Pod {
	a.t.Helper()
	pods, err := a.ready("web")
	if err != nil {
		a.t.Fatal(err)
	}
	return pods
}

func (a *applying) until(what string, done func() bool) {
	a.t.Helper()
	eventually(a.t, patience, func() error {
		if !done() {
			return errors.New("waiting until " + what)
		}
		return nil
	})
}

func (a *applying) apply(d scale.Decision) (apply.Outcome, error) {
	return a.acts.For(a.object).Apply(a.t.Context(), targetref.Target{APIVersion: "apps/v1", Kind: "Deployment", Namespace: a.name, Name: "web"}, d)
}

// sizing is a decision for so many pods of so much CPU.
func sizing(from, want int32, cpu scale.Amount) scale.Decision {
	return scale.Decision{
		From: scale.Size{Replicas: from},
		Want: scale.Size{Replicas: want, Containers: []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, cpu)}}},
	}
}

const sizesCPU = `{containers: [{name: app, cpu: {}}]}`

func TestApplyScales(t *testing.T) {
	beside(t)
	a := newApplying(t, 2, "", "", `{}`)
	var outcome apply.Outcome
	var err error
	a.until("nobody else writes the Deployment's status at that moment", func() bool {
		outcome, err = a.apply(sizing(2, 4, 0))
		return !errors.Is(err, apply.Conflict)
	})
	if err != nil || len(outcome.Changes) != 1 {
		t.Fatalf("changes %v, error %v", outcome.Changes, err)
	}
	a.until("four pods are ready", func() bool { return len(a.running()) == 4 })
	if _, err := a.apply(sizing(2, 3, 0)); !errors.Is(err, apply.Conflict) {
		t.Errorf("a decision for 2 pods where there are 4: error %v, want a conflict", err)
	}
	if outcome, err := a.apply(sizing(2, 4, 0)); err != nil || len(outcome.Changes) > 0 {
		t.Errorf("a decision that someone carried out already: changes %v, error %v", outcome.Changes, err)
	}
}

// TestApplyScalesOtherKindsOnceAllowed: a role with the label is all it takes.
func TestApplyScalesOtherKindsOnceAllowed(t *testing.T) {
	beside(t)
	a := newApplying(t, 1, "", "", `{}`)
	scaling := func() error {
		target := targetref.Target{APIVersion: "v1", Kind: "ReplicationController", Namespace: a.name, Name: "missing"}
		_, err := a.acts.For(a.object).Apply(t.Context(), target, sizing(1, 2, 0))
		return err
	}
	if err := scaling(); !errors.Is(err, apply.Forbidden) || !strings.Contains(err.Error(), "replicationcontrollers/scale") {
		t.Errorf("a kind that the role does not have: error %v", err)
	}
	more := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "more-", Labels: map[string]string{"rbac.tidemark.dev/aggregate-to-controller": "true"}},
		Rules:      []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"replicationcontrollers/scale"}, Verbs: []string{"get", "update"}}},
	}
	if err := world.Create(t.Context(), more); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = world.Delete(context.Background(), more) })
	a.until("the kind is allowed", func() bool { return errors.Is(scaling(), apply.NotFound) })
}

func TestApplyResizesInPlace(t *testing.T) {
	beside(t)
	for name, resources := range map[string]string{
		"Burstable":  `requests: {cpu: 500m, memory: 64Mi}`,
		"Guaranteed": `requests: {cpu: 500m, memory: 64Mi}, limits: {cpu: 500m, memory: 64Mi}`,
		"nearly":     `requests: {cpu: 500m, memory: 64Mi}, limits: {cpu: 751m, memory: 64Mi}`,
	} {
		t.Run(name, func(t *testing.T) {
			a := newApplying(t, 2, "", resources, sizesCPU)
			before := a.running()
			if outcome, err := a.apply(sizing(2, 2, 750)); err != nil || len(outcome.Changes) < 2 || len(outcome.Waiting) > 0 {
				t.Fatalf("outcome %+v, error %v; want both pods to grow in one round", outcome, err)
			}
			a.until("no resize is in progress", func() bool { return !a.resizing() })
			if outcome, err := a.apply(sizing(2, 2, 750)); err != nil || len(outcome.Changes) > 0 {
				t.Errorf("at rest: outcome %+v, error %v", outcome, err)
			}
			for i, pod := range a.running() {
				cpu := pod.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU]
				if pod.UID != before[i].UID || cpu.MilliValue() != 750 || pod.Status.QOSClass != before[i].Status.QOSClass {
					t.Errorf("pod %s has %s CPU and class %s; want the same pod with 750m and %s", pod.Name, cpu.String(), pod.Status.QOSClass, before[i].Status.QOSClass)
				}
			}
		})
	}
}

func (a *applying) resizing() bool {
	for _, pod := range a.running() {
		for _, c := range pod.Status.Conditions {
			if c.Type == corev1.PodResizeInProgress || c.Type == corev1.PodResizePending {
				return true
			}
		}
	}
	return false
}

// TestApplyEvictsWhatCannotBeResized: a budget protects the pod first.
func TestApplyEvictsWhatCannotBeResized(t *testing.T) {
	beside(t)
	a := newApplying(t, 1, `cluster.tidemark.dev/resize: infeasible`, `requests: {cpu: 500m}`, sizesCPU)
	first := a.running()[0].UID
	var budget policyv1.PodDisruptionBudget
	a.create(&budget, `{metadata: {name: web}, spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}}`)
	a.until("the budget knows its pod", func() bool {
		err := world.Get(t.Context(), client.ObjectKeyFromObject(&budget), &budget)
		return err == nil && budget.Status.ExpectedPods == 1 && budget.Status.CurrentHealthy == 1
	})
	if outcome, err := a.apply(sizing(1, 1, 750)); err != nil || len(outcome.Changes) == 0 {
		t.Fatalf("asking for the resize: %+v, error %v", outcome, err)
	}
	a.until("the budget is what is waited for", func() bool {
		outcome, err := a.apply(sizing(1, 1, 750))
		return err == nil && len(outcome.Changes) == 0 && strings.Contains(fmt.Sprint(outcome.Waiting), "PodDisruptionBudget")
	})
	if err := world.Delete(t.Context(), &budget); err != nil {
		t.Fatal(err)
	}
	a.until("the pod is evicted", func() bool {
		outcome, err := a.apply(sizing(1, 1, 750))
		return err == nil && len(outcome.Changes) == 1 && outcome.Changes[0].To == "evicted"
	})
	a.until("another pod is there", func() bool { ready := a.running(); return len(ready) == 1 && ready[0].UID != first })
}

// TestApplyKnowsItsPods: what changed since it was read is not resized, and a
// pod of the same name is not evicted on behalf of the one before it.
func TestApplyKnowsItsPods(t *testing.T) {
	beside(t)
	for update, age := range map[v1alpha1.VerticalUpdate]func(*corev1.Pod){
		v1alpha1.VerticalUpdateInPlace:  func(pod *corev1.Pod) { pod.ResourceVersion = "1" },
		v1alpha1.VerticalUpdateRecreate: func(pod *corev1.Pod) { pod.UID = "another" },
	} {
		t.Run(string(update), func(t *testing.T) {
			a := newApplying(t, 1, "", `requests: {cpu: 500m}`, sizesCPU)
			a.object.Spec.Vertical = &v1alpha1.VerticalSpec{Update: update}
			pod := a.running()[0]
			age(&pod)
			a.acts = route.New(route.Config{
				Client: world, Pods: stale{&pod}, Clock: clocktesting.NewFakePassiveClock(time.Now().Add(time.Hour)),
				Rules: permit.Rules{Admin: func() v1alpha1.AdminSettings { return v1alpha1.AdminSettings{} }}, NewPodsAreSized: true,
			})
			if outcome, err := a.apply(sizing(1, 1, 750)); !errors.Is(err, apply.Conflict) || len(outcome.Changes) > 0 {
				t.Errorf("outcome %+v, error %v; want a conflict", outcome, err)
			}
			if cpu := a.running()[0].Spec.Containers[0].Resources.Requests[corev1.ResourceCPU]; cpu.MilliValue() != 500 {
				t.Errorf("the pod has %s CPU", cpu.String())
			}
		})
	}
}

// stale is an index that lags behind.
type stale struct{ pod *corev1.Pod }

func (s stale) Of(context.Context, targetref.Target) ([]*corev1.Pod, error) {
	return []*corev1.Pod{s.pod}, nil
}

// TestApplyTunesAnHPA is not parallel: the object it acts for is not in the
// cluster, so a controller would give the HPA back.
func TestApplyTunesAnHPA(t *testing.T) {
	alone(t)
	a := newApplying(t, 1, "", `requests: {cpu: 500m}`, `{actuator: HPA, hpaName: web}`)
	var hpa autoscalingv2.HorizontalPodAutoscaler
	a.create(&hpa, `{metadata: {name: web}, spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, minReplicas: 1, maxReplicas: 3,
		metrics: [{type: ContainerResource, containerResource: {name: cpu, container: app, target: {type: Utilization, averageUtilization: 70}}}]}}`)
	d := scale.Decision{Tuning: &scale.Tuning{Min: new(int32(1)), Max: new(int32(5)),
		Targets: []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 65}}}}
	outcome, err := a.apply(d)
	if err != nil || len(outcome.Changes) != 2 {
		t.Fatalf("outcome %+v, error %v", outcome, err)
	}
	if err := world.Get(t.Context(), client.ObjectKeyFromObject(&hpa), &hpa); err != nil {
		t.Fatal(err)
	}
	if got := *hpa.Spec.Metrics[0].ContainerResource.Target.AverageUtilization; hpa.Spec.MaxReplicas != 5 || got != 65 {
		t.Errorf("the HPA has a maximum of %d and a target of %d, want 5 and 65", hpa.Spec.MaxReplicas, got)
	}
	if outcome, err := a.apply(d); err != nil || len(outcome.Changes) > 0 {
		t.Errorf("at rest: outcome %+v, error %v", outcome, err)
	}
}
