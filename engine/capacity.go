package engine

import (
	"github.com/tidemark/tidemark/engine/capacity"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/engine/rightsize"
	"github.com/tidemark/tidemark/scale"
)

// roomFor bounds a change by what quotas have room for, and names what they have no
// more of. Who tunes an HPA does not decide how many pods there are.
func (in input) roomFor(c *limit.Change, to *scale.Size) string {
	if in.obs.Capacity == nil || in.policy.upstream() || in.policy.TunesHPA || c.Desired <= c.Current {
		return ""
	}
	most, bounded := capacity.Most(in.obs.Capacity, in.there(), to)
	c.Most, c.Bounded = most.Count, bounded
	return most.By
}

// nameQuota names what a quota has no more of, where it kept the count from growing.
func nameQuota(d *scale.Decision, what string) {
	if what == "" {
		return
	}
	for i := range d.Steps {
		if s := &d.Steps[i]; s.Stage == scale.StageLimit && s.Reason == scale.Quota {
			s.Resources = what
		}
	}
}

// fit takes back what pods would grow by and cannot have.
func (in input) fit(d *scale.Decision) {
	if in.obs.Capacity == nil || !in.policy.Sizes() {
		return
	}
	for _, cut := range capacity.Fit(in.obs.Capacity, in.there(), d.Proposed) {
		step(d, scale.Step{Reason: cut.Reason, In: d.Proposed, Out: cut.Size, Limit: cut.Size.Replicas, Resources: cut.Resources})
		d.Proposed = cut.Size
	}
}

// there are the pods as quotas count them: those that exist, and are not on their way
// out.
func (in input) there() capacity.Pods {
	out := capacity.Pods{Size: in.from, There: in.obs.Target.StatusReplicas}
	if in.obs.Pods != nil {
		out.There = in.count(func(p *scale.Pod) bool { return !p.Ended() })
		out.Requests, out.Limits = in.owed()
	}
	return out
}

// owed is what pods have yet to be given of the size found: they are brought to it a few
// at a time, and quotas count what each was asked to have.
func (in input) owed() (requests, limits scale.Resources) {
	for i := range in.obs.Pods {
		p := &in.obs.Pods[i]
		if p.Ended() {
			continue
		}
		for j := range p.Containers {
			c := &p.Containers[j]
			for k := range in.from.Containers {
				if to := &in.from.Containers[k]; to.Name == c.Name {
					requests, limits = owedTo(requests, to.Requests, c.Requests), owedTo(limits, to.Limits, c.Limits)
				}
			}
		}
	}
	return requests, limits
}

// owedTo adds what is missing of one container. What nobody knows is not missing.
func owedTo(sum, to, has scale.Resources) scale.Resources {
	for _, res := range scale.EveryResource {
		wanted, stated := to.Usable(res)
		if asked, known := has.Usable(res); stated && known && wanted > asked {
			before, _ := sum.Get(res)
			sum = sum.With(res, before.Add(wanted-asked))
		}
	}
	return sum
}

// largest is the most that a container of the pods can have of a resource, and what
// keeps it from having more; 0 where that is unknown.
func (in input) largest(container int, res scale.Resource) (most scale.Amount, by scale.Reason) {
	lower := func(to scale.Amount, reason scale.Reason) {
		if to > 0 && (most == 0 || to < most) {
			most, by = to, reason
		}
	}
	if in.obs.Room != nil && res == scale.CPU {
		lower(in.obs.Room.Largest, scale.NodeSize)
	}
	if c := in.obs.Capacity; c != nil {
		others := scale.Amount(0)
		for i := range in.from.Containers {
			if request, _ := in.from.Containers[i].Requests.Get(res); i != container {
				others = others.Add(max(request, 0))
			}
		}
		if node, known := c.LargestNode.Usable(res); known {
			lower(node.Add(-others), scale.NodeSize)
		}
		if allowed, known := c.LimitRange.Max.Usable(res); known {
			lower(allowed, scale.LimitRange)
		}
	}
	return most, by
}

// largestOfAll is the same for every container and resource.
func (in input) largestOfAll() []rightsize.Largest {
	out := make([]rightsize.Largest, len(in.from.Containers))
	for i := range out {
		for _, res := range scale.EveryResource {
			out[i][res].Amount, out[i][res].By = in.largest(i, res)
		}
	}
	return out
}
