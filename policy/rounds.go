package policy

import (
	"slices"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// rounds checks what may happen to pods that run for the sake of their size.
func (c *compiler) rounds(v *v1alpha1.VerticalSpec) {
	if n := v.MinReplicas; n != nil {
		switch {
		case *n < 1:
			c.faults.Add("vertical.minReplicas", "must be 1 or more, got %d", *n)
		case v.Update == v1alpha1.VerticalUpdateInitial:
			c.faults.Add("vertical.minReplicas", "is about pods that run, and update Initial leaves those alone: leave one of them out")
		}
	}
	const path = fault.Path("vertical.evictionRequirements")
	if len(v.EvictionRequirements) > 0 && (v.Update == v1alpha1.VerticalUpdateInitial || v.Update == v1alpha1.VerticalUpdateInPlace) {
		c.faults.Add(path, "need an update that replaces pods, Recreate or InPlaceOrRecreate, got %s", v.Update)
	}
	for i, r := range v.EvictionRequirements {
		at := path.Index(i)
		oneOf(c, at.Field("changeRequirement"), r.ChangeRequirement, v1alpha1.TargetHigherThanRequests, v1alpha1.TargetLowerThanRequests)
		if len(r.Resources) == 0 {
			c.faults.Add(at.Field("resources"), "is required: cpu, memory or both")
		}
		for j, name := range r.Resources {
			c.resource(at.Field("resources").Index(j), name)
			if slices.Contains(r.Resources[:j], name) {
				c.faults.Add(at.Field("resources").Index(j), "%s stands here twice", name)
			}
		}
	}
}

// DisruptionOf is how many pods there must be before one is taken out of service for its
// size, and what has to change for it to be replaced, by a spec that Compile has accepted.
func DisruptionOf(spec v1alpha1.WorkloadAutoscalerSpec) (least int32, requirements []scale.EvictionRequirement) {
	v := spec.Vertical
	if v == nil {
		return 0, nil
	}
	if v.MinReplicas != nil {
		least = *v.MinReplicas
	}
	var c compiler
	for _, r := range v.EvictionRequirements {
		out := scale.EvictionRequirement{Lower: r.ChangeRequirement == v1alpha1.TargetLowerThanRequests}
		for _, name := range r.Resources {
			out.Resources = append(out.Resources, c.resource("", name))
		}
		requirements = append(requirements, out)
	}
	return least, requirements
}

// oomBumpUp checks how much memory a container needs that ran out of it.
func (c *compiler) oomBumpUp(path fault.Path, p *v1alpha1.ContainerPolicy) {
	if p.OOMBumpUp == nil {
		return
	}
	path = path.Field("oomBumpUp")
	c.share(path, *p.OOMBumpUp)
	unsized := p.Memory == nil && c.spec.Intervals == nil || p.Memory != nil && p.Memory.Scaling == v1alpha1.ResourceScalingOff
	if v := c.spec.Vertical; v != nil && v.Source != "" && v.Source != v1alpha1.VerticalSourceBuiltIn {
		c.faults.Add(path, "needs vertical.source BuiltIn: with %s someone else says what is needed", v.Source)
	} else if unsized {
		c.faults.Add(path, "needs memory that is sized: say how memory scales, or leave it out")
	}
}

// OOMBumpUpsOf is how much more memory containers need that ran out of it, as far as
// the spec, which Compile has accepted, says so. The name "*" stands for the containers
// that are not named.
func OOMBumpUpsOf(spec v1alpha1.WorkloadAutoscalerSpec) map[string]scale.Share {
	var out map[string]scale.Share
	for i := range spec.Containers {
		p := &spec.Containers[i]
		if p.OOMBumpUp == nil {
			continue
		}
		if out == nil {
			out = map[string]scale.Share{}
		}
		var c compiler
		out[p.Name] = c.share("", *p.OOMBumpUp)
	}
	return out
}
