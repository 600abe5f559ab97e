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
	was, at := p.measured(), p.now.Add(-p.settings.MetricDelay)
	seen := scale.Observation{At: p.now, Target: p.workload.Target(), Pods: p.listPods(at, was.perPod)}
	p.samples = p.samples[:0]
	for i := range metrics {
		p.samples = append(p.samples, p.sample(metrics[i].Kind, at, was))
	}
	seen.Samples = p.samples
	return seen
}

// listPods lists the pods with the usage of a moment. A pod that was not ready
// then was idle; one that did not exist has no usage.
func (p *Plant) listPods(at time.Time, perPod scale.Amount) []scale.Pod {
	w := p.workload
	// An empty list is not nil: that would mean that nobody looked.
	if p.pods = p.pods[:0]; p.pods == nil {
		p.pods = []scale.Pod{}
	}
	if len(p.containers) < len(w.pods) {
		p.containers = make([]scale.PodContainer, 2*len(w.pods))
	}
	for i, own := range w.pods {
		c := &p.containers[i]
		*c = scale.PodContainer{Name: w.containerName(), Requests: w.Requests}
		switch {
		case own.ready(at):
			c.Usage = c.Usage.With(scale.CPU, perPod)
		case !own.started.After(at):
			c.Usage = c.Usage.With(scale.CPU, 0)
		}
		pod := scale.Pod{Name: own.name, StartedAt: own.started, ReadyChangedAt: own.started, UsageAt: at, Containers: p.containers[i : i+1 : i+1]}
		if own.ready(p.now) {
			pod.Ready, pod.ReadyChangedAt = scale.Ready, own.readyAt
		}
		p.pods = append(p.pods, pod)
	}
	return p.pods
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
	return scale.Sample{At: at, Series: []scale.Amount{was.demand}}
}
