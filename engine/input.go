package engine

import (
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// input is what one decision is made from. Every stage reads it, and none changes
// it. It holds everything by value and pointers into it are lent out only while
// a stage runs, so it never reaches the heap.
type input struct {
	policy Policy
	obs    scale.Observation
	// memory is what is remembered, as it counts at this moment.
	memory Memory
	// from is the size found.
	from scale.Size
}

// recall puts together what a decision is made from.
func recall(p Policy, obs scale.Observation, past Memory) input {
	in := input{policy: p, obs: obs}
	if p.TunesHPA {
		in.policy.Horizontal.Metrics = metricsOf(&p, &obs)
	}
	in.obs.At = obs.At.Round(0).UTC()
	if p.Unadvised {
		in.obs.Recommended, in.obs.Unrecommended = nil, ""
	}
	in.memory = past.recalled(&in.policy, &in.obs)
	if len(past.Sized) > 0 && p.sizes() {
		in.obs.Target.Containers = underWay(past.Sized, &in.obs)
	}
	in.from = scale.Size{Replicas: obs.Target.SpecReplicas, Containers: in.obs.Target.Containers}
	return in
}

// note is a step of a stage that changes no size.
func (in *input) note(stage scale.Stage, reason scale.Reason) scale.Step {
	return scale.Step{Stage: stage, Reason: reason, In: in.from, Out: in.from}
}

// request is what one pod's container requests now; 0 is nothing.
func (in *input) request(container string, res scale.Resource) scale.Amount {
	for i := range in.from.Containers {
		if in.from.Containers[i].Name == container {
			request, _ := in.from.Containers[i].Requests.Get(res)
			return request
		}
	}
	return 0
}

// applied is what all pods request of a resource of the i-th container.
func (in *input) applied(i int, res scale.Resource) scale.Amount {
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

// recommended is what is recommended for a container; nil where nothing is.
func (in *input) recommended(container string) *scale.Recommendation {
	for i := range in.obs.Recommended {
		if in.obs.Recommended[i].Container == container {
			return &in.obs.Recommended[i]
		}
	}
	return nil
}

// recommendedPerPod is what a pod's container is recommended to request; nothing,
// or less, is no recommendation.
func (in *input) recommendedPerPod(container string, res scale.Resource) scale.Amount {
	if r := in.recommended(container); r != nil {
		perPod, _ := r.PerPod.Get(res)
		return perPod
	}
	return 0
}

// recommendedTotal is what is recommended for a container of all pods.
func (in *input) recommendedTotal(container string, res scale.Resource) scale.Amount {
	if r := in.recommended(container); r != nil {
		if total, ok := r.Total.Get(res); ok {
			return total
		}
	}
	return in.recommendedPerPod(container, res).Times(int64(in.from.Replicas))
}
