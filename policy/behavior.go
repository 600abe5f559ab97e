package policy

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// The policies of a direction that states none, as in autoscaling/v2.
var (
	defaultUpPolicies   = []limit.Policy{{Value: 4, Period: 15 * time.Second}, {Percent: true, Value: 100, Period: 15 * time.Second}}
	defaultDownPolicies = []limit.Policy{{Percent: true, Value: 100, Period: 15 * time.Second}}
)

// orDefault returns the stated policies. Where limitPercent is the stated
// velocity, no default policy stands beside it.
func orDefault(r *v1alpha1.ScalingRules, stated, defaults []limit.Policy) []limit.Policy {
	if len(stated) > 0 || (r != nil && r.LimitPercent != nil) {
		return stated
	}
	return defaults
}

// Limits of autoscaling/v2, which are ours too.
const (
	maxWindowSeconds = 3600
	maxPeriodSeconds = 1800
	// maxWaitSeconds bounds the windows that autoscaling/v2 does not have.
	maxWaitSeconds = 7 * 24 * 3600
	// maxTolerance is more than anyone can mean, and keeps sums in range.
	maxTolerance = 1_000_000
)

// direction compiles the rules of one direction, without defaults.
func (c *compiler) direction(path fault.Path, r *v1alpha1.ScalingRules) limit.Direction {
	d := limit.Direction{}
	if r == nil {
		return d
	}
	if w := r.StabilizationWindowSeconds; w != nil {
		d.Window = c.seconds(path.Field("stabilizationWindowSeconds"), *w, 0, maxWindowSeconds)
	}
	if w := r.ForbiddenWindowSeconds; w != nil {
		d.Forbidden = c.seconds(path.Field("forbiddenWindowSeconds"), *w, 0, maxWaitSeconds)
	}
	if w := r.DelaySeconds; w != nil {
		d.Delay = c.seconds(path.Field("delaySeconds"), *w, 0, maxWaitSeconds)
	}
	d.Percent = c.limitPercent(path, r.LimitPercent)
	d.Update = c.update(path.Field("update"), r.Update)
	d.MinChange = c.shares(path.Field("minChange"), r.MinChange)
	d.Select = c.selectPolicy(path.Field("selectPolicy"), r.SelectPolicy)
	if r.Policies != nil && len(r.Policies) == 0 {
		c.faults.Add(path.Field("policies"), "must not be an empty list: leave it out for the defaults, or say selectPolicy: Disabled to forbid the direction")
	}
	for i, p := range r.Policies {
		d.Policies = append(d.Policies, c.policy(path.Field("policies").Index(i), p))
	}
	return d
}

func (c *compiler) limitPercent(path fault.Path, percent *int32) *int32 {
	if percent == nil {
		return nil
	}
	path = path.Field("limitPercent")
	if *percent < 0 {
		c.faults.Add(path, "must not be negative, got %d", *percent)
	}
	if *percent > 100 && strings.Contains(string(path), "scaleDown") {
		c.faults.Add(path, "must be at most 100 on the way down, got %d", *percent)
	}
	return percent
}

func (c *compiler) selectPolicy(path fault.Path, s v1alpha1.SelectPolicy) limit.Select {
	switch s {
	case "", v1alpha1.SelectMax:
		return limit.Loosest
	case v1alpha1.SelectMin:
		return limit.Tightest
	case v1alpha1.SelectDisabled:
		return limit.Disabled
	}
	oneOf(c, path, s, v1alpha1.SelectMax, v1alpha1.SelectMin, v1alpha1.SelectDisabled)
	return limit.Disabled
}

func (c *compiler) policy(path fault.Path, p v1alpha1.ScalingPolicy) limit.Policy {
	oneOf(c, path.Field("type"), p.Type, v1alpha1.PodsScalingPolicy, v1alpha1.PercentScalingPolicy)
	if p.Value < 1 {
		c.faults.Add(path.Field("value"), "must be above 0, got %d", p.Value)
	}
	return limit.Policy{
		Percent: p.Type == v1alpha1.PercentScalingPolicy,
		Value:   p.Value,
		Period:  c.seconds(path.Field("periodSeconds"), p.PeriodSeconds, 1, maxPeriodSeconds),
	}
}

// tolerance returns a direction's tolerance in billionths.
func (c *compiler) tolerance(path fault.Path, r *v1alpha1.ScalingRules) int64 {
	text := DefaultTolerance
	if r != nil && r.Tolerance != nil {
		text = r.Tolerance.String()
	}
	parts, err := scale.ParseParts(text)
	switch {
	case err != nil:
		c.faults.Add(path, "%s %v", text, err)
	case parts < 0:
		c.faults.Add(path, "must not be negative, got %s", text)
	case parts > maxTolerance*scale.Parts:
		c.faults.Add(path, "must be at most %d, got %s", maxTolerance, text)
	}
	return parts
}

// upstreamTolerance is a direction's tolerance as the HPA computes with it: by
// the same function, because floats differ by how they are made.
func upstreamTolerance(r *v1alpha1.ScalingRules) float64 {
	if r != nil && r.Tolerance != nil {
		return r.Tolerance.AsApproximateFloat64()
	}
	return 0.1
}

func (c *compiler) seconds(path fault.Path, n, low, high int32) time.Duration {
	if n < low || n > high {
		c.faults.Add(path, "must be between %d and %d, got %d", low, high, n)
	}
	return time.Duration(n) * time.Second
}

func (c *compiler) optionalSeconds(path fault.Path, n *int32, into *time.Duration) {
	if n != nil {
		*into = c.seconds(path, *n, 0, maxWaitSeconds)
	}
}

// oneOf checks a word against the words that are allowed.
func oneOf[T ~string](c *compiler, path fault.Path, got T, words ...T) bool {
	names := make([]string, len(words))
	for i, w := range words {
		if w == got {
			return true
		}
		names[i] = string(w)
	}
	what := fmt.Sprintf("got %q", got)
	if got == "" {
		what = "it is missing"
	}
	c.faults.Add(path, "must be one of %s: %s", strings.Join(names, ", "), what)
	return false
}
