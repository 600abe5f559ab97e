package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// others are who shares the nodes with a workload: how much of their requests they
// use, and what that leaves to everyone where nodes have no size.
type others struct {
	uses, room int64
	// reserve is the room that is kept in any case.
	reserve int64
}

// ownRooms tells whether nodes have room of their own: where they have a size.
func (w *Workload) ownRooms() bool { return w.shares && w.nodes != nil && w.nodes.cpu > 0 }

// roomOn is what pods on a node may use beyond their requests, as a share of them.
func (w *Workload) roomOn(node int) int64 {
	if !w.ownRooms() {
		return max(w.others.room, w.others.reserve)
	}
	n := w.nodes
	ours := n.ours(node)
	if ours <= 0 {
		return w.others.reserve
	}
	return max(int64(n.left(node, w.others.uses).Share(scale.Parts, int64(ours))), w.others.reserve)
}

// ours is what our pods request on a node.
func (n *nodes) ours(node int) scale.Amount {
	free, _ := n.free[node].Get(scale.CPU)
	return n.cpu - n.taken - free
}

// left is what is left of a node beyond our requests, and beyond what others use
// of theirs.
func (n *nodes) left(node int, uses int64) scale.Amount {
	free, _ := n.free[node].Get(scale.CPU)
	return max(free, 0).Add(n.taken.Share(scale.Parts-uses, scale.Parts))
}

// roomOfAll is the room of all nodes that our pods are on, as far as their limit
// allows, in thousandths of our requests.
func (w *Workload) roomOfAll() scale.Amount {
	size := w.wanted()
	limit, _ := size.limits.Get(scale.CPU)
	request, _ := size.requests.Get(scale.CPU)
	const fine = scale.Parts / int64(scale.Thousand)
	if !w.ownRooms() {
		return scale.Allowed(scale.Amount(w.roomOn(0)/fine), limit, request)
	}
	var space scale.Space
	for node := range w.nodes.free {
		space.AddNode(w.nodes.cpu, w.nodes.taken.Share(w.others.uses, scale.Parts), w.nodes.ours(node))
	}
	room, _ := space.Share()
	return scale.Allowed(max(room, scale.Amount(w.others.reserve/fine)), limit, request)
}

// shareNodes lets the neighbors go on to the present.
func (p *Plant) shareNodes() {
	if p.neighbors == nil {
		return
	}
	p.neighbors.moveTo(p.now, p.demand.value())
	w := p.workload
	w.others = others{uses: p.neighbors.uses, room: p.neighbors.room(), reserve: p.settings.Reserve}
}

// roomNow is the room of all nodes, in thousandths of the requests.
func (p *Plant) roomNow() scale.Amount {
	if p.neighbors == nil {
		return 0
	}
	return p.workload.roomOfAll()
}

// roomSeen is the room as it was measured. It is lent until the next observation.
func (p *Plant) roomSeen(at time.Time, was use) *scale.Room {
	if p.neighbors == nil {
		return nil
	}
	p.room = scale.Room{At: at, Share: was.room}
	if p.workload.ownRooms() {
		p.room.Largest = p.workload.nodes.cpu
	}
	return &p.room
}
