package resize

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/apply/podsize"
	"github.com/tidemark/tidemark/scale"
)

// member is a pod of the workload with what a round has to know of it.
type member struct {
	pod   *corev1.Pod
	ready bool
	// fitted are the containers that have to change, none if the spec is as
	// wanted.
	fitted []podsize.Fitted
	// restarts is set when the resize restarts a container.
	restarts bool
	// stuck says why a resize that was asked for did not happen; empty while
	// it is still waited for, or done.
	stuck string
	// moving is set while the kubelet works on a resize.
	moving bool
	// waits says what a resize is waiting for.
	waits string
}

// membersOf leaves out pods that are finished, and counts those that are on
// their way out.
func membersOf(pods []*corev1.Pod, want []scale.Container, now time.Time) (members []member, leaving int) {
	for _, pod := range pods {
		switch {
		case pod.Status.Phase == corev1.PodSucceeded, pod.Status.Phase == corev1.PodFailed:
		case pod.DeletionTimestamp != nil:
			leaving++
		default:
			members = append(members, memberOf(pod, want, now))
		}
	}
	return members, leaving
}

func memberOf(pod *corev1.Pod, want []scale.Container, now time.Time) member {
	m := member{pod: pod, ready: isTrue(condition(pod, corev1.PodReady)), fitted: podsize.Fit(pod, want)}
	if len(m.fitted) > 0 {
		m.restarts = restarts(&pod.Spec, m.fitted)
		m.stuck = cannotResize(pod, m.fitted)
		return m
	}
	if pending := condition(pod, corev1.PodResizePending); isTrue(pending) && current(pod, pending) {
		switch {
		case pending.Reason == corev1.PodReasonInfeasible:
			m.stuck = "its node can never give it this size"
		case now.Sub(pending.LastTransitionTime.Time) >= patience:
			m.stuck = "its node had no room for " + patience.String()
		default:
			m.waits = "its node has no room for its new size yet"
		}
		return m
	}
	if progress := condition(pod, corev1.PodResizeInProgress); isTrue(progress) {
		m.moving = true
		if progress.Reason == corev1.PodReasonError && now.Sub(progress.LastTransitionTime.Time) >= patience {
			m.stuck = "its node failed to resize it for " + patience.String()
		}
	}
	return m
}

// cannotResize says why the API server would refuse the resize; empty if it
// would not. A pod that asked for nothing so far would change its class.
func cannotResize(pod *corev1.Pod, fitted []podsize.Fitted) string {
	before, after := podsize.Class(&pod.Spec), podsize.Class(podsize.Sized(&pod.Spec, fitted))
	if before != after {
		return "a running pod cannot turn from " + string(before) + " into " + string(after)
	}
	return ""
}

// restarts tells whether a resize of these containers restarts one of them.
func restarts(spec *corev1.PodSpec, fitted []podsize.Fitted) bool {
	for _, f := range fitted {
		list := spec.Containers
		if f.Init {
			list = spec.InitContainers
		}
		for _, policy := range list[f.Index].ResizePolicy {
			if policy.RestartPolicy == corev1.RestartContainer && f.Changed(policy.ResourceName) {
				return true
			}
		}
	}
	return false
}

func condition(pod *corev1.Pod, kind corev1.PodConditionType) *corev1.PodCondition {
	for i := range pod.Status.Conditions {
		if pod.Status.Conditions[i].Type == kind {
			return &pod.Status.Conditions[i]
		}
	}
	return nil
}

func isTrue(c *corev1.PodCondition) bool { return c != nil && c.Status == corev1.ConditionTrue }

// current tells whether a condition speaks of the spec as it is now. A kubelet
// that does not say is believed.
func current(pod *corev1.Pod, c *corev1.PodCondition) bool {
	return c.ObservedGeneration == 0 || c.ObservedGeneration >= pod.Generation
}
