package podview

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// creating are the words for a container that is on its way to its first start.
var creating = map[string]bool{"": true, "ContainerCreating": true, "PodInitializing": true}

// waiting returns why a container of the pod does not run, in the kubelet's word.
func waiting(pod *corev1.Pod) string {
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range statuses {
			if w := statuses[i].State.Waiting; w != nil && !creating[w.Reason] {
				return w.Reason
			}
		}
	}
	return ""
}

// restartedAt returns when a container of the pod was last started again. One
// that has ended and is to be started again counts from its end: until then it
// does no work either. Init containers are meant to end.
func restartedAt(pod *corev1.Pod) time.Time {
	var last time.Time
	later := func(t time.Time) {
		if t.After(last) {
			last = t
		}
	}
	for i := range pod.Status.ContainerStatuses {
		s := &pod.Status.ContainerStatuses[i]
		if ended := s.State.Terminated; ended != nil {
			later(ended.FinishedAt.Time)
		}
	}
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range statuses {
			s := &statuses[i]
			if ended := s.LastTerminationState.Terminated; ended != nil {
				later(ended.FinishedAt.Time)
			}
			if running := s.State.Running; running != nil && s.RestartCount > 0 {
				later(running.StartedAt.Time)
			}
		}
	}
	return last
}
