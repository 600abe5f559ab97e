package nodes

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Pod is a pod of the workload, and where it is.
type Pod struct {
	*scale.Pod
	// Node is empty for a pod that has none.
	Node string
	// Limit is the most cpu that the whole pod may use; 0 where one of its
	// containers may use any.
	Limit scale.Amount
}

// Node is what is known of the cpu of a node.
type Node struct {
	// Allocatable is what it has for pods.
	Allocatable scale.Amount
	// Used is what everything on it used, measured at At.
	Used scale.Amount
	At   time.Time
}

// Span is when something must have been measured to count.
type Span struct{ Oldest, Now time.Time }

func (s Span) has(at time.Time) bool { return !at.Before(s.Oldest) && !at.After(s.Now) }

// own is what the workload has on a node.
type own struct {
	requests, used scale.Amount
	measured       bool
}

// Room is the room of the nodes that pods are on; nil where it is not known.
func Room(pods []Pod, known map[string]Node, span Span) *scale.Room {
	var requests, limits scale.Amount
	limited, byNode := true, map[string]own{}
	for _, pod := range pods {
		if pod.Node == "" || pod.Finished() {
			continue
		}
		o, request := byNode[pod.Node], requestOf(pod.Pod)
		if used, measured := usageOf(pod.Pod, span); measured {
			o.used, o.measured = o.used.Add(used), true
		}
		o.requests = o.requests.Add(request)
		byNode[pod.Node] = o
		requests, limits, limited = requests.Add(request), limits.Add(pod.Limit), limited && pod.Limit > 0
	}
	var space scale.Space
	at := span.Now
	for name, o := range byNode {
		node, measured := known[name]
		if !measured || !o.measured || node.Used < 0 || node.Allocatable <= 0 || !span.has(node.At) {
			continue
		}
		space.AddNode(node.Allocatable, node.Used.Add(-o.used), o.requests)
		at = scale.Earlier(at, node.At)
	}
	share, ok := space.Share()
	if !ok || space.Own() < requests.Share(1, 2) {
		return nil
	}
	if limited {
		share = scale.Allowed(share, limits, requests)
	}
	largest := scale.Amount(0)
	for _, node := range known {
		largest = max(largest, node.Allocatable)
	}
	return &scale.Room{At: at, Share: share, Largest: largest}
}

// requestOf is what a pod has in force of its requests for cpu.
func requestOf(pod *scale.Pod) scale.Amount {
	if has, known := pod.InForce.Get(scale.CPU); known {
		return has
	}
	if asked, known := pod.Requests.Get(scale.CPU); known {
		return asked
	}
	sum := scale.Amount(0)
	for i := range pod.Containers {
		has, _ := pod.Containers[i].Has(scale.CPU)
		sum = sum.Add(has)
	}
	return sum
}

// usageOf is what a pod used of the cpu, where all of it was measured.
func usageOf(pod *scale.Pod, span Span) (scale.Amount, bool) {
	if !pod.UsageAt.IsZero() && !span.has(pod.UsageAt) {
		return 0, false
	}
	sum := scale.Amount(0)
	for i := range pod.Containers {
		used, known := pod.Containers[i].Usage.Get(scale.CPU)
		if !known || used < 0 {
			return 0, false
		}
		sum = sum.Add(used)
	}
	return sum, len(pod.Containers) > 0
}
