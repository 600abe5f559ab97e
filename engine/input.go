package engine

import (
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// input is what one decision is made from. Every stage reads it, and none changes
// it. Stages keep nothing of it but what it points to, so that it never reaches
// the heap.
type input struct {
	policy *Policy
	obs    *scale.Observation
	// memory is what is remembered, as it counts at this moment.
	memory *Memory
	// from is the size found.
	from *scale.Size
}

// recall makes the copies that a decision was given what they are at its moment,
// before any stage sees them, and returns the size found.
func recall(p *Policy, obs *scale.Observation, past *Memory) scale.Size {
	if p.TunesHPA {
		p.Horizontal.Metrics = metricsOf(p, obs)
	}
	obs.At = obs.At.Round(0).UTC()
	if p.Unadvised {
		obs.Recommended, obs.Unrecommended = nil, ""
	}
	past.recall(p, obs)
	if past.tune(p, obs) {
		p.follow(past.Learned.Tuned.Setting)
	}
	if len(past.Sized) > 0 && p.Sizes() {
		obs.Target.Containers = underWay(past.Sized, obs)
	}
	return scale.Size{Replicas: obs.Target.SpecReplicas, Containers: obs.Target.Containers}
}

// note fills in a step that changes no size.
func (in input) note(s scale.Step) scale.Step {
	s.In, s.Out = *in.from, *in.from
	return s
}

// request is what one pod's container requests now; 0 is nothing.
func (in input) request(container string, res scale.Resource) scale.Amount {
	for i := range in.from.Containers {
		if in.from.Containers[i].Name == container {
			request, _ := in.from.Containers[i].Requests.Get(res)
			return request
		}
	}
	return 0
}

// applied is what all pods request of a resource of the i-th container.
func (in input) applied(i int, res scale.Resource) scale.Amount {
	request, _ := in.from.Containers[i].Requests.Get(res)
	return request.Times(int64(in.from.Replicas))
}

// containerOf is the container a metric speaks of: the one it names, or the
// only one there is.
func containerOf(m *horizontal.Metric, containers []scale.Container) (string, bool) {
	if m.Kind == horizontal.ContainerResource {
		return m.Container, true
	}
	if len(containers) == 1 {
		return containers[0].Name, true
	}
	return "", false
}

// recommended is what a container should request, of one pod and of all of them;
// nothing, or less, is no recommendation.
func (in input) recommended(container string, res scale.Resource) (perPod, total scale.Amount) {
	for i := range in.obs.Recommended {
		if r := &in.obs.Recommended[i]; r.Container == container {
			perPod, _ = r.PerPod.Get(res)
			if all, ok := r.Total.Get(res); ok {
				return perPod, all
			}
			return perPod, perPod.Times(int64(in.from.Replicas))
		}
	}
	return 0, 0
}
