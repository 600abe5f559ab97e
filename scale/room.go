package scale

import "time"

// Room is what the nodes of a workload's pods had left beyond the pods' requests,
// and beyond what others used: what the pods can burst into, as far as their
// limits allow. It is never promised.
type Room struct {
	// At is when it was measured.
	At time.Time
	// Share is the room in relation to the pods' requests for cpu: 0.250 is a
	// quarter more than they request.
	Share Amount
	// Largest is what the largest node has for pods; 0 where that is unknown. No pod
	// can be larger.
	Largest Amount
}

// Space sums up the nodes of a workload's pods. A node counts by what the pods
// request there, so the room is the same whether it is one large node or many
// small ones.
type Space struct{ left, own Amount }

// AddNode adds a node: what it has for pods, what others use of it, and what the
// workload's own pods request there. Others that use more than the node has leave
// nothing, and take nothing away from other nodes.
func (s *Space) AddNode(allocatable, others, own Amount) {
	if own <= 0 {
		return
	}
	s.left = s.left.Add(max(allocatable.Add(-max(others, 0)).Add(-own), 0))
	s.own = s.own.Add(own)
}

// Own is what the workload's pods request on all nodes.
func (s *Space) Own() Amount { return s.own }

// Share is the room of all nodes in relation to the requests. It reports false
// where the pods request nothing: then there is nothing to relate it to.
func (s *Space) Share() (Amount, bool) {
	if s.own <= 0 {
		return 0, false
	}
	return shareDown(s.left, s.own), true
}

// Allowed is a room as far as a limit allows it to pods that request so much. A
// limit of zero is none.
func Allowed(room, limit, requests Amount) Amount {
	if limit <= 0 || requests <= 0 {
		return room
	}
	return min(room, shareDown(max(limit.Add(-requests), 0), requests))
}

// shareDown rounds down: room that is not there must not be promised.
func shareDown(a, of Amount) Amount {
	return a.Share(Parts, int64(of)) / Amount(Parts/int64(Thousand))
}
