package policy

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// activation reads the value that a metric must be above.
func (c *compiler) activation(path fault.Path, q *resource.Quantity) *scale.Amount {
	if q == nil {
		return nil
	}
	a, err := scale.ParseAmount(q.String())
	switch {
	case err != nil:
		c.faults.Add(path, "%s %v", q.String(), err)
	case a < 0:
		c.faults.Add(path, "must not be negative, got %s", q.String())
	}
	return &a
}

// sleep compiles when a workload goes to zero, or to its idle count, and what has
// to be so for that.
func (c *compiler) sleep(p *engine.Policy) {
	rules, idle := &p.Horizontal, c.spec.Replicas.Idle
	c.idleCount(p)
	if b := c.spec.Behavior; b != nil {
		c.toZero(p, b)
	}
	rules.Least = max(p.Limit.Min, 1)
	rules.ZeroAllowed = p.Limit.Min == 0 || idle != nil && *idle == 0
	rules.Activates = idle != nil
	for i := range rules.Metrics {
		m := &rules.Metrics[i]
		if m.Activation == nil {
			continue
		}
		path := fault.Path("metrics").Index(i).Field("activation")
		if m.Kind == horizontal.Computed {
			path = "formula.activation"
		}
		rules.Activates = true
		c.sleeps(path, p)
		if m.Kind.PerPod() {
			c.faults.Add(path, "needs an Object or External metric: pods that do not run have no usage to wake up for")
		}
	}
}

// idleCount checks the count of a workload that nobody needs.
func (c *compiler) idleCount(p *engine.Policy) {
	idle := c.spec.Replicas.Idle
	if idle == nil {
		return
	}
	p.Horizontal.Idle = *idle
	const path = fault.Path("replicas.idle")
	switch {
	case *idle < 0:
		c.faults.Add(path, "must not be negative, got %d", *idle)
	case *idle >= p.Limit.Min:
		c.faults.Add(path, "must be below replicas.min, which is the count as soon as a metric is active: %d >= %d", *idle, p.Limit.Min)
	case !p.Horizontal.HasMetricWithoutPods():
		c.faults.Add(path, "needs an Object or External metric: only one that does not depend on pods can say that they are needed")
	}
	c.sleeps(path, p)
}

// toZero compiles the delay before zero.
func (c *compiler) toZero(p *engine.Policy, b *v1alpha1.Behavior) {
	const up, down = fault.Path("behavior.scaleUp.toZeroDelaySeconds"), fault.Path("behavior.scaleDown.toZeroDelaySeconds")
	if b.ScaleUp != nil && b.ScaleUp.ToZeroDelaySeconds != nil {
		c.faults.Add(up, "belongs to scaleDown: nothing goes to zero on the way up")
	}
	if b.ScaleDown == nil || b.ScaleDown.ToZeroDelaySeconds == nil {
		return
	}
	p.Limit.ToZero = c.seconds(down, *b.ScaleDown.ToZeroDelaySeconds, 0, maxWaitSeconds)
	c.sleeps(down, p)
}

// sleeps checks that the workload may sleep at all, by rules that know of it.
func (c *compiler) sleeps(path fault.Path, p *engine.Policy) {
	switch {
	case p.Limit.Min > 0 && c.spec.Replicas.Idle == nil:
		c.faults.Add(path, "needs replicas.min: 0 or replicas.idle: a workload that always has %d pods does not sleep", p.Limit.Min)
	case c.upstream():
		c.faults.Add(path, "is not among the rules of an HPA: leave it out, or set compatibility to Tidemark")
	case c.spec.Actuator == v1alpha1.ActuatorHPA:
		c.faults.Add(path, "does not go with actuator HPA, which scales by its own rules: remove it, or scale the workload itself")
	case c.spec.Intervals != nil:
		c.faults.Add(path, "does not go with intervals, which choose the count by totals: remove one of them")
	}
}
