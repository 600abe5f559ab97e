package engine

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// count is how many pods are so.
func (in input) count(is func(*scale.Pod) bool) int32 {
	count := int32(0)
	for i := range in.obs.Pods {
		if is(&in.obs.Pods[i]) {
			count++
		}
	}
	return count
}

// startedPods is how many of the pods have had the time to start. Those that are
// still not ready are broken: the others must not be made larger for them.
func (in input) startedPods() int32 {
	young := in.obs.At.Add(-in.policy.Horizontal.CPUInitialization)
	return in.from.Replicas - in.count(func(p *scale.Pod) bool {
		return p.Ready != scale.Ready && !p.Deleting && p.StartedAt.After(young)
	})
}

// outOfMemory tells whether memory ran out since the last change.
func (in input) outOfMemory() bool {
	return in.count(func(p *scale.Pod) bool {
		return p.OutOfMemoryAt.After(in.memory.LastEventAt) && !p.OutOfMemoryAt.IsZero() && !p.OutOfMemoryAt.After(in.obs.At)
	}) > 0
}

// measuredSince tells whether all of what was measured is from after a moment.
// Before the last change the pods that have gone since did a part of the work:
// what the others used says too little, and they would be made too small.
func (in input) measuredSince(at time.Time) bool {
	return in.count(func(p *scale.Pod) bool {
		return !p.Ended() && !p.UsageAt.IsZero() && p.UsageAt.Add(-p.UsageWindow).Before(at)
	}) == 0
}

// atLimit tells whether some pod's container uses all that its limit in force
// allows.
func (in input) atLimit(c *scale.Container, res scale.Resource) bool {
	for i := range in.obs.Pods {
		for j := range in.obs.Pods[i].Containers {
			pc := &in.obs.Pods[i].Containers[j]
			if pc.Name != c.Name {
				continue
			}
			usage, known := pc.Usage.Get(res)
			if bound, limited := pc.MayUse(c, res); known && limited && usage >= bound {
				return true
			}
		}
	}
	return false
}

// used is what all pods use of a resource, container by container.
func (in input) used(res scale.Resource) []scale.Amount {
	out := make([]scale.Amount, len(in.from.Containers))
	for i := range in.obs.Pods {
		for j := range in.obs.Pods[i].Containers {
			pc := &in.obs.Pods[i].Containers[j]
			usage, _ := pc.Usage.Get(res)
			for k := range in.from.Containers {
				if in.from.Containers[k].Name == pc.Name {
					out[k] = out[k].Add(max(usage, 0))
				}
			}
		}
	}
	return out
}

// busiest is the most that one pod's container uses of a resource.
func (in input) busiest(container string, res scale.Resource) scale.Amount {
	most := scale.Amount(0)
	for i := range in.obs.Pods {
		for j := range in.obs.Pods[i].Containers {
			if pc := &in.obs.Pods[i].Containers[j]; pc.Name == container && !in.obs.Pods[i].Ended() {
				usage, _ := pc.Usage.Get(res)
				most = max(most, usage)
			}
		}
	}
	return most
}
