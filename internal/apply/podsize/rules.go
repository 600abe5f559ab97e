package podsize

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// everyOther is the name of the policy for containers without their own.
const everyOther = "*"

// Rules say which resources of which containers an object sizes. What it does
// not size belongs to someone else and is never written.
type Rules struct {
	spec *v1alpha1.WorkloadAutoscalerSpec
}

// RulesOf returns the rules of an object. The spec is only read, and must not
// change while the rules are in use.
func RulesOf(spec *v1alpha1.WorkloadAutoscalerSpec) Rules { return Rules{spec} }

// Any tells whether the object sizes pods at all.
func (r Rules) Any() bool {
	return r.spec.Intervals != nil || len(r.spec.Containers) > 0 || r.givesHeadroom()
}

// givesHeadroom tells whether pods get their headroom by their size.
func (r Rules) givesHeadroom() bool { return policy.ResizesForHeadroom(r.spec) }

// Only returns what of the wanted sizes is the object's to write. Containers
// of which nothing is left are left out.
func (r Rules) Only(want []scale.Container) []scale.Container {
	var sizes []scale.Container
	for _, c := range want {
		own := r.policy(c.Name)
		measured := r.givesHeadroom() && r.measures(c.Name, len(want))
		kept := scale.Container{Name: c.Name}
		for _, res := range scale.EveryResource {
			if !r.sizes(own, res) && !(measured && res == scale.CPU) {
				continue
			}
			if request, ok := c.Requests.Get(res); ok {
				kept.Requests = kept.Requests.With(res, request)
			}
			if limit, ok := c.Limits.Get(res); ok && !keepsLimits(own) {
				kept.Limits = kept.Limits.With(res, limit)
			}
		}
		if !kept.Requests.Empty() || !kept.Limits.Empty() {
			sizes = append(sizes, kept)
		}
	}
	return sizes
}

func keepsLimits(p *v1alpha1.ContainerPolicy) bool {
	return p != nil && p.ControlledValues == v1alpha1.ControlledRequestsOnly
}

// measures tells whether headroom is measured at a container: the one that the
// metric names, or the only one there is.
func (r Rules) measures(container string, all int) bool {
	for i := range r.spec.Metrics {
		if m := r.spec.Metrics[i].ContainerResource; m != nil {
			return m.Container == container
		}
	}
	return all == 1
}

// policy returns the policy of a container: its own, else the one for the
// rest, else nil.
func (r Rules) policy(container string) *v1alpha1.ContainerPolicy {
	var rest *v1alpha1.ContainerPolicy
	for i := range r.spec.Containers {
		switch p := &r.spec.Containers[i]; p.Name {
		case container:
			return p
		case everyOther:
			rest = p
		}
	}
	return rest
}

// sizes tells whether requests of a resource change. With intervals everything
// is sized that is not said to be something else. Without them a resource must
// be named; one that scales Horizontal is named too, because its request
// changes where the count cannot.
func (r Rules) sizes(p *v1alpha1.ContainerPolicy, res scale.Resource) bool {
	var policy *v1alpha1.ResourcePolicy
	if p != nil {
		policy = p.CPU
		if res == scale.Memory {
			policy = p.Memory
		}
	}
	if policy == nil {
		return r.spec.Intervals != nil
	}
	switch policy.Scaling {
	case v1alpha1.ResourceScalingOff:
		return false
	case v1alpha1.ResourceScalingHorizontal:
		return r.spec.Intervals == nil
	}
	return true
}
