package podview_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/tidemark/tidemark/internal/observe/podview"
)

func TestRestarts(t *testing.T) {
	ended := func(at time.Time) corev1.ContainerState {
		return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, FinishedAt: metav1.NewTime(at)}}
	}
	runs := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(later)}}
	waits := func(word string) corev1.ContainerState {
		return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: word}}
	}
	for name, tc := range map[string]struct {
		app, init corev1.ContainerStatus
		restarted time.Time
		waiting   string
	}{
		"its first start":              {app: corev1.ContainerStatus{State: runs}},
		"being created":                {app: corev1.ContainerStatus{State: waits("ContainerCreating")}, init: corev1.ContainerStatus{State: waits("PodInitializing")}},
		"an init container has ended":  {app: corev1.ContainerStatus{State: runs}, init: corev1.ContainerStatus{State: ended(monday)}},
		"started again":                {app: corev1.ContainerStatus{State: runs, RestartCount: 1, LastTerminationState: ended(monday)}, restarted: later},
		"ended a moment ago":           {app: corev1.ContainerStatus{State: ended(later)}, restarted: later},
		"in back-off":                  {app: corev1.ContainerStatus{State: waits("CrashLoopBackOff"), RestartCount: 3, LastTerminationState: ended(later)}, restarted: later, waiting: "CrashLoopBackOff"},
		"an init container in its own": {app: corev1.ContainerStatus{State: waits("PodInitializing")}, init: corev1.ContainerStatus{State: waits("CrashLoopBackOff"), LastTerminationState: ended(monday)}, restarted: monday, waiting: "CrashLoopBackOff"},
		"an image that is not there":   {app: corev1.ContainerStatus{State: waits("ImagePullBackOff")}, waiting: "ImagePullBackOff"},
	} {
		t.Run(name, func(t *testing.T) {
			pod := web()
			pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses = []corev1.ContainerStatus{tc.app}, []corev1.ContainerStatus{tc.init}
			if got := podview.Of(pod); !got.RestartedAt.Equal(tc.restarted) || got.Waiting != tc.waiting {
				t.Errorf("restarted at %s, waiting %q; want %s, %q", got.RestartedAt, got.Waiting, tc.restarted, tc.waiting)
			}
		})
	}
}
