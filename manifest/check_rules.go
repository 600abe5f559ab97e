package manifest

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Limits of autoscaling/v2, and those of a WorkloadAutoscaler beside them.
const (
	maxPeriod    = 1800
	maxWindow    = 3600
	maxWait      = 7 * 24 * 3600
	maxPolicies  = 10
	maxTolerance = 1_000_000
)

func (c *checker) direction(d direction) {
	at := fault.Path(d.field + "Policies")
	switch {
	case d.policies != nil && len(d.policies) == 0:
		c.faults.Add(at, "must not be an empty list: leave it out for the defaults, or say %s: {selectPolicy: Disabled} to forbid the direction", d.field)
	case len(d.policies) > maxPolicies:
		c.faults.Add(at, "has %d entries: at most %d are allowed", len(d.policies), maxPolicies)
		return
	}
	for i, p := range d.policies {
		c.policy(at.Index(i), d.field, p)
	}
	if d.rules != nil {
		c.rules(d)
	}
}

func (c *checker) policy(at fault.Path, direction string, p Policy) {
	c.policyType(at.Field("type"), direction, p.Type)
	if p.Value < 1 {
		c.faults.Add(at.Field("value"), "must be at least 1, got %d", p.Value)
	}
	if p.Period < 1 || p.Period > maxPeriod {
		c.faults.Add(at.Field("period"), "must be between 1 and %d seconds, got %d", maxPeriod, p.Period)
	}
}

// policyType refuses words that autoscaling/v2 does not have. Those of the
// cdk8s-plus draft get a hint of their own (readings C1).
func (c *checker) policyType(at fault.Path, direction string, t v1alpha1.ScalingPolicyType) {
	switch t {
	case v1alpha1.PodsScalingPolicy, v1alpha1.PercentScalingPolicy:
	case "":
		c.faults.Add(at, "is required: use Pods or Percent")
	case "MaxPods":
		c.faults.Add(at, "MaxPods does not exist in autoscaling/v2: use Pods")
	case "MaxUnavailable":
		c.faults.Add(at, "MaxUnavailable does not exist in autoscaling/v2: use Percent, a share of the pods within a period")
	case "Disabled":
		c.faults.Add(at, "Disabled is not a type of policy: say %s: {selectPolicy: Disabled}", direction)
	default:
		c.faults.Add(at, "must be Pods or Percent, got %q", shown(string(t)))
	}
}

func (c *checker) rules(d direction) {
	at, r := fault.Path(d.field), d.rules
	c.seconds(at.Field("stabilizationWindowSeconds"), r.StabilizationWindowSeconds, maxWindow)
	switch r.SelectPolicy {
	case "", v1alpha1.SelectMax, v1alpha1.SelectMin, v1alpha1.SelectDisabled:
	default:
		c.faults.Add(at.Field("selectPolicy"), "must be Max, Min or Disabled, got %q", shown(string(r.SelectPolicy)))
	}
	c.tolerance(at.Field("tolerance"), r)
	if c.kind != WorkloadAutoscaler {
		c.unknownToHPA(at, r)
		return
	}
	c.seconds(at.Field("forbiddenWindowSeconds"), r.ForbiddenWindowSeconds, maxWait)
	c.seconds(at.Field("delaySeconds"), r.DelaySeconds, maxWait)
	if p := r.LimitPercent; p != nil && (*p < 0 || *p > 100 && d.field == "scaleDown") {
		c.faults.Add(at.Field("limitPercent"), "must not be negative, nor above 100 on the way down, got %d", *p)
	}
}

func (c *checker) seconds(at fault.Path, n *int32, most int32) {
	if n != nil && (*n < 0 || *n > most) {
		c.faults.Add(at, "must be between 0 and %d, got %d", most, *n)
	}
}

func (c *checker) tolerance(at fault.Path, r *Rules) {
	if r.Tolerance == nil {
		return
	}
	parts, err := scale.ParseParts(r.Tolerance.String())
	switch {
	case err != nil:
		c.faults.Add(at, "%s %v", shown(r.Tolerance.String()), err)
	case parts < 0 || parts > maxTolerance*scale.Parts:
		c.faults.Add(at, "must be a share between 0 and %d, such as 0.1 for 10 %%, got %s", maxTolerance, r.Tolerance)
	}
}

const notKnown = "is not known to a %s: make the kind %s, or remove it"

// unknownToHPA refuses rules that an HPA would silently not have.
func (c *checker) unknownToHPA(at fault.Path, r *Rules) {
	for _, rule := range []struct {
		field string
		value *int32
	}{
		{"limitPercent", r.LimitPercent},
		{"forbiddenWindowSeconds", r.ForbiddenWindowSeconds},
		{"delaySeconds", r.DelaySeconds},
		{"toZeroDelaySeconds", r.ToZeroDelaySeconds},
	} {
		if rule.value != nil {
			c.faults.Add(at.Field(rule.field), notKnown, c.kind, WorkloadAutoscaler)
		}
	}
	if r.EmptiestFirst != nil {
		c.faults.Add(at.Field("emptiestFirst"), notKnown, c.kind, WorkloadAutoscaler)
	}
}
