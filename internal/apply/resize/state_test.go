package resize

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/scale"
)

func bestEffort(p *corev1.Pod) { p.Spec.Containers[0].Resources = corev1.ResourceRequirements{} }

func restartsOn(name corev1.ResourceName) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].ResizePolicy = []corev1.ContainerResizePolicy{{ResourceName: name, RestartPolicy: corev1.RestartContainer}}
	}
}

func withMemory(amount string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Requests[corev1.ResourceMemory] = resource.MustParse(amount)
	}
}

func servedBy(manager, sub string, at time.Time) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		stamp := metav1.NewTime(at)
		p.ManagedFields = append(p.ManagedFields, metav1.ManagedFieldsEntry{Manager: manager, Subresource: sub, Time: &stamp})
	}
}

func inForce(cpu string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app",
			State:     corev1.ContainerState{Running: &corev1.ContainerStateRunning{}},
			Resources: &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}}}
	}
}

// TestPodOf: a pod of the cluster as the plan sees it.
func TestPodOf(t *testing.T) {
	born := now.Add(-time.Hour)
	ofCPU, ofMemory := [len(scale.EveryResource)]bool{scale.CPU: true}, [len(scale.EveryResource)]bool{scale.Memory: true}
	lessMemory := []scale.Container{{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 750).With(scale.Memory, 1<<30*1000)}}
	for name, tc := range map[string]struct {
		pod  *corev1.Pod
		want []scale.Container
		seen plan.Pod
	}{
		"as wanted": {runningPod("a", big), wantBig, plan.Pod{Ready: true}},
		"too small": {runningPod("a", old), wantBig, plan.Pod{Ready: true, Grows: true, Higher: ofCPU}},
		"too large": {runningPod("a", "1"), wantBig, plan.Pod{Ready: true, Shrinks: true, Lower: ofCPU}},
		"not ready": {runningPod("a", big, unready), wantBig, plan.Pod{}},
		"in back-off, though said to be ready": {runningPod("a", big, func(p *corev1.Pod) {
			p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app",
				State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}}}
		}), wantBig, plan.Pod{}},
		"without a node, though said to be ready": {runningPod("a", big, func(p *corev1.Pod) { p.Status.Phase = corev1.PodPending }), wantBig, plan.Pod{}},
		"more of one, less of another": {
			runningPod("a", old, withMemory("2Gi")), lessMemory, plan.Pod{Ready: true, Grows: true, Shrinks: true, Higher: ofCPU, Lower: ofMemory},
		},
		"of which the less restarts it": {
			runningPod("a", old, withMemory("2Gi"), restartsOn(corev1.ResourceMemory)), lessMemory,
			plan.Pod{Ready: true, Grows: true, Shrinks: true, Higher: ofCPU, Lower: ofMemory, Restarts: true},
		},
		"a change that restarts it":       {runningPod("a", old, restartsOn(corev1.ResourceCPU)), wantBig, plan.Pod{Ready: true, Grows: true, Higher: ofCPU, Restarts: true, GrowingRestarts: true}},
		"another resource's resizePolicy": {runningPod("a", old, restartsOn(corev1.ResourceMemory)), wantBig, plan.Pod{Ready: true, Grows: true, Higher: ofCPU}},
		"a pod that asks for nothing":     {runningPod("a", old, bestEffort), wantBig, plan.Pod{Ready: true, Grows: true, Higher: ofCPU, Refused: "a running pod cannot turn from BestEffort into Burstable"}},
		"infeasible":                      {runningPod("a", big, infeasible), wantBig, plan.Pod{Ready: true, Resize: scale.ResizeInfeasible, Since: now.Add(-time.Second)}},
		"infeasible, and less in force": {
			runningPod("a", big, infeasible, inForce(old)), wantBig,
			plan.Pod{Ready: true, Higher: ofCPU, Resize: scale.ResizeInfeasible, Since: now.Add(-time.Second)},
		},
		"a verdict on an earlier size": {runningPod("a", big, infeasible, func(p *corev1.Pod) { p.Generation = 3 }), wantBig, plan.Pod{Ready: true}},
		"in progress":                  {runningPod("a", big, inProgress), wantBig, plan.Pod{Ready: true, Resize: scale.ResizeInProgress, Since: now.Add(-time.Second)}},
		"a kubelet that fails": {
			runningPod("a", big, with(corev1.PodResizeInProgress, corev1.PodReasonError, time.Minute)), wantBig,
			plan.Pod{Ready: true, Resize: scale.ResizeInProgress, Since: now.Add(-time.Minute), Failing: true},
		},
		"the last resize counts, whoever made it": {
			runningPod("a", big, servedBy("tidemark", "resize", born), servedBy("vpa", "resize", now), servedBy("kubelet", "status", now.Add(time.Minute))), wantBig,
			plan.Pod{Ready: true, ServedAt: now},
		},
	} {
		t.Run(name, func(t *testing.T) {
			tc.seen.Name, tc.seen.CreatedAt = "a", born
			_, seen, _ := membersOf([]*corev1.Pod{tc.pod}, tc.want)
			if diff := cmp.Diff([]plan.Pod{tc.seen}, seen); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestPodsThatEndAreNone, but those on their way out are known.
func TestPodsThatEndAreNone(t *testing.T) {
	members, seen, leaving := membersOf([]*corev1.Pod{runningPod("a", old, deleting), runningPod("b", old, finished), runningPod("c", old)}, wantBig)
	if len(members) != 1 || len(seen) != 1 || leaving != 1 {
		t.Errorf("%d members, %d seen, %d leaving; want one each", len(members), len(seen), leaving)
	}
}
