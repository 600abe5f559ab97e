package sim

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// most is what a pod of a size can do on a node: no more than its limit and the
// node allow, and no more than the application can use.
func (w *Workload) most(s podSize, node int) scale.Amount {
	request, _ := s.requests.Get(scale.CPU)
	limit, limited := s.limits.Get(scale.CPU)
	return w.mostOf(request, limit, limited, node)
}

func (w *Workload) mostOf(request, limit scale.Amount, limited bool, node int) scale.Amount {
	each := request
	if w.shares {
		each = inBillionths(request, scale.Parts+w.roomOn(node))
	}
	switch {
	case limited && w.shares:
		each = min(each, limit)
	case limited:
		each = limit
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

// serving are the pods that are ready: how many they are, what they can do
// together, what they request, and what their limits allow, or their requests where
// they have none.
type serving struct {
	ready                      int32
	capacity, requests, limits scale.Amount
}

// serves looks at the pods that are ready.
func (w *Workload) serves(at time.Time) serving {
	if w.uniform() {
		n := w.Ready(at)
		one := w.serving(&w.Requests, &w.Limits, 0)
		return serving{n, one.capacity.Times(int64(n)), one.requests.Times(int64(n)), one.limits.Times(int64(n))}
	}
	var out serving
	for i := range w.pods {
		p := &w.pods[i]
		if !p.ready(at) {
			continue
		}
		requests, limits := &w.Requests, &w.Limits
		if p.old != nil {
			requests, limits = &p.old.requests, &p.old.limits
		}
		one := w.serving(requests, limits, p.node)
		out.ready++
		out.capacity, out.requests, out.limits = out.capacity.Add(one.capacity), out.requests.Add(one.requests), out.limits.Add(one.limits)
	}
	return out
}

// serving is one pod of a size on a node. It copies no size: replays ask it of every
// pod, each time that something changes.
func (w *Workload) serving(requests, limits *scale.Resources, node int) serving {
	request, _ := requests.Get(scale.CPU)
	limit, limited := limits.Get(scale.CPU)
	out := serving{ready: 1, requests: request, limits: request, capacity: w.mostOf(request, limit, limited, node)}
	if limited {
		out.limits = limit
	}
	return out
}

// inBillionths is a × by / 1,000,000,000, rounded up and saturated. It is Share with
// a divisor that the compiler knows, which takes a product.
func inBillionths(a scale.Amount, by int64) scale.Amount {
	if hi, lo := bits.Mul64(uint64(a), uint64(by)); hi == 0 && lo <= uint64(scale.MaxAmount)-(scale.Parts-1) && a >= 0 && by >= 0 {
		return scale.Amount((lo + scale.Parts - 1) / scale.Parts)
	}
	return a.Share(by, scale.Parts)
}
