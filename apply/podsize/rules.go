package podsize

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
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
	return r.spec.Intervals != nil || len(r.spec.Containers) > 0
}

// Only returns what of the wanted sizes is the object's to write. Containers
// of which nothing is left are left out.
func (r Rules) Only(want []scale.Container) []scale.Container {
	var own []scale.Container
	for _, c := range want {
		policy := r.policy(c.Name)
		kept := scale.Container{Name: c.Name}
		for _, res := range scale.EveryResource {
			if !r.sizes(policy, res) {
				continue
			}
			if request, ok := c.Requests.Get(res); ok {
				kept.Requests = kept.Requests.With(res, request)
			}
			if limit, ok := c.Limits.Get(res); ok && !keepsLimits(policy) {
				kept.Limits = kept.Limits.With(res, limit)
			}
		}
		if !kept.Requests.Empty() || !kept.Limits.Empty() {
			own = append(own, kept)
		}
	}
	return own
}

func keepsLimits(p *v1alpha1.ContainerPolicy) bool {
	return p != nil && p.ControlledValues == v1alpha1.ControlledRequestsOnly
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
