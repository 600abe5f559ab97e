package podview

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

// Resizing tells how far the resize of a pod has come, and since when; the
// moment is zero where the kubelet has said nothing yet.
func Resizing(pod *corev1.Pod) (scale.Resize, time.Time) {
	seen := Of(pod)
	return seen.Resizing(), seen.ResizeSince
}

// said is what the kubelet says of a resize. It does not look at sizes.
func said(pod *corev1.Pod) (scale.Resize, time.Time) {
	state, since := scale.NoResize, time.Time{}
	for i := range pod.Status.Conditions {
		c := &pod.Status.Conditions[i]
		if c.Status != corev1.ConditionTrue || c.ObservedGeneration != 0 && c.ObservedGeneration < pod.Generation {
			// It speaks of an earlier resize. A kubelet that does not say of
			// which is believed.
			continue
		}
		switch c.Type {
		case corev1.PodResizePending:
			state, since = scale.ResizeDeferred, c.LastTransitionTime.Time
			if c.Reason == corev1.PodReasonInfeasible {
				state = scale.ResizeInfeasible
			}
			return state, since
		case corev1.PodResizeInProgress:
			state, since = scale.ResizeInProgress, c.LastTransitionTime.Time
		}
	}
	return state, since
}

// setInForce notes what a container has where that is not what it was asked to
// have. A kubelet that tells no sizes is believed in what it says of a resize.
func setInForce(c *scale.PodContainer, statuses []corev1.ContainerStatus) {
	for i := range statuses {
		has := statuses[i].Resources
		if statuses[i].Name != c.Name || has == nil {
			continue
		}
		c.InForce = other(quantity.Requests(has.Requests), c.Requests)
		c.LimitsInForce = other(quantity.Requests(has.Limits), c.Limits)
		if c.InForce.Empty() && c.LimitsInForce.Empty() {
			c.Resize = scale.NoResize
		} else {
			c.Resize = max(c.Resize, scale.ResizeInProgress)
		}
		return
	}
}

// other keeps the amounts that are not what was asked for.
func other(has, asked scale.Resources) scale.Resources {
	var out scale.Resources
	for _, r := range scale.EveryResource {
		amount, known := has.Get(r)
		if wanted, stated := asked.Get(r); known && stated && amount != wanted {
			out = out.With(r, amount)
		}
	}
	return out
}
