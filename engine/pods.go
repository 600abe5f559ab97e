package engine

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// serving is how many pods work reaches.
func (in input) serving() int32 {
	count := int32(0)
	for i := range in.obs.Pods {
		if in.obs.Pods[i].Serves() {
			count++
		}
	}
	return count
}

// startedPods is how many of the pods have had the time to start. Those that are
// still not ready are broken: the others must not be made larger for them.
func (in input) startedPods() int32 {
	starting := int32(0)
	young := in.obs.At.Add(-in.policy.Horizontal.CPUInitialization)
	for i := range in.obs.Pods {
		p := &in.obs.Pods[i]
		if p.Ready != scale.Ready && !p.Deleting && p.StartedAt.After(young) {
			starting++
		}
	}
	return in.from.Replicas - starting
}

// outOfMemory tells whether memory ran out since the last change.
func (in input) outOfMemory() bool {
	for i := range in.obs.Pods {
		if at := in.obs.Pods[i].OutOfMemoryAt; !at.IsZero() && at.After(in.memory.LastEventAt) && !at.After(in.obs.At) {
			return true
		}
	}
	return false
}

// measuredSince tells whether all of what was measured is from after a moment.
// Before the last change the pods that have gone since did a part of the work:
// what the others used says too little, and they would be made too small.
func (in input) measuredSince(at time.Time) bool {
	for i := range in.obs.Pods {
		if p := &in.obs.Pods[i]; !p.Ended() && !p.UsageAt.IsZero() && p.UsageAt.Add(-p.UsageWindow).Before(at) {
			return false
		}
	}
	return true
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
