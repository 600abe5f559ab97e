package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Plant is a workload under a demand. The ready pods share the demand evenly;
// what is beyond their capacity is dropped.
type Plant struct {
	settings Settings
	workload *Workload
	demand   cursor
	now      time.Time
	// past is how the pods were used, from as long ago as metrics are late.
	past  []use
	score Score

	// pods and containers are lent to one observation after the other.
	pods       []scale.Pod
	containers []scale.PodContainer
	samples    []scale.Sample
}

// use is what each ready pod used, from a moment on.
type use struct {
	from           time.Time
	perPod, demand scale.Amount
}

// NewPlant returns a plant at the first moment of its demand, whose pods have
// been running for a day.
func NewPlant(s Settings) *Plant {
	w := NewWorkload(s.Demand.Start(), s.Replicas, s.Replicas)
	w.Requests, w.Limits, w.StartUp, w.Container = s.Requests, s.Limits, s.StartUp, s.Container
	w.jitter = s.jitter
	return &Plant{settings: s, workload: w, demand: cursor{Demand: s.Demand}, now: s.Demand.Start()}
}

// Now is the present moment.
func (p *Plant) Now() time.Time { return p.now }

// Size is the workload's present size.
func (p *Plant) Size() scale.Size {
	t := p.workload.Target()
	return scale.Size{Replicas: t.SpecReplicas, Containers: t.Containers}
}

// advance lets time pass. Between two events, which are a change of demand and
// a pod that becomes ready, all flows are constant, so the sums are exact.
func (p *Plant) advance(to time.Time) {
	for p.now.Before(to) {
		p.demand.moveTo(p.now)
		until := to
		if change := p.demand.change(); change.After(p.now) && change.Before(until) {
			until = change
		}
		if ready, ok := p.workload.nextReady(p.now); ok && ready.Before(until) {
			until = ready
		}
		p.flow(until.Sub(p.now))
		p.now = until
	}
	p.demand.moveTo(p.now)
}

// flow adds up what happens while nothing changes.
func (p *Plant) flow(d time.Duration) {
	w, s, demand := p.workload, &p.score, p.demand.value()
	served := min(demand, capacity(w.Requests, w.Limits).Times(int64(w.Ready(p.now))))
	s.Demand = s.Demand.Plus(demand, d)
	s.Served = s.Served.Plus(served, d)
	s.Unserved = s.Unserved.Plus(demand-served, d)
	if served < demand {
		s.Starved += d
	}
	cpu, _ := w.Requests.Get(scale.CPU)
	memory, _ := w.Requests.Get(scale.Memory)
	s.Cores = s.Cores.Plus(cpu.Times(int64(w.Replicas())), d)
	s.Memory = s.Memory.Plus(memory.Times(int64(w.Replicas())), d)
	s.Length += d
	p.past = append(p.past, p.present())
	for oldest := p.now.Add(-p.settings.MetricDelay); len(p.past) > 1 && !p.past[1].from.After(oldest); {
		p.past = p.past[1:]
	}
}

// present is how the pods are used now. A pod's part is rounded down to the
// millicore.
func (p *Plant) present() use {
	w, u := p.workload, use{from: p.now, demand: p.demand.value()}
	if ready := w.Ready(p.now); ready > 0 {
		u.perPod = min(u.demand/scale.Amount(ready), capacity(w.Requests, w.Limits))
	}
	return u
}

// measured is how the pods were used when the metrics that arrive now were
// taken. Before its first moment the plant was as it was then.
func (p *Plant) measured() use {
	at := p.now.Add(-p.settings.MetricDelay)
	if !at.Before(p.now) || len(p.past) == 0 {
		return p.present()
	}
	i := 0
	for i+1 < len(p.past) && !p.past[i+1].from.After(at) {
		i++
	}
	return p.past[i]
}

// apply carries a decision out.
func (p *Plant) apply(want scale.Size) {
	before := p.Size()
	want.Replicas = min(want.Replicas, MaxPods)
	p.workload.Apply(p.now, want)
	p.score.PodStarts += int64(max(want.Replicas-before.Replicas, 0))
	if !p.Size().Equal(before) {
		p.score.Changes++
	}
}
