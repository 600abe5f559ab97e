package podview_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

var (
	monday = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	later  = monday.Add(time.Minute)
)

var equalResources = cmp.Comparer(func(a, b scale.Resources) bool { return a == b })

func requests(cpu string) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}
}

// web is a pod with everything that is looked at.
func web() *corev1.Pod {
	always := corev1.ContainerRestartPolicyAlways
	start := metav1.NewTime(monday)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-1"},
		Spec: corev1.PodSpec{
			Containers:     []corev1.Container{{Name: "app", Resources: requests("500m")}},
			InitContainers: []corev1.Container{{Name: "migrate", Resources: requests("4")}, {Name: "proxy", RestartPolicy: &always, Resources: requests("100m")}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, StartTime: &start,
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(later)}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "app", LastTerminationState: corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled", FinishedAt: metav1.NewTime(monday.Add(-time.Hour))},
			}}},
		},
	}
}

func TestOf(t *testing.T) {
	cpu := func(a scale.Amount) scale.Resources { return scale.Resources{}.With(scale.CPU, a) }
	want := scale.Pod{
		Name: "web-1", Phase: scale.Running, Ready: scale.Ready, ReadyChangedAt: later, StartedAt: monday, OutOfMemoryAt: monday.Add(-time.Hour),
		RestartedAt: monday.Add(-time.Hour),
		Containers:  []scale.PodContainer{{Name: "app", Requests: cpu(500)}, {Name: "proxy", Requests: cpu(100)}},
	}
	if diff := cmp.Diff(want, podview.Of(web()), equalResources); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	podLevel := web()
	podLevel.Spec.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}}
	// Memory is the pod's own. The cpu is what Kubernetes reserves for the
	// containers: the init container's 4 cores, more than all that run later.
	want.Requests = cpu(4000).With(scale.Memory, 1<<30*1000)
	if diff := cmp.Diff(want, podview.Of(podLevel), equalResources); diff != "" {
		t.Errorf("with requests of the pod (-want +got):\n%s", diff)
	}
}

func TestPhasesAndReadiness(t *testing.T) {
	if got := podview.Of(&corev1.Pod{}); got.Phase != scale.UnknownPhase || got.Ready != scale.ReadinessAbsent || got.Deleting {
		t.Errorf("a pod that says nothing: got %+v", got)
	}
	for status, want := range map[corev1.ConditionStatus]scale.Readiness{
		"True": scale.Ready, "False": scale.NotReady, "Unknown": scale.ReadinessUnknown, "Perhaps": scale.ReadinessUnknown,
	} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			pod := web()
			pod.Status.Conditions[0].Status = status
			if got := podview.Of(pod).Ready; got != want {
				t.Errorf("%s: got %v, want %v", status, got, want)
			}
		})
	}
	for phase, want := range map[corev1.PodPhase]scale.Phase{
		"Running": scale.Running, "Pending": scale.Pending, "Succeeded": scale.Succeeded, "Failed": scale.Failed, "Unknown": scale.UnknownPhase,
	} {
		t.Run(fmt.Sprint(phase), func(t *testing.T) {
			if got := podview.Of(&corev1.Pod{Status: corev1.PodStatus{Phase: phase}}).Phase; got != want {
				t.Errorf("%s: got %v, want %v", phase, got, want)
			}
		})
	}
}

// TestPodsWithoutANode: the scheduler's word, and since when.
func TestPodsWithoutANode(t *testing.T) {
	homeless := &corev1.Pod{Status: corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable, LastTransitionTime: metav1.NewTime(monday),
	}}}}
	if got := podview.Of(homeless); got.Pending != "Unschedulable" || !got.PendingSince.Equal(monday) {
		t.Errorf("got %q since %s", got.Pending, got.PendingSince)
	}
	homeless.Status.Conditions[0].Status = corev1.ConditionTrue
	if got := podview.Of(homeless); got.Pending != "" || !got.PendingSince.IsZero() {
		t.Errorf("with a node: got %q since %s", got.Pending, got.PendingSince)
	}
}

func TestWhenMemoryRanOut(t *testing.T) {
	killed := func(at time.Time) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled", FinishedAt: metav1.NewTime(at)}}
	}
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Error", FinishedAt: metav1.NewTime(later)}}
	evicted := corev1.PodStatus{Phase: corev1.PodFailed, Reason: "Evicted",
		Message: "The node was low on resource: memory. Threshold quantity: 100Mi, available: 90Mi."}
	withCondition, withContainer, forDisk := evicted, evicted, evicted
	withCondition.Conditions = []corev1.PodCondition{{Type: corev1.DisruptionTarget, LastTransitionTime: metav1.NewTime(monday)}}
	withContainer.ContainerStatuses = []corev1.ContainerStatus{{State: ended}}
	forDisk.Conditions = withCondition.Conditions
	forDisk.Message = "The node was low on resource: ephemeral-storage."
	for name, tt := range map[string]struct {
		status corev1.PodStatus
		want   time.Time
	}{
		"never":                  {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{LastTerminationState: ended}}}, time.Time{}},
		"before the last start":  {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{LastTerminationState: killed(monday)}}}, monday},
		"just now":               {corev1.PodStatus{ContainerStatuses: []corev1.ContainerStatus{{LastTerminationState: killed(monday), State: killed(later)}}}, later},
		"in a sidecar":           {corev1.PodStatus{InitContainerStatuses: []corev1.ContainerStatus{{LastTerminationState: killed(monday)}}}, monday},
		"evicted":                {withCondition, monday},
		"evicted, no condition":  {withContainer, later},
		"evicted for disk space": {forDisk, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := podview.Of(&corev1.Pod{Status: tt.status}).OutOfMemoryAt; !got.Equal(tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
