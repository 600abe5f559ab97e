package history

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// sampleEvery is how often the usage of pods is taken, in seconds: once a
// minute, as in the VPA, or a sample that is shown again at every look would
// count as many.
const sampleEvery = 60

// Observe learns from what a decision is about to look at: how many pods are
// ready, what they use, how long new ones took to start, and whose memory ran
// out. Growth is not part of it, since only the caller knows which usage the
// policy scales by.
func (h *History) Observe(obs scale.Observation) {
	h.ObserveReadiness(obs)
	h.observeUsage(obs)
}

// ObserveReadiness learns how many pods are ready, and how long new ones took to
// start. It is for those who will never ask what the pods use.
func (h *History) ObserveReadiness(obs scale.Observation) {
	if !plausible(obs.At) {
		return
	}
	h.Slots.Observe(obs.At, readyPods(obs))
	for i := range obs.Pods {
		h.start(&obs.Pods[i], obs.At)
	}
	h.settled = obs.At.Unix() - settledAfter
}

// observeUsage learns what the pods use, and whose memory ran out.
func (h *History) observeUsage(obs scale.Observation) {
	if !plausible(obs.At) {
		return
	}
	now := obs.At.Unix()
	take := now >= h.sampled+sampleEvery || now < h.sampled
	if take {
		h.sampled = now
	}
	for i := range obs.Pods {
		p := &obs.Pods[i]
		if take {
			h.sample(p, obs.At)
		}
		h.outOfMemory(p, obs.At)
	}
}

// settledAfter is for how long a pod that has become ready is looked at again,
// in seconds: by then an observation has seen it, however late its sources are.
const settledAfter = 600

// readyPods counts the pods that serve. Pods that were not listed are as many
// ready ones as the workload reports.
func readyPods(obs scale.Observation) int32 {
	if obs.Pods == nil {
		return obs.Target.StatusReplicas
	}
	n := int32(0)
	for i := range obs.Pods {
		if obs.Pods[i].Serves() {
			n++
		}
	}
	return n
}

// sample takes a pod's usage. A pod that is still starting counts as well: what
// it needs to start, it needs. The cpu of one that has to start again and again
// does not: a crash loop must not make pods larger, or more.
func (h *History) sample(p *scale.Pod, at time.Time) {
	when := p.UsageAt
	if when.IsZero() || when.After(at) {
		when = at
	}
	for i := range p.Containers {
		c := &p.Containers[i]
		for _, r := range scale.EveryResource {
			used, known := c.Usage.Get(r)
			if !known || r == scale.CPU && !p.RestartedAt.IsZero() && !p.Serves() {
				continue
			}
			h.Usage.Observe(when, c.Name, r, used)
			if request, _ := c.Requests.Get(r); p.Serves() {
				h.Peaks.Observe(when, c.Name, r, used, request)
			}
		}
	}
}

// start notes how long a pod took to start. Starts are shown again at every look:
// one that is known already changes nothing.
func (h *History) start(p *scale.Pod, at time.Time) {
	if p.ReadyChangedAt.Unix() < h.settled || !p.Serves() {
		return
	}
	if !p.StartedAt.IsZero() && !p.ReadyChangedAt.After(at) {
		h.StartUp.Observe(p.ReadyChangedAt, p.ReadyChangedAt.Sub(p.StartedAt))
	}
}

// outOfMemory notes that a pod's memory ran out. That is shown again at every
// look: an end that is not later than the last one changes nothing.
func (h *History) outOfMemory(p *scale.Pod, at time.Time) {
	if p.OutOfMemoryAt.IsZero() {
		return
	}
	c := starved(p)
	if c == nil || p.OutOfMemoryAt.After(at) || at.Sub(p.OutOfMemoryAt) >= HalfLife {
		return
	}
	if s := h.Usage.seriesOf(c.Name, scale.Memory); s != nil && p.OutOfMemoryAt.Unix() <= s.killedAt {
		return
	}
	request, _ := c.Requests.Get(scale.Memory)
	used, _ := c.Usage.Get(scale.Memory)
	h.Usage.OutOfMemory(p.OutOfMemoryAt, c.Name, max(request, used, 0), h.Bumps.of(c.Name))
}

// starved returns the container whose memory ran out, as far as can be told:
// the one that used most of its request, or else requested most.
func starved(p *scale.Pod) *scale.PodContainer {
	var worst *scale.PodContainer
	var worstShare, worstRequest scale.Amount
	for i := range p.Containers {
		c := &p.Containers[i]
		request, _ := c.Requests.Get(scale.Memory)
		used, _ := c.Usage.Get(scale.Memory)
		share := max(used, 0).Share(100, int64(max(request, 1)))
		if worst == nil || share > worstShare || (share == worstShare && request > worstRequest) {
			worst, worstShare, worstRequest = c, share, request
		}
	}
	return worst
}
