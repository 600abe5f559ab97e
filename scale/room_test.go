package scale

import "testing"

// TestRoomOfNodes is worked out by hand, in millicores.
func TestRoomOfNodes(t *testing.T) {
	type node struct{ allocatable, others, own Amount }
	for name, c := range map[string]struct {
		nodes []node
		want  Amount
		none  bool
	}{
		// 8 − 2.8 − 4 = 1.2 cores for 4 that are requested.
		"one node": {nodes: []node{{8000, 2800, 4000}}, want: 300},
		// 1.2 + 3.2 for 4 + 2.
		"nodes count by requests": {nodes: []node{{8000, 2800, 4000}, {8000, 2800, 2000}}, want: 733},
		// Nothing, and 3.2: 3.2 / 6. What one lacks is not the other's.
		"others use more than there is": {nodes: []node{{4000, 3000, 4000}, {8000, 2800, 2000}}, want: 533},
		"others use less than nothing":  {nodes: []node{{8000, -1000, 4000}}, want: 1000},
		"nodes without our pods":        {nodes: []node{{8000, 0, 0}, {8000, 2800, 4000}}, want: 300},
		"no nodes":                      {none: true},
		"pods without requests":         {nodes: []node{{8000, 0, 0}}, none: true},
		"too much to count":             {nodes: []node{{MaxAmount, 0, 1}}, want: MaxAmount / (Parts / Thousand)},
	} {
		t.Run(name, func(t *testing.T) {
			var s Space
			for _, n := range c.nodes {
				s.AddNode(n.allocatable, n.others, n.own)
			}
			if got, known := s.Share(); got != c.want || known == c.none {
				t.Errorf("room %d, known %t", got, known)
			}
		})
	}
}

func TestRoomIsBoundedByLimits(t *testing.T) {
	for name, c := range map[string]struct{ room, limit, requests, want Amount }{
		"no limit":             {room: 800, requests: 1000, want: 800},
		"twice the request":    {room: 1800, limit: 2000, requests: 1000, want: 1000},
		"more than the room":   {room: 800, limit: 2000, requests: 1000, want: 800},
		"equal":                {room: 800, limit: 1000, requests: 1000},
		"below the request":    {room: 800, limit: 900, requests: 1000},
		"nothing is requested": {room: 800, limit: 900, want: 800},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Allowed(c.room, c.limit, c.requests); got != c.want {
				t.Errorf("room %d, want %d", got, c.want)
			}
		})
	}
}
