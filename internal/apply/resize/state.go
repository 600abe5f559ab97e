package resize

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/apply/podsize"
	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

// subresource is where resizes are asked for. Kubernetes notes on the pod who
// last wrote there and when.
const subresource = "resize"

// membersOf returns the pods of a round, and those as the plan sees them. It
// leaves out pods that are finished, and counts those on their way out.
func membersOf(pods []*corev1.Pod, want []scale.Container) (members []*corev1.Pod, seen []plan.Pod, leaving int) {
	for _, pod := range pods {
		switch life := podview.Life(pod); {
		case life.Finished():
		case life.Ended():
			leaving++
		default:
			members, seen = append(members, pod), append(seen, podOf(pod, want, life.Serves()))
		}
	}
	return members, seen, leaving
}

func podOf(pod *corev1.Pod, want []scale.Container, ready bool) plan.Pod {
	out := plan.Pod{Name: pod.Name, Ready: ready, CreatedAt: pod.CreationTimestamp.Time, ServedAt: servedAt(pod)}
	out.Resize, out.Since = podview.Resizing(pod)
	out.Higher, out.Lower = podsize.Requested(pod, want)
	out.Failing = isFailing(pod)
	want = besideBoost(pod, want)
	fitted := podsize.Fit(pod, want)
	if len(fitted) == 0 {
		return out
	}
	for i := range fitted {
		out.Grows, out.Shrinks = out.Grows || fitted[i].Grows, out.Shrinks || fitted[i].Shrinks
	}
	out.Restarts = restarts(&pod.Spec, fitted)
	out.GrowingRestarts = out.Restarts
	if out.Grows && out.Shrinks && out.Restarts {
		out.GrowingRestarts = restarts(&pod.Spec, podsize.FitUp(pod, want))
	}
	out.Refused = cannotResize(pod, fitted)
	return out
}

// servedAt is when a pod was last resized. The API server keeps it.
func servedAt(pod *corev1.Pod) time.Time {
	var last time.Time
	for i := range pod.ManagedFields {
		if f := &pod.ManagedFields[i]; f.Subresource == subresource && f.Time != nil && f.Time.After(last) {
			last = f.Time.Time
		}
	}
	return last
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

// isFailing tells whether the kubelet tries to resize the pod and fails.
func isFailing(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodResizeInProgress && c.Status == corev1.ConditionTrue && c.Reason == corev1.PodReasonError
	})
}
