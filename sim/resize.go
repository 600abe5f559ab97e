package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Resizing is how pods that run get new requests.
type Resizing uint8

// The ways. InPlace changes running pods, Restart restarts them, a quarter of
// them at a time, as a rolling update does.
const (
	InPlace Resizing = iota
	Restart
)

// podSize is what a pod requests and may use.
type podSize struct{ requests, limits scale.Resources }

// resizer is how a workload's pods are resized.
type resizer struct {
	how   Resizing
	delay time.Duration
	// olds is how many pods have not been resized yet.
	olds int
}

// size is what a pod requests and may use now.
func (w *Workload) size(p *pod) podSize {
	if p.old != nil {
		return *p.old
	}
	return podSize{w.Requests, w.Limits}
}

// resize wants another size for all pods. New pods have it at once.
func (w *Workload) resize(at time.Time, want podSize) {
	if want == (podSize{w.Requests, w.Limits}) {
		return
	}
	before := &podSize{w.Requests, w.Limits}
	w.Requests, w.Limits = want.requests, want.limits
	w.version++
	if w.resizer.how == InPlace && w.resizer.delay <= 0 && w.nodes == nil {
		return
	}
	for i := range w.pods {
		p := &w.pods[i]
		if p.pending {
			continue // It is created anew with what is wanted then.
		}
		if p.old == nil {
			p.old = before
			w.resizer.olds++
		}
		p.resizeAt = at.Add(w.resizer.delay)
	}
}

// resizeDue resizes the pods whose time has come.
func (w *Workload) resizeDue(at time.Time) {
	if w.resizer.olds == 0 {
		return
	}
	most := w.mostRestarting(at)
	for i := range w.pods {
		p := &w.pods[i]
		switch {
		case p.old == nil:
		case w.resizer.how == InPlace:
			// A node without room defers the resize, and it is tried again.
			if !p.resizeAt.After(at) && w.swap(p) {
				p.old = nil
				w.resizer.olds--
				w.version++
			}
		case most > 0 || !p.ready(at):
			if p.ready(at) {
				most--
			}
			w.leave(p)
			p.restarts++
			w.restarts++
			w.place(p, at)
		}
	}
}

// mostRestarting is how many ready pods may be restarted now: a quarter of the
// workload, but at least one pod, may be not ready.
func (w *Workload) mostRestarting(at time.Time) int {
	n := int(w.Replicas())
	return max(n/4, 1) - (n - int(w.Ready(at)))
}

// capacity is what the ready pods can do together.
func (w *Workload) capacity(at time.Time) scale.Amount {
	if w.resizer.olds == 0 {
		return capacity(w.Requests, w.Limits).Times(int64(w.Ready(at)))
	}
	sum := scale.Amount(0)
	for i := range w.pods {
		if p := &w.pods[i]; p.ready(at) {
			s := w.size(p)
			sum = sum.Add(capacity(s.requests, s.limits))
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
	if w.resizer.olds == 0 {
		return min(work/ready, capacity(w.Requests, w.Limits))
	}
	// Each round takes out the pods that are full, so there are at most as many
	// rounds as sizes.
	level := work / ready
	for {
		left, free, most := work, scale.Amount(0), scale.Amount(0)
		for i := range w.pods {
			if p := &w.pods[i]; p.ready(at) {
				s := w.size(p)
				each := capacity(s.requests, s.limits)
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
