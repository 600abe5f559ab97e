package sim

import (
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// Observe returns what a controller sees: the pods as they are, their usage as
// it was a metric delay ago. The observation is valid until the next one.
//
// A Pods metric is fed with the work that the pod did, an Object or External
// one with the work that arrived: a replay knows nothing else.
func (p *Plant) Observe(metrics []horizontal.Metric) scale.Observation {
	at := p.measuredAt()
	was := p.measured(at)
	obs := scale.Observation{At: p.now, Target: p.workload.Target(), Pods: p.listPods(at, was), Room: p.roomSeen(at, was),
		Capacity: p.workload.seen()}
	p.samples = p.samples[:0]
	for i := range metrics {
		p.samples = append(p.samples, p.sample(metrics[i].Kind, at, was))
	}
	obs.Samples = p.samples
	return obs
}

// listPods lists the pods with the usage of a moment. Most of a list is that of
// the observation before, so only what changed is written.
func (p *Plant) listPods(at time.Time, was use) []scale.Pod {
	w := p.workload
	if p.pods == nil || p.listed != w.version {
		p.listAnew()
	}
	since := at.Add(-p.settings.Window)
	if p.alike(since) {
		third := p.inThirds(len(p.pods), was)
		for i := range p.pods {
			p.pods[i].UsageAt, p.containers[i].Usage = at, scale.Resources{}.With(scale.CPU, third(i))
		}
		p.markReady()
		return p.pods
	}
	third, served := p.inThirds(int(w.Ready(at)), was), 0
	p.each = w.capacity(p.now) / scale.Amount(max(w.Ready(p.now), 1))
	for i := range p.pods {
		own, pod := &w.pods[i], &p.pods[i]
		perPod := third(served)
		if own.ready(at) {
			served++
		}
		pod.UsageAt = at
		p.containers[i].Usage = p.usage(own, since, at, perPod)
		p.markOne(pod, own)
	}
	return p.pods
}

// inThirds is what the pods used that serve, by their place among so many.
func (p *Plant) inThirds(n int, was use) func(i int) scale.Amount {
	outer := (n + 1) / 3
	if p.settings.Uneven == 0 {
		outer = 0
	}
	return func(i int) scale.Amount {
		switch {
		case i < outer:
			return was.calm
		case i >= n-outer:
			return was.busy
		}
		return was.perPod
	}
}

// settled is when the last of the listed pods became ready, if all do, and
// whether all of them are listed as such.
type settled struct {
	at            time.Time
	known, marked bool
}

// alike tells whether all pods are seen to use the same: they have all been
// ready for the whole window, and nothing else makes a difference. It saves
// looking at each of them, which is most of the time there is.
func (p *Plant) alike(since time.Time) bool {
	s := &p.settings
	return p.settled.known && !p.settled.at.After(since) && s.Lost <= 0 && !s.Memory.Simulated() && p.workload.resizer.olds == 0
}

// markReady lists pods as ready that became so since they were listed.
func (p *Plant) markReady() {
	if p.settled.marked {
		return
	}
	for i := range p.pods {
		p.markOne(&p.pods[i], &p.workload.pods[i])
	}
	p.settled.marked = true
}

func (p *Plant) markOne(listed *scale.Pod, own *pod) {
	if listed.Ready != scale.Ready && own.ready(p.now) {
		listed.Ready, listed.ReadyChangedAt = p.readiness(own)
	}
	if own.restarts > 0 {
		p.markRestart(listed, own)
	}
}

// markRestart lists a container that was started again, or waits to be.
func (p *Plant) markRestart(listed *scale.Pod, own *pod) {
	listed.RestartedAt, listed.Waiting = own.started, ""
	if own.started.After(p.now) {
		listed.RestartedAt, listed.Waiting = own.endedAt, waiting
	}
}

// listAnew lists the pods without their usage.
func (p *Plant) listAnew() {
	w := p.workload
	// An empty list is not nil: that would mean that nobody looked.
	if p.pods = p.pods[:0]; p.pods == nil {
		p.pods = []scale.Pod{}
	}
	if len(p.containers) < len(w.pods) {
		p.containers = make([]scale.PodContainer, 2*len(w.pods))
	}
	p.settled = settled{known: true}
	for i := range w.pods {
		own := &w.pods[i]
		p.settled.known = p.settled.known && !own.readyAt.IsZero()
		if own.readyAt.After(p.settled.at) {
			p.settled.at = own.readyAt
		}
		p.containers[i] = w.observed(own)
		pod := scale.Pod{
			Name: own.name, StartedAt: own.created, ReadyChangedAt: own.notReadyAt, OutOfMemoryAt: own.killedAt, ResizeSince: own.resizeSince,
			Boosted: own.settled != nil, UsageWindow: p.settings.Window, Containers: p.containers[i : i+1 : i+1],
		}
		if own.pending {
			pod.Phase, pod.Pending, pod.PendingSince = scale.Pending, "Unschedulable", own.waitsSince
		}
		p.pods = append(p.pods, pod)
	}
	p.listed = w.version
}

// observed is a pod's container without its usage.
func (w *Workload) observed(p *pod) scale.PodContainer {
	asked := w.shownSize(p)
	out := scale.PodContainer{Name: w.containerName(), Requests: asked.requests, Limits: asked.limits, Resize: p.resize, Restarts: w.resizer.restarts()}
	if has := w.size(p); has != asked {
		out.InForce, out.LimitsInForce = has.requests, has.limits
	}
	return out
}

// usage is what a pod is seen to use over a window, when each ready pod used so
// much. A pod that was not ready then was idle; one whose container did not run,
// or had not run for a whole window, has no usage, and neither has one whose
// sample is lost.
func (p *Plant) usage(own *pod, since, at time.Time, perPod scale.Amount) scale.Resources {
	var out scale.Resources
	s := &p.settings
	if own.looping {
		return out.With(scale.CPU, own.burns)
	}
	if own.pending || own.started.After(since) || s.happens(s.Lost, drawLost, uint64(own.number), uint64(at.UnixNano())) {
		return out
	}
	used := scale.Amount(0)
	switch {
	case own.ready(since):
		used = perPod
	case own.ready(at):
		// It was ready for a part of the window.
		part := p.mean(p.since(own.readyAt), p.since(at)).perPod
		used = part.Share(int64(at.Sub(own.readyAt)), int64(s.Window))
	}
	if own.old != nil || p.workload.resizer.olds > 0 {
		most := p.workload.most(p.workload.size(own), own.node)
		if s.atPods() && p.each > 0 {
			used = used.Share(int64(most), int64(p.each))
		}
		used = min(used, most)
	}
	out = out.With(scale.CPU, used)
	if s.Memory.Simulated() {
		out = out.With(scale.Memory, s.Memory.of(own, used, at))
	}
	return out
}

func (p *Plant) sample(kind horizontal.Kind, at time.Time, was use) scale.Sample {
	switch kind {
	case horizontal.Resource, horizontal.ContainerResource:
		return scale.Sample{}
	case horizontal.Pods:
		s := scale.Sample{At: at, PerPod: make([]scale.PodValue, len(p.pods))}
		for i := range p.pods {
			used, known := p.pods[i].Containers[0].Usage.Get(scale.CPU)
			s.PerPod[i] = scale.PodValue{Value: used, Known: known}
		}
		return s
	}
	if p.settings.happens(p.settings.Lost, drawLostMetric, 0, uint64(at.UnixNano())) {
		return scale.Sample{Problem: "the sample is lost"}
	}
	return scale.Sample{At: at, Series: []scale.Amount{was.demand}}
}
