package live

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

// capacity adds what there is for the pods: what the namespace allows, and for those who
// size pods what the largest node has. An object that is to do as an HPA does sees what an
// HPA sees. What is not known, because a right is missing or the watches have not come,
// bounds nothing, so it is nobody's problem: whoever refuses pods says so.
func (o *Observer) capacity(ctx context.Context, l *look) {
	if l.Policy.Horizontal.Upstream {
		return
	}
	var out scale.Capacity
	if o.allowances != nil {
		if allowed, err := o.allowances.Of(ctx, l.Object.Namespace); err == nil {
			out.Quota = allowed.Room(oneOf(l.running))
			if l.Policy.Sizes() {
				out.LimitRange = allowed.Range()
			}
		}
	}
	if l.Policy.Sizes() {
		out.LargestNode = o.nodes.Largest(ctx)
	}
	if out != (scale.Capacity{}) {
		l.obs.Capacity = &out
	}
}

// oneOf is a pod that the next ones will be like; nil where there is none.
func oneOf(pods []*corev1.Pod) *corev1.Pod {
	for _, pod := range pods {
		if life := podview.Life(pod); !life.Ended() {
			return pod
		}
	}
	return nil
}
