package live

import (
	"context"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/nodes"
	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// room adds the room of the pods' nodes, for those who size by headroom. An object
// that is to do as an HPA does sees what an HPA sees.
func (o *Observer) room(ctx context.Context, l *look) {
	learn := l.Object.Spec.Learn
	if learn == nil || learn.Headroom == nil || l.Policy.Horizontal.Upstream {
		return
	}
	if o.kubelets != nil && snapshot.Waits(ctx) {
		return // they may say in a moment what their nodes use
	}
	pods, names := make([]nodes.Pod, 0, len(l.running)), map[string]bool{}
	for i, pod := range l.running {
		if name := pod.Spec.NodeName; name != "" {
			pods = append(pods, nodes.Pod{Pod: &l.obs.Pods[i], Node: name, Limit: limitOf(pod, &l.obs.Pods[i])})
			names[name] = true
		}
	}
	if len(pods) == 0 {
		return
	}
	known, err := o.nodes.Known(ctx, slices.Collect(maps.Keys(names)), o.saidOfNodes(ctx, l), l.maxAge())
	if err != nil {
		l.problem(err)
	}
	for name, node := range known {
		// It may have been measured while we looked.
		node.At = scale.Earlier(node.At, l.At)
		known[name] = node
	}
	l.obs.Room = nodes.Room(pods, known, nodes.Span{Oldest: l.At.Add(-l.Policy.Horizontal.StaleAfter), Now: l.At})
}

// saidOfNodes is what kubelets say of nodes whose pods they have spoken for: the
// usage of a node and that of our pods on it have to be of the same time.
func (o *Observer) saidOfNodes(ctx context.Context, l *look) nodes.Used {
	names := map[string]bool{}
	for _, pod := range l.running {
		if has(l.fresh, pod.Name) {
			names[pod.Spec.NodeName] = true
		}
	}
	if len(names) == 0 {
		return nil
	}
	return o.kubelets.Nodes(ctx, slices.Collect(maps.Keys(names)), l.maxAge())
}

// limitOf is the most cpu that a whole pod may use: its own limit, or those of its
// containers where all of them have one; else 0.
func limitOf(pod *corev1.Pod, seen *scale.Pod) scale.Amount {
	if own := pod.Spec.Resources; own != nil {
		if limit, known := quantity.Requests(own.Limits).Get(scale.CPU); known {
			return limit
		}
	}
	sum := scale.Amount(0)
	for i := range seen.Containers {
		limit, limited := seen.Containers[i].HasLimit(scale.CPU)
		if !limited {
			return 0
		}
		sum = sum.Add(limit)
	}
	return sum
}
