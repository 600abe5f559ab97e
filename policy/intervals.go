package policy

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// Bounds of the effective intervals: every count has a row of its own, and
// rows in proportion take arithmetic with numbers as long as the range.
const (
	maxIntervalReplicas   = 10_000
	maxProportionalCounts = 100
)

// intervals compiles the total-resource intervals, if there are any.
func (c *compiler) intervals(bounds *limit.Rules) *interval.Rules {
	spec := c.spec.Intervals
	if spec == nil {
		return nil
	}
	if bounds.Min < 1 {
		c.faults.Add("replicas.min", "must be at least 1 with intervals: no total needs no pods")
		return nil
	}
	r := &interval.Rules{Unadvised: c.unadvised(), Base: c.shares("intervals.basePerReplica", spec.BasePerReplica)}
	r.Containers, r.Default = c.containers()
	if !c.contiguous(spec.Ranges) {
		return r
	}
	ranges := c.ranges(r)
	last := ranges[len(ranges)-1].MaxReplicas
	at := fault.Path("intervals.ranges").Index(len(ranges) - 1).Field("maxReplicas")
	if last > bounds.Max {
		c.faults.Add(at, "must not be above replicas.max: %d > %d", last, bounds.Max)
	}
	if last < bounds.Min {
		c.faults.Add(at, "must not be below replicas.min: %d < %d", last, bounds.Min)
	}
	if len(c.faults) > 0 {
		return r
	}
	var faults []interval.Fault
	r.Table, faults = interval.Compile(bounds.Min, ranges, c.shares("intervals.overlap", spec.Overlap))
	for _, f := range faults {
		c.faults.Add(fault.Path("intervals.ranges").Index(f.Range).Field("maxResources").Field(f.Resource.String()), "%s", f.Message)
	}
	return r
}

// contiguous checks that each range goes on where the one before ends.
func (c *compiler) contiguous(ranges []v1alpha1.IntervalRange) bool {
	if len(ranges) == 0 {
		c.faults.Add("intervals.ranges", "must not be empty: state up to how many replicas, and how big each may get")
		return false
	}
	before, found := int32(0), len(c.faults)
	for i, rg := range ranges {
		path := fault.Path("intervals.ranges").Index(i)
		next := c.maxReplicas(i)
		switch {
		case next == nil:
			c.faults.Add(path.Field("maxReplicas"), "is required: only the last range may leave it to replicas.max")
			continue
		case *next <= before:
			c.faults.Add(path.Field("maxReplicas"), "must be above the range before: %d is not above %d", *next, before)
		case *next > maxIntervalReplicas:
			c.faults.Add(path.Field("maxReplicas"), "must be at most %d with intervals, got %d", maxIntervalReplicas, *next)
		case proportional(rg.Extrapolation) && *next-before > maxProportionalCounts:
			c.faults.Add(path.Field("extrapolation"), "%s divides at most %d replica counts, this range has %d", rg.Extrapolation, maxProportionalCounts, *next-before)
		}
		if rg.Extrapolation != "" {
			oneOf(c, path.Field("extrapolation"), rg.Extrapolation, v1alpha1.ExtrapolationLinear, v1alpha1.ExtrapolationHorizontalOnly,
				v1alpha1.ExtrapolationLogarithmic, v1alpha1.ExtrapolationExponential)
		}
		before = *next
	}
	return len(c.faults) == found
}

func proportional(e v1alpha1.Extrapolation) bool {
	return e == v1alpha1.ExtrapolationLogarithmic || e == v1alpha1.ExtrapolationExponential
}

// maxReplicas of a range; the last one may leave it to replicas.max.
func (c *compiler) maxReplicas(i int) *int32 {
	if n := c.spec.Intervals.Ranges[i].MaxReplicas; n != nil || i < len(c.spec.Intervals.Ranges)-1 {
		return n
	}
	return c.spec.Replicas.Max
}

// ranges reads the ranges. A resource that a range leaves out is bounded by
// the containers' maxima; one that is bounded nowhere has no say.
func (c *compiler) ranges(r *interval.Rules) []interval.Range {
	out := make([]interval.Range, len(c.spec.Intervals.Ranges))
	for i, rg := range c.spec.Intervals.Ranges {
		path := fault.Path("intervals.ranges").Index(i).Field("maxResources")
		out[i] = interval.Range{MaxReplicas: *c.maxReplicas(i), MaxResources: c.resources(path, rg.MaxResources), Extrapolation: extrapolations[rg.Extrapolation]}
		for _, res := range scale.EveryResource {
			if _, ok := out[i].MaxResources.Get(res); ok {
				continue
			}
			if most := largestMax(r, res); most > 0 {
				out[i].MaxResources = out[i].MaxResources.With(res, most)
			}
		}
	}
	if out[0].MaxResources.Empty() {
		c.faults.Add("intervals.ranges[0].maxResources", "must state cpu, memory or both: without them no total has a count")
	}
	for _, res := range scale.EveryResource {
		_, first := out[0].MaxResources.Get(res)
		for i := range out {
			if _, ok := out[i].MaxResources.Get(res); ok != first {
				c.faults.Add(fault.Path("intervals.ranges").Index(i).Field("maxResources").Field(res.String()),
					"must be stated in every range or in none: a range without it has no end")
			}
		}
	}
	return out
}

var extrapolations = map[v1alpha1.Extrapolation]interval.Extrapolation{
	"":                                   interval.Linear,
	v1alpha1.ExtrapolationLinear:         interval.Linear,
	v1alpha1.ExtrapolationHorizontalOnly: interval.HorizontalOnly,
	v1alpha1.ExtrapolationLogarithmic:    interval.Logarithmic,
	v1alpha1.ExtrapolationExponential:    interval.Exponential,
}

func largestMax(r *interval.Rules, res scale.Resource) scale.Amount {
	most := r.Default.Resources[res].Max
	for i := range r.Containers {
		most = max(most, r.Containers[i].Resources[res].Max)
	}
	return most
}

// resources reads quantities by resource name; each must be above 0.
func (c *compiler) resources(path fault.Path, in map[string]resource.Quantity) scale.Resources {
	var out scale.Resources
	for name, q := range in {
		out = out.With(c.resource(path.Field(name), name), c.mark(path.Field(name), q))
	}
	return out
}

// shares reads amounts and percentages by resource name.
func (c *compiler) shares(path fault.Path, in map[string]v1alpha1.ChangeParams) scale.Shares {
	var out scale.Shares
	for name, p := range in {
		at := path.Field(name)
		out[c.resource(at, name)] = c.share(at, p)
	}
	return out
}

// share reads an amount, a percentage or both.
func (c *compiler) share(path fault.Path, p v1alpha1.ChangeParams) scale.Share {
	var out scale.Share
	if p.Value == nil && p.Percentage == nil {
		c.faults.Add(path, "needs a value, a percentage or both")
	}
	if p.Value != nil {
		out.Value = c.amount(path.Field("value"), *p.Value)
	}
	if p.Percentage != nil {
		if out.Percent = *p.Percentage; out.Percent < 0 || out.Percent > 1000 {
			c.faults.Add(path.Field("percentage"), "must be between 0 and 1000, got %d", out.Percent)
		}
	}
	return out
}

// amount reads a quantity that must not be negative.
func (c *compiler) amount(path fault.Path, q resource.Quantity) scale.Amount {
	a, err := scale.ParseAmount(q.String())
	switch {
	case err != nil:
		c.faults.Add(path, "%s %v", q.String(), err)
	case a < 0:
		c.faults.Add(path, "must not be negative, got %s", q.String())
	}
	return a
}
