package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// most is what a pod of a size can do on a node: no more than its limit and the
// node allow, and no more than the application can use.
func (w *Workload) most(s podSize, node int) scale.Amount {
	each := capacity(s.requests, s.limits)
	if w.shares {
		request, _ := s.requests.Get(scale.CPU)
		each = request.Share(scale.Parts+w.roomOn(node), scale.Parts)
		if limit, ok := s.limits.Get(scale.CPU); ok {
			each = min(each, limit)
		}
	}
	if w.Ceiling > 0 {
		return min(each, w.Ceiling)
	}
	return each
}

// uniform tells whether all pods can do the same.
func (w *Workload) uniform() bool { return w.resizer.olds == 0 && !w.ownRooms() }

// capacity is what the ready pods can do together.
func (w *Workload) capacity(at time.Time) scale.Amount {
	if w.uniform() {
		return w.most(w.wanted(), 0).Times(int64(w.Ready(at)))
	}
	sum := scale.Amount(0)
	for i := range w.pods {
		if p := &w.pods[i]; p.ready(at) {
			sum = sum.Add(w.most(w.size(p), p.node))
		}
	}
	return sum
}

// share is the work of each ready pod when they share some evenly: a pod that
// cannot do as much does what it can, and the others do more. It is rounded
// down to the millicore.
func (w *Workload) share(work scale.Amount, at time.Time) scale.Amount {
	ready := scale.Amount(w.Ready(at))
	if ready == 0 {
		return 0
	}
	if w.uniform() {
		return min(work/ready, w.most(w.wanted(), 0))
	}
	// Each round takes out the pods that are full, so there are at most as many
	// rounds as sizes.
	level := work / ready
	for {
		left, free, most := work, scale.Amount(0), scale.Amount(0)
		for i := range w.pods {
			if p := &w.pods[i]; p.ready(at) {
				each := w.most(w.size(p), p.node)
				if most = max(most, each); each <= level {
					left -= each
				} else {
					free++
				}
			}
		}
		if free == 0 {
			return most
		}
		if next := left / free; next > level {
			level = next
			continue
		}
		return level
	}
}

// requested is what all pods request together that have a node.
func (w *Workload) requested() (cpu, memory scale.Amount) {
	if w.resizer.olds == 0 && w.nodes == nil {
		cpu, _ = w.Requests.Get(scale.CPU)
		memory, _ = w.Requests.Get(scale.Memory)
		n := int64(w.Replicas())
		return cpu.Times(n), memory.Times(n)
	}
	for i := range w.pods {
		if p := &w.pods[i]; !p.pending {
			s := w.size(p)
			c, _ := s.requests.Get(scale.CPU)
			m, _ := s.requests.Get(scale.Memory)
			cpu, memory = cpu.Add(c), memory.Add(m)
		}
	}
	return cpu, memory
}

// ofReady is the sum of something over the ready pods.
func (w *Workload) ofReady(at time.Time, of func(podSize) scale.Amount) scale.Amount {
	if w.resizer.olds == 0 {
		return of(w.wanted()).Times(int64(w.Ready(at)))
	}
	sum := scale.Amount(0)
	for i := range w.pods {
		if p := &w.pods[i]; p.ready(at) {
			sum = sum.Add(of(w.size(p)))
		}
	}
	return sum
}

// requestedByReady is what the ready pods request together.
func (w *Workload) requestedByReady(at time.Time) scale.Amount {
	return w.ofReady(at, func(s podSize) scale.Amount {
		cpu, _ := s.requests.Get(scale.CPU)
		return cpu
	})
}

// limitOfReady is what the limits of the ready pods allow together, or their
// requests where they have none.
func (w *Workload) limitOfReady(at time.Time) scale.Amount {
	return w.ofReady(at, func(s podSize) scale.Amount { return capacity(s.requests, s.limits) })
}
