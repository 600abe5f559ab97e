package search

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/policy"
)

// Space is what may be changed of a spec.
type Space struct {
	base  v1alpha1.WorkloadAutoscalerSpec
	knobs []knob
}

// knob is one number. Its first value is to leave the spec as it is.
type knob struct {
	name   string
	values []string
	set    func(spec *v1alpha1.WorkloadAutoscalerSpec, value string)
}

// candidate is a value of each knob, by its place in the knob's values.
type candidate []int

// leave is the value that changes nothing.
const leave = ""

// SpaceOf returns the numbers of a spec that are worth a search: targets and
// watermarks, tolerances, windows, speed limits, holds, the accepted risk and the
// room of headroom, and a larger minimum. A minimum is never lowered, and a maximum
// never changed: they may have reasons that no recording knows. Peak is how many
// pods the demand needs at its peak.
func SpaceOf(spec v1alpha1.WorkloadAutoscalerSpec, peak int32) Space {
	s := Space{base: *spec.DeepCopy()}
	for i := range spec.Metrics {
		s.metric(i)
	}
	s.direction("scaleUp", func(b *v1alpha1.Behavior) **v1alpha1.ScalingRules { return &b.ScaleUp }, []string{"0", "30", "60"})
	s.direction("scaleDown", func(b *v1alpha1.Behavior) **v1alpha1.ScalingRules { return &b.ScaleDown }, []string{"0", "60", "120", "300", "600", "900", "1800"})
	if l := spec.Learn; l != nil && l.Headroom != nil && !policy.Priced(&spec) {
		s.add("learn.headroom.risk", []string{"0.0001", "0.0003", "0.001", "0.003", "0.01", "0.03"}, func(spec *v1alpha1.WorkloadAutoscalerSpec, v string) {
			spec.Learn.Headroom.Risk = quantity(v)
		})
		s.add("learn.headroom.minPercent", []string{"0", "5", "8", "11", "15", "20"}, func(spec *v1alpha1.WorkloadAutoscalerSpec, v string) {
			spec.Learn.Headroom.MinPercent = whole(v)
		})
		s.add("learn.headroom.maxPercent", []string{"15", "20", "30", "50", "100"}, func(spec *v1alpha1.WorkloadAutoscalerSpec, v string) {
			spec.Learn.Headroom.MaxPercent = whole(v)
		})
	}
	s.minimum(peak)
	return s
}

func (s *Space) add(name string, values []string, set func(*v1alpha1.WorkloadAutoscalerSpec, string)) {
	s.knobs = append(s.knobs, knob{name: name, values: append([]string{leave}, values...), set: set})
}

// minimum offers larger minima, up to half of what the peak needs.
func (s *Space) minimum(peak int32) {
	least := *cmp.Or(s.base.Replicas.Min, new(int32(1)))
	var values []string
	for n := least + 1; n <= peak/2 && len(values) < 6; n += max(n/2, 1) {
		values = append(values, strconv.Itoa(int(n)))
	}
	if len(values) > 0 {
		s.add("replicas.min", values, func(spec *v1alpha1.WorkloadAutoscalerSpec, v string) { spec.Replicas.Min = whole(v) })
	}
}

// metric offers other targets or marks for a metric of utilization.
func (s *Space) metric(i int) {
	target, marks := bandOf(&s.base.Metrics[i])
	at := func(spec *v1alpha1.WorkloadAutoscalerSpec) (*v1alpha1.MetricTarget, *v1alpha1.Watermarks) {
		return bandOf(&spec.Metrics[i])
	}
	name := fmt.Sprintf("metrics[%d]", i)
	switch {
	case target != nil && target.AverageUtilization != nil:
		s.add(name+".target.averageUtilization", percents(40, 95), func(spec *v1alpha1.WorkloadAutoscalerSpec, v string) {
			t, _ := at(spec)
			t.AverageUtilization = whole(v)
		})
	case marks != nil && marks.Type == v1alpha1.UtilizationTarget:
		s.add(name+".watermarks.high", percents(50, 95), func(spec *v1alpha1.WorkloadAutoscalerSpec, v string) {
			_, w := at(spec)
			w.High = quantity(v)
		})
		s.add(name+".watermarks.low", percents(30, 85), func(spec *v1alpha1.WorkloadAutoscalerSpec, v string) {
			_, w := at(spec)
			w.Low = quantity(v)
		})
	}
}

// bandOf is where a metric's value should be.
func bandOf(m *v1alpha1.MetricSpec) (*v1alpha1.MetricTarget, *v1alpha1.Watermarks) {
	switch {
	case m.Resource != nil:
		return m.Resource.Target, m.Resource.Watermarks
	case m.ContainerResource != nil:
		return m.ContainerResource.Target, m.ContainerResource.Watermarks
	}
	return nil, nil
}

// direction offers other rules for a direction.
func (s *Space) direction(name string, of func(*v1alpha1.Behavior) **v1alpha1.ScalingRules, windows []string) {
	add := func(field string, values []string, set func(*v1alpha1.ScalingRules, string)) {
		s.add("behavior."+name+"."+field, values, func(spec *v1alpha1.WorkloadAutoscalerSpec, v string) {
			spec.Behavior = cmp.Or(spec.Behavior, &v1alpha1.Behavior{})
			rules := of(spec.Behavior)
			*rules = cmp.Or(*rules, &v1alpha1.ScalingRules{})
			set(*rules, v)
		})
	}
	add("tolerance", []string{"0", "0.05", "0.1", "0.15", "0.2"}, func(r *v1alpha1.ScalingRules, v string) { r.Tolerance = quantity(v) })
	add("stabilizationWindowSeconds", windows, func(r *v1alpha1.ScalingRules, v string) { r.StabilizationWindowSeconds = whole(v) })
	if s.base.Compatibility == v1alpha1.CompatibilityHPA {
		return // An HPA has none of the following.
	}
	add("limitPercent", []string{"10", "25", "50", "100"}, func(r *v1alpha1.ScalingRules, v string) { r.LimitPercent = whole(v) })
	add("forbiddenWindowSeconds", []string{"0", "30", "60", "180", "300"}, func(r *v1alpha1.ScalingRules, v string) { r.ForbiddenWindowSeconds = whole(v) })
	add("delaySeconds", []string{"0", "15", "30", "60", "120"}, func(r *v1alpha1.ScalingRules, v string) { r.DelaySeconds = whole(v) })
}

func percents(from, to int) []string {
	var out []string
	for p := from; p <= to; p += 5 {
		out = append(out, strconv.Itoa(p))
	}
	return out
}

// whole and quantity read the values of knobs, which are all of them readable.
func whole(text string) *int32 {
	n, _ := strconv.ParseInt(text, 10, 32)
	return new(int32(n))
}

func quantity(text string) *resource.Quantity {
	return new(resource.MustParse(text))
}

// spec is the base with the values of a candidate.
func (s *Space) spec(c candidate) v1alpha1.WorkloadAutoscalerSpec {
	out := s.base.DeepCopy()
	for i, k := range s.knobs {
		if v := k.values[c[i]]; v != leave {
			k.set(out, v)
		}
	}
	return *out
}

// settings are the values that a candidate changes, by name.
func (s *Space) settings(c candidate) map[string]string {
	out := map[string]string{}
	for i, k := range s.knobs {
		if v := k.values[c[i]]; v != leave {
			out[k.name] = v
		}
	}
	return out
}

func (c candidate) key() string { return fmt.Sprint([]int(c)) }

func (c candidate) clone() candidate { return slices.Clone(c) }
