package podview

import (
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcehelpers "k8s.io/component-helpers/resource"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

var phases = map[corev1.PodPhase]scale.Phase{
	corev1.PodRunning: scale.Running, corev1.PodPending: scale.Pending, corev1.PodSucceeded: scale.Succeeded, corev1.PodFailed: scale.Failed,
}

var readiness = map[corev1.ConditionStatus]scale.Readiness{
	corev1.ConditionTrue: scale.Ready, corev1.ConditionFalse: scale.NotReady, corev1.ConditionUnknown: scale.ReadinessUnknown,
}

// Of returns a pod as a decision sees it, without its usage.
//
// A pod's own requests are set whenever one of its resources is requested at
// the level of the pod. They then include what its containers request of other
// resources, as the Kubernetes HPA counts them.
func Of(pod *corev1.Pod) scale.Pod {
	out := Life(pod)
	out.OutOfMemoryAt, out.RestartedAt = outOfMemoryAt(pod), restartedAt(pod)
	if pod.Status.StartTime != nil {
		out.StartedAt = pod.Status.StartTime.Time
	}
	if resourcehelpers.IsPodLevelRequestsSet(pod) {
		out.Requests = quantity.Requests(resourcehelpers.PodRequests(pod, resourcehelpers.PodResourcesOptions{}))
		if has := pod.Status.Resources; has != nil {
			out.InForce = other(quantity.Requests(has.Requests), out.Requests)
		}
	}
	resize, since := said(pod)
	for _, c := range Containers(&pod.Spec) {
		one := scale.PodContainer{Name: c.Name, Requests: c.Requests, Limits: c.Limits, Resize: resize}
		setInForce(&one, pod.Status.ContainerStatuses)
		setInForce(&one, pod.Status.InitContainerStatuses)
		one.Restarts = restartsForCPU(&pod.Spec, c.Name)
		if one.Resize != scale.NoResize {
			out.ResizeSince = since
		}
		out.Containers = append(out.Containers, one)
	}
	setBoost(&out, pod)
	return out
}

// Life returns of a pod what tells whether it serves, or has ended: all that
// somebody needs who asks for no sizes.
func Life(pod *corev1.Pod) scale.Pod {
	out := scale.Pod{
		Name: pod.Name, Phase: scale.UnknownPhase, Deleting: pod.DeletionTimestamp != nil,
		Ready: scale.ReadinessAbsent, Waiting: waiting(pod),
	}
	if phase, known := phases[pod.Status.Phase]; known {
		out.Phase = phase
	}
	for i := range pod.Status.Conditions {
		switch c := &pod.Status.Conditions[i]; {
		case c.Type == corev1.PodReady:
			out.Ready, out.ReadyChangedAt = readinessOf(c.Status), c.LastTransitionTime.Time
		case c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse:
			out.Pending, out.PendingSince = c.Reason, c.LastTransitionTime.Time
		}
	}
	return out
}

// readinessOf reads a status that nobody has defined as the node not answering.
func readinessOf(s corev1.ConditionStatus) scale.Readiness {
	if r, known := readiness[s]; known {
		return r
	}
	return scale.ReadinessUnknown
}

// The words of the kubelet that say that memory ran out.
const (
	reasonKilled  = "OOMKilled"
	reasonEvicted = "Evicted"
)

// outOfMemoryAt returns when memory last ran out: a container was killed for
// it, or the kubelet evicted the pod because the node was short of it. It is
// zero when that never happened.
func outOfMemoryAt(pod *corev1.Pod) time.Time {
	var last time.Time
	for _, statuses := range [][]corev1.ContainerStatus{pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses} {
		for i := range statuses {
			for _, ended := range []*corev1.ContainerStateTerminated{statuses[i].State.Terminated, statuses[i].LastTerminationState.Terminated} {
				if ended != nil && ended.Reason == reasonKilled && ended.FinishedAt.After(last) {
					last = ended.FinishedAt.Time
				}
			}
		}
	}
	if evicted := evictedAt(pod); evicted.After(last) {
		last = evicted
	}
	return last
}

// evictedAt returns when the kubelet evicted a pod for memory. The kubelet says
// which resource was short only in its message. The moment is that of the
// pod's condition; where there is none, the pod's last container knows.
func evictedAt(pod *corev1.Pod) time.Time {
	s := &pod.Status
	if s.Phase != corev1.PodFailed || s.Reason != reasonEvicted || !strings.Contains(s.Message, "low on resource: memory") {
		return time.Time{}
	}
	var last time.Time
	for i := range s.Conditions {
		if c := &s.Conditions[i]; c.Type == corev1.DisruptionTarget {
			return c.LastTransitionTime.Time
		}
	}
	for i := range s.ContainerStatuses {
		if ended := s.ContainerStatuses[i].State.Terminated; ended != nil && ended.FinishedAt.After(last) {
			last = ended.FinishedAt.Time
		}
	}
	return last
}
