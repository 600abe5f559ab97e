package pods_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/tidemark/tidemark/internal/observe/pods"
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

// full is a pod with everything that is looked at, and much that is not.
func full() *corev1.Pod {
	always := corev1.ContainerRestartPolicyAlways
	start := metav1.NewTime(monday)
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "shop", Name: "web-1", UID: "u", ResourceVersion: "7", Labels: map[string]string{"app": "web"},
			Annotations:   map[string]string{"autoscaling.tidemark.dev/x": "1", "huge": "text"},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "kubectl"}}, OwnerReferences: ownedBy("StatefulSet", "web", "s1"),
		},
		Spec: corev1.PodSpec{
			NodeName:       "n1",
			Containers:     []corev1.Container{{Name: "app", Image: "app:1", Env: []corev1.EnvVar{{Name: "A", Value: "B"}}, Resources: requests("500m")}},
			InitContainers: []corev1.Container{{Name: "migrate", Resources: requests("4")}, {Name: "proxy", RestartPolicy: &always, Resources: requests("100m")}},
			Volumes:        []corev1.Volume{{Name: "v"}},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, StartTime: &start, HostIP: "10.0.0.1",
			Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: metav1.NewTime(later)}},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "app", Image: "app:1", LastTerminationState: corev1.ContainerState{
				Terminated: &corev1.ContainerStateTerminated{Reason: "OOMKilled", FinishedAt: metav1.NewTime(monday.Add(-time.Hour))},
			}}},
		},
	}
}

func TestStripKeepsWhatIsRead(t *testing.T) {
	podLevel := full()
	podLevel.Spec.Resources = &corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("1Gi")}}
	for name, pod := range map[string]*corev1.Pod{"plain": full(), "with requests of the pod": podLevel} {
		t.Run(name, func(t *testing.T) {
			out, err := pods.Strip(pod.DeepCopy())
			if err != nil {
				t.Fatal(err)
			}
			got := out.(*corev1.Pod)
			if diff := cmp.Diff(podview.Of(pod), podview.Of(got), equalResources); diff != "" {
				t.Errorf("seen (-whole +stripped):\n%s", diff)
			}
			if got.ManagedFields != nil || got.Spec.Volumes != nil || got.Spec.Containers[0].Env != nil || got.Annotations["huge"] != "" {
				t.Errorf("too much is kept: %+v", got)
			}
			if diff := cmp.Diff(pod.OwnerReferences, got.OwnerReferences); diff != "" || got.Annotations["autoscaling.tidemark.dev/x"] != "1" {
				t.Errorf("too little is kept: %+v", got.ObjectMeta)
			}
		})
	}
}

func TestStripOfOtherThings(t *testing.T) {
	out, err := pods.Strip(toolscache.DeletedFinalStateUnknown{Key: "shop/web-1", Obj: full()})
	gone, ok := out.(toolscache.DeletedFinalStateUnknown)
	if err != nil || !ok || gone.Obj.(*corev1.Pod).Spec.Volumes != nil {
		t.Errorf("a pod that is gone: got %v, %v", out, err)
	}
	if _, err := pods.Strip("a pod"); err == nil {
		t.Error("no error for what is no pod")
	}
}

// TestSharedResources: a status that says the same as the spec shares its lists, also
// with other pods, and one that differs keeps its own.
func TestSharedResources(t *testing.T) {
	strip := func() *corev1.Pod {
		pod := full()
		same, other := requests("500m"), requests("250m")
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", Resources: &same, AllocatedResources: other.Requests}}
		want := podview.Of(pod)
		out, err := pods.Strip(pod)
		if err != nil {
			t.Fatal(err)
		}
		got := out.(*corev1.Pod)
		if diff := cmp.Diff(want, podview.Of(got), equalResources); diff != "" {
			t.Errorf("(-whole +stripped):\n%s", diff)
		}
		return got
	}
	one, another := strip(), strip()
	status := one.Status.ContainerStatuses[0]
	if allocated := status.AllocatedResources.Cpu(); allocated.String() != "250m" {
		t.Errorf("%s is allocated, want 250m", allocated)
	}
	place := func(list corev1.ResourceList) uintptr { return reflect.ValueOf(list).Pointer() }
	spec := place(one.Spec.Containers[0].Resources.Requests)
	if place(status.Resources.Requests) != spec {
		t.Error("the status has a list of its own")
	}
	if place(another.Spec.Containers[0].Resources.Requests) != spec {
		t.Error("another pod has a list of its own")
	}
	if place(status.AllocatedResources) == spec {
		t.Error("what differs is shared")
	}
	if &another.Spec.Containers[0] != &one.Spec.Containers[0] {
		t.Error("another pod has containers of its own")
	}
	restarts := pods.StripContainers([]corev1.Container{{Name: "app", Resources: one.Spec.Containers[0].Resources, ResizePolicy: []corev1.ContainerResizePolicy{
		{ResourceName: corev1.ResourceCPU, RestartPolicy: corev1.RestartContainer}}}})
	if &restarts[0] == &one.Spec.Containers[0] || restarts[0].ResizePolicy[0].RestartPolicy != corev1.RestartContainer {
		t.Error("containers that differ are shared")
	}
}
