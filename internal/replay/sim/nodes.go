package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Nodes are what pods run on. A pod that fits on none stays pending until it
// does: it does not work and is not paid for.
type Nodes struct {
	Count int32
	// CPU and Memory are what the pods of each node may request together; zero
	// is no bound.
	CPU, Memory scale.Amount
	// Taken is the share of each node that others request, in billionths.
	Taken int64
}

// nodes are the nodes of a workload, with what is free on each.
type nodes struct {
	free []scale.Resources
	// cpu is what each has, and taken what others request of it.
	cpu, taken scale.Amount
	// seen is what a controller sees of them: what a node has for one pod.
	seen *scale.Capacity
}

func newNodes(n Nodes) *nodes {
	if n.Count <= 0 {
		return nil
	}
	out, room := &nodes{seen: &scale.Capacity{}}, scale.Resources{}
	left := scale.Parts - n.Taken
	if n.CPU > 0 {
		room = room.With(scale.CPU, n.CPU.Share(left, scale.Parts))
		out.seen.LargestNode = out.seen.LargestNode.With(scale.CPU, n.CPU)
		out.cpu, out.taken = n.CPU, n.CPU-n.CPU.Share(left, scale.Parts)
	}
	if n.Memory > 0 {
		room = room.With(scale.Memory, n.Memory.Share(left, scale.Parts))
		out.seen.LargestNode = out.seen.LargestNode.With(scale.Memory, n.Memory)
	}
	for range n.Count {
		out.free = append(out.free, room)
	}
	return out
}

// fits tells whether a node has room for so much.
func (n *nodes) fits(node int, requests scale.Resources) bool {
	for _, r := range scale.EveryResource {
		free, bound := n.free[node].Get(r)
		if asked, _ := requests.Get(r); bound && asked > free {
			return false
		}
	}
	return true
}

// take takes room of a node, or with a negative sign gives it back.
func (n *nodes) take(node int, requests scale.Resources, sign scale.Amount) {
	for _, r := range scale.EveryResource {
		if free, bound := n.free[node].Get(r); bound {
			asked, _ := requests.Get(r)
			n.free[node] = n.free[node].With(r, free-sign*asked)
		}
	}
}

// place starts a pod on the first node with room, or leaves it pending.
func (w *Workload) place(p *pod, at time.Time) {
	p.created, p.notReadyAt = at, at
	if w.nodes == nil {
		w.start(p, at)
		return
	}
	requests := w.size(p).requests
	for node := range w.nodes.free {
		if w.nodes.fits(node, requests) {
			w.nodes.take(node, requests, 1)
			p.node, p.pending = node, false
			w.start(p, at)
			return
		}
	}
	if p.settled != nil {
		w.loseBoost(p)
		w.place(p, at)
		return
	}
	w.version++
	if !p.pending {
		p.waitsSince = at
	}
	p.pending, p.created, p.readyAt, p.crashAt = true, time.Time{}, time.Time{}, time.Time{}
}

// leave takes a pod off its node.
func (w *Workload) leave(p *pod) {
	if w.nodes != nil && !p.pending {
		w.nodes.take(p.node, w.size(p).requests, -1)
	}
	if p.old != nil {
		p.old, p.asked, p.settled = nil, nil, nil
		w.resizer.olds--
	}
	p.resize, p.resizeSince, p.resizeAt = scale.NoResize, time.Time{}, time.Time{}
	if p.outdated {
		p.outdated = false
		w.outdated--
	}
}

// swap gives a pod other requests on its node, if there is room for them.
func (w *Workload) swap(p *pod, to scale.Resources) bool {
	if w.nodes == nil {
		return true
	}
	has := w.size(p).requests
	w.nodes.take(p.node, has, -1)
	if !w.nodes.fits(p.node, to) {
		w.nodes.take(p.node, has, 1)
		return false
	}
	w.nodes.take(p.node, to, 1)
	return true
}

// placeDue places pending pods, the oldest first.
func (w *Workload) placeDue(at time.Time) {
	if w.nodes == nil {
		return
	}
	for i := range w.pods {
		if w.pods[i].pending {
			w.place(&w.pods[i], at)
		}
	}
}

// settleOnNodes puts the pods a plant begins with on nodes. Those that find one
// have been running all the time.
func (w *Workload) settleOnNodes(n *nodes) {
	w.nodes = n
	if n == nil {
		return
	}
	for i := range w.pods {
		p := &w.pods[i]
		started := p.started
		if w.place(p, started); !p.pending {
			p.started, p.readyAt, p.crashAt = started, started, time.Time{}
		}
	}
	w.version++
}

// pending tells whether a pod finds no node.
func (w *Workload) pending() bool {
	if w.nodes == nil {
		return false
	}
	for i := range w.pods {
		if w.pods[i].pending {
			return true
		}
	}
	return false
}
