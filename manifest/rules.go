package manifest

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Policy caps what may change within a period.
type Policy struct {
	// Type is Pods or Percent.
	Type v1alpha1.ScalingPolicyType `json:"type,omitempty"`
	// Value is how many pods, or how many percent of them.
	Value int32 `json:"value,omitempty"`
	// Period is in seconds, from 1 to 1800.
	Period int32 `json:"period,omitempty"`
}

// PodsPer caps a change at so many pods within so many seconds.
func PodsPer(pods, seconds int32) Policy {
	return Policy{Type: v1alpha1.PodsScalingPolicy, Value: pods, Period: seconds}
}

// PercentPer caps a change at a percentage of the count within so many
// seconds.
func PercentPer(percent, seconds int32) Policy {
	return Policy{Type: v1alpha1.PercentScalingPolicy, Value: percent, Period: seconds}
}

// Rules are what a direction has beside its policies.
type Rules struct {
	// StabilizationWindowSeconds is how far back desired counts are remembered. The
	// default is 0 for the way up and 300 for the way down.
	StabilizationWindowSeconds *int32 `json:"stabilizationWindowSeconds,omitempty"`
	// SelectPolicy is Max, the default, Min, or Disabled, which forbids the
	// direction.
	SelectPolicy v1alpha1.SelectPolicy `json:"selectPolicy,omitempty"`
	// Tolerance is the share by which a value may be off and change nothing.
	// The default is 0.1.
	Tolerance *resource.Quantity `json:"tolerance,omitempty"`

	// The rest is known to WorkloadAutoscalers only.

	// LimitPercent caps one decision at a percentage of the current count.
	LimitPercent *int32 `json:"limitPercent,omitempty"`
	// ForbiddenWindowSeconds forbids the direction for so long after any
	// change of the count.
	ForbiddenWindowSeconds *int32 `json:"forbiddenWindowSeconds,omitempty"`
	// DelaySeconds is how long a value must have been outside of its band.
	DelaySeconds *int32 `json:"delaySeconds,omitempty"`
	// ToZeroDelaySeconds is how long zero, or IdleReplicas, must have been asked for
	// before the last pods go. Only ScaleDown has it.
	ToZeroDelaySeconds *int32 `json:"toZeroDelaySeconds,omitempty"`
	// EmptiestFirst lets the pods go first that have the least to do. It belongs to
	// ScaleDown.
	EmptiestFirst *bool `json:"emptiestFirst,omitempty"`
}

// direction is everything an autoscaler says about one direction.
type direction struct {
	field    string
	policies []Policy
	rules    *Rules
}

func (a Autoscaler) directions() [2]direction {
	return [2]direction{
		{"scaleUp", a.ScaleUpPolicies, a.ScaleUp},
		{"scaleDown", a.ScaleDownPolicies, a.ScaleDown},
	}
}

// silent tells whether nothing is said, so that the defaults apply.
func (d direction) silent() bool { return d.policies == nil && d.rules == nil }

// disabled tells whether the direction is forbidden.
func (d direction) disabled() bool {
	return d.rules != nil && d.rules.SelectPolicy == v1alpha1.SelectDisabled
}
