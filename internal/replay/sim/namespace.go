package sim

import (
	"math"

	"github.com/tidemark/tidemark/scale"
)

// Namespace is what the namespace of the pods allows them; zero is no bound. What a
// quota refuses is not created, and what it or a LimitRange refuses does not grow.
type Namespace struct {
	// Pods is how many there may be, and CPU and Memory are what they may request
	// together: what quotas leave to them.
	Pods        int32
	CPU, Memory scale.Amount
	// MostCPU and MostMemory are what a LimitRange allows a container to request, or
	// to have as a limit.
	MostCPU, MostMemory scale.Amount
}

// quota is what all pods may request of a resource together.
func (n *Namespace) quota(r scale.Resource) scale.Amount {
	return [...]scale.Amount{scale.CPU: n.CPU, scale.Memory: n.Memory}[r]
}

// most is what a container may have of a resource.
func (n *Namespace) most(r scale.Resource) scale.Amount {
	return [...]scale.Amount{scale.CPU: n.MostCPU, scale.Memory: n.MostMemory}[r]
}

// refuses tells whether so many pods cannot be of a size.
func (n *Namespace) refuses(size podSize, pods int32) bool {
	for _, r := range scale.EveryResource {
		request, _ := size.requests.Get(r)
		limit, _ := size.limits.Get(r)
		if most := n.most(r); most > 0 && max(request, limit) > most {
			return true
		}
		if hard := n.quota(r); hard > 0 && request.Times(int64(pods)) > hard {
			return true
		}
	}
	return false
}

// admitted is how many of so many pods there can be, of which those there are stay.
func (w *Workload) admitted(replicas int32) int32 {
	n, there := &w.namespace, w.Replicas()
	if *n == (Namespace{}) || replicas <= there {
		return replicas
	}
	room, most := w.quotaRoom(), replicas
	if room.Pods != nil {
		most = min(most, there+*room.Pods)
	}
	for _, r := range scale.EveryResource {
		left, bounded := room.Requests.Get(r)
		if each, _ := w.Requests.Get(r); bounded && each > 0 {
			most = min(most, there+int32(min(left/each, math.MaxInt32/2)))
		}
	}
	return most
}

// quotaRoom is how much more the quotas allow.
func (w *Workload) quotaRoom() (out scale.QuotaRoom) {
	n := &w.namespace
	if n.Pods > 0 {
		pods := max(n.Pods-w.Replicas(), 0)
		out.Pods = &pods
	}
	for _, r := range scale.EveryResource {
		hard := n.quota(r)
		if hard <= 0 {
			continue
		}
		for i := range w.pods {
			asked, _ := w.askedSize(&w.pods[i]).requests.Get(r)
			hard -= min(asked, hard)
		}
		out.Requests = out.Requests.With(r, hard)
	}
	return out
}

// seen is what a controller sees that there is for the pods: what the namespace allows,
// and what a node has for one of them, where nodes have a size. No daemon runs on those,
// and who else has pods there may leave. It is nil where nothing is bounded.
func (w *Workload) seen() *scale.Capacity {
	n := &w.namespace
	if *n == (Namespace{}) {
		if w.nodes == nil || w.nodes.seen.LargestNode.Empty() {
			return nil
		}
		return w.nodes.seen
	}
	out := &scale.Capacity{Quota: w.quotaRoom()}
	for _, r := range scale.EveryResource {
		if most := n.most(r); most > 0 {
			out.LimitRange.Max = out.LimitRange.Max.With(r, most)
		}
	}
	if w.nodes != nil {
		out.LargestNode = w.nodes.seen.LargestNode
	}
	return out
}

// firstPods is how many of the pods there are at first: a quota has never let more be.
func (s *Settings) firstPods() int32 {
	w := &Workload{Requests: s.Requests, namespace: s.Namespace}
	return w.admitted(s.Replicas)
}
