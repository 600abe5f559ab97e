package policy

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/boost"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Bounds of a boost.
const (
	leastFactor = int64(scale.Thousand)
	mostFactor  = 100 * int64(scale.Thousand)
	// mostBoost is the longest that a pod may keep its boost once it is ready.
	mostBoost = 3600
)

// Boosts returns the boosts of a spec that can be compiled, for those who need
// nothing else of it; nil where there are none.
func Boosts(spec *v1alpha1.WorkloadAutoscalerSpec, admin v1alpha1.AdminSettings) *boost.Rules {
	c := compiler{spec: *spec, admin: admin}
	if rules := c.boosts(); c.faults.Err() == nil {
		return rules
	}
	return nil
}

// boosts compiles what new pods start with; nil where they start as they are.
func (c *compiler) boosts() *boost.Rules {
	var out boost.Rules
	any := false
	for i := range c.spec.Containers {
		p := &c.spec.Containers[i]
		compiled := boost.Container{Name: p.Name, None: true}
		if p.Boost != nil {
			any = true
			compiled = c.boost(fault.Path("containers").Index(i).Field("boost"), p)
		}
		switch {
		case p.Name != everyOther:
			out.Containers = append(out.Containers, compiled)
		case !compiled.None:
			out.Default = &compiled
		}
	}
	if !any {
		return nil
	}
	out.Most, _ = c.adminAmount(c.admin.MaximumResources, scale.CPU)
	return &out
}

func (c *compiler) boost(path fault.Path, p *v1alpha1.ContainerPolicy) boost.Container {
	in := p.Boost
	out := boost.Container{Name: p.Name, KeepLimits: p.ControlledValues == v1alpha1.ControlledRequestsOnly}
	switch {
	case in.Factor == nil && in.Quantity == nil:
		c.faults.Add(path, "needs factor or quantity: say how much cpu new pods start with")
	case in.Factor != nil && in.Quantity != nil:
		c.faults.Add(path, "has factor and quantity: keep one of them")
	case in.Quantity != nil:
		out.Quantity = c.mark(path.Field("quantity"), *in.Quantity)
	default:
		factor, err := scale.ParseAmount(in.Factor.String())
		if out.Factor = int64(factor); err != nil || out.Factor < leastFactor || out.Factor > mostFactor {
			c.faults.Add(path.Field("factor"), "must be a number from 1 to 100, such as \"2.5\" or 3, got %s", in.Factor.String())
		}
	}
	if in.ForSeconds != nil {
		out.For = c.seconds(path.Field("forSeconds"), *in.ForSeconds, 0, mostBoost)
	}
	return out
}
