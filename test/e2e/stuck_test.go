//go:build e2e

package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TestTheCountHoldsWhileNoNodeIsFound: a node takes two pods. The third and the fourth
// are ordered, so that a node autoscaler sees them, until they have waited for five
// minutes. Then no more are, and it is told, until the node takes them.
func TestTheCountHoldsWhileNoNodeIsFound(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	node := p.nodeOfItsOwn("250m")
	p.queue("20")
	p.create(&appsv1.Deployment{}, `{metadata: {name: web}, spec: {replicas: 2, selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}},
		spec: {nodeSelector: {kubernetes.io/hostname: %[1]s}, tolerations: [{key: %[1]s}],
			containers: [{name: app, image: none, resources: {requests: {cpu: 100m}}}]}}}}`, node.Name)
	p.eventuallyReady("web", 2)
	p.autoscaler("web", perPod)

	p.queue("30")
	p.eventuallyHas("web", 3)
	eventually(t, patience, p.shows("web", "AbleToScale", "False", "Unschedulable", "1 of 3 pods have no node"))
	p.queue("40")
	p.eventuallyHas("web", 4)

	p.agePods("web", 4)
	p.queue("60")
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "Unschedulable", "2 of 4 pods have had no node for 5m or longer"))
	eventually(t, patience, p.told("web", "Warning Unschedulable: 2 of 4 pods have had no node for 5m or longer"))
	eventually(t, patience, p.counts(controller, "pods_pending", 2))
	always(t, 5*time.Second, p.has("web", 4))

	node.Status.Capacity[corev1.ResourceCPU] = resource.MustParse("2")
	node.Status.Allocatable[corev1.ResourceCPU] = resource.MustParse("2")
	eventually(t, patience, func() error {
		changed := node.DeepCopy()
		changed.ResourceVersion = ""
		return world.Status().Patch(t.Context(), changed, client.Merge)
	})
	p.eventuallyHas("web", 6)
	p.eventuallyReady("web", 6)
	eventually(t, patience, p.counts(controller, "pods_pending", 0))
}

// TestTheCountHoldsWhilePodsCrash: pods that crash are ordered as others are, until they
// have crashed for five minutes. Then no more are, and it is told, until they are ready.
func TestTheCountHoldsWhilePodsCrash(t *testing.T) {
	controller := share(t)
	p := newPlace(t)
	p.queue("20")
	p.deployment("web", 2, `cluster.tidemark.dev/crash-seconds: "0", cluster.tidemark.dev/back-off-seconds: "3600"`, `requests: {cpu: 100m}`)
	p.autoscaler("web", perPod)
	p.queue("30")
	p.eventuallyHas("web", 3)

	p.agePods("web", 3)
	p.queue("60")
	eventually(t, patience, p.shows("web", "ScalingLimited", "True", "CrashLooping", "3 of 3 pods have crashed for 5m or longer"))
	eventually(t, patience, p.told("web", "Warning CrashLooping: 3 of 3 pods have crashed for 5m or longer"))
	eventually(t, patience, p.counts(controller, "pods_crash_looping", 3))
	always(t, 5*time.Second, p.has("web", 3))
	if out := tidemark(t, "get", "web", "-n", p.name); !strings.Contains(out, "CrashLooping") {
		t.Errorf("tidemark get does not show it:\n%s", out)
	}

	for _, pod := range p.pods("web") {
		p.patch(&corev1.Pod{}, pod.Name, `{metadata: {annotations: {cluster.tidemark.dev/crash-seconds: null, cluster.tidemark.dev/back-off-seconds: "0"}}}`)
	}
	p.eventuallyHas("web", 6)
}

// nodeOfItsOwn is a node with some cpu, for those who ask for it by name and tolerate it.
func (p *place) nodeOfItsOwn(cpu string) *corev1.Node {
	p.t.Helper()
	name := "node-of-" + p.name
	size := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse("1Gi"), corev1.ResourcePods: resource.MustParse("10"),
	}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"kubernetes.io/os": "linux", "kubernetes.io/hostname": name, "type": "kwok"}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: name, Effect: corev1.TaintEffectNoSchedule}}},
		Status:     corev1.NodeStatus{Capacity: size, Allocatable: size},
	}
	if err := world.Create(p.t.Context(), node.DeepCopy()); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = world.Delete(context.Background(), node) })
	return node
}

// agePods lets all that the pods of a Deployment say of themselves be ten minutes old, once
// there are so many and each of them serves, has no node, or waits after a crash. What
// the scheduler and the node say of them remains, but for its moment.
func (p *place) agePods(name string, want int) {
	p.t.Helper()
	long := time.Now().Add(-10 * time.Minute).UTC().Format(time.RFC3339)
	eventually(p.t, patience, func() error {
		pods := p.pods(name)
		if len(pods) != want {
			return fmt.Errorf("%d pods, want %d", len(pods), want)
		}
		var missing error
		for i := range pods {
			missing = errors.Join(missing, madeOld(p.t.Context(), &pods[i], long))
		}
		return missing
	})
}

// madeOld is an error where a pod is still on its way.
func madeOld(ctx context.Context, pod *corev1.Pod, long string) error {
	var conditions []map[string]any
	told := false
	for _, c := range pod.Status.Conditions {
		conditions = append(conditions, map[string]any{"type": c.Type, "lastTransitionTime": long})
		told = told || c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse || c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	}
	for _, c := range pod.Status.ContainerStatuses {
		told = told || c.State.Waiting != nil && c.State.Waiting.Reason == "CrashLoopBackOff"
	}
	if !told {
		return fmt.Errorf("pod %s is on its way: %+v", pod.Name, pod.Status)
	}
	status := map[string]any{"conditions": conditions}
	if pod.Status.StartTime != nil {
		status["startTime"] = long
	}
	text, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return err
	}
	return world.Status().Patch(ctx, pod, client.RawPatch("application/strategic-merge-patch+json", text))
}

// pods are those of a Deployment that are not going.
func (p *place) pods(name string) []corev1.Pod {
	p.t.Helper()
	var list corev1.PodList
	if err := world.List(context.Background(), &list, client.InNamespace(p.name), client.MatchingLabels{"app": name}); err != nil {
		p.t.Fatal(err)
	}
	var out []corev1.Pod
	for _, pod := range list.Items {
		if pod.DeletionTimestamp == nil {
			out = append(out, pod)
		}
	}
	return out
}
