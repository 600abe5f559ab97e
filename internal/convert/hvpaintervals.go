package convert

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

type hvpaInterval struct {
	MaxReplicas   *int32     `json:"maxReplicas"`
	MaxResources  quantities `json:"maxResources"`
	Extrapolation string     `json:"effectiveIntervalExtrapolation"`
}

// hvpaShares are amounts by the name of their resource.
type hvpaShares map[string]struct {
	Value      *resource.Quantity `json:"value"`
	Percentage *int32             `json:"percentage"`
}

// hvpaIntervals carries the intervals of HVPA-EP-0001 and what belongs to
// them.
func (d *draft) hvpaIntervals(s *hvpaSpec) {
	const gap = "spec.limitsRequestsGapScaleParams"
	if len(s.ScalingIntervals) == 0 {
		const why = "needs scalingIntervals: without them limits keep their ratio to requests"
		d.drop(gap, why)
		d.drop("spec.vpa.limitsRequestsGapScaleParams", why)
		d.leave("spec.scalingIntervalsOverlap", "there are no scalingIntervals that could overlap")
		d.leave("spec.baseResourcesPerReplica", "needs scalingIntervals")
		return
	}
	out := &v1alpha1.Intervals{
		Overlap:        d.shares("spec.scalingIntervalsOverlap", "spec.intervals.overlap", s.ScalingIntervalsOverlap),
		BasePerReplica: d.shares("spec.baseResourcesPerReplica", "spec.intervals.basePerReplica", s.BaseResourcesPerReplica),
	}
	for i, r := range s.ScalingIntervals {
		from, to := fault.Path("spec.scalingIntervals").Index(i), fault.Path("spec.intervals.ranges").Index(i)
		d.carry(from, to)
		out.Ranges = append(out.Ranges, v1alpha1.IntervalRange{
			MaxReplicas: r.MaxReplicas, MaxResources: d.cpuAndMemory(from.Field("maxResources"), r.MaxResources),
			Extrapolation: d.extrapolation(from.Field("effectiveIntervalExtrapolation"), to, r.Extrapolation),
		})
	}
	d.out.Spec.Intervals = out
	d.hvpaGap(gap, s.LimitsRequestsGap)
	if s.VPA != nil {
		d.hvpaGap("spec.vpa.limitsRequestsGapScaleParams", s.VPA.LimitsRequestsGap)
	}
}

func (d *draft) extrapolation(from, to fault.Path, word string) v1alpha1.Extrapolation {
	words := map[string]v1alpha1.Extrapolation{
		"linear": v1alpha1.ExtrapolationLinear, "horizontalOnly": v1alpha1.ExtrapolationHorizontalOnly,
		"logarithmic": v1alpha1.ExtrapolationLogarithmic, "exponential": v1alpha1.ExtrapolationExponential,
	}
	if known, ok := words[word]; ok {
		d.carry(from, to.Field("extrapolation"))
		return known
	}
	d.drop(from, "%q is not known: the range is divided linearly", word)
	return ""
}

func (d *draft) cpuAndMemory(from fault.Path, in quantities) map[string]resource.Quantity {
	d.onlyCPUAndMemory(from, in)
	out := map[string]resource.Quantity{}
	for _, name := range []string{"cpu", "memory"} {
		if q, ok := in[name]; ok {
			out[name] = q
		}
	}
	return out
}

// shares carries amounts and percentages of cpu and memory.
func (d *draft) shares(from, to fault.Path, in hvpaShares) map[string]v1alpha1.ChangeParams {
	var out map[string]v1alpha1.ChangeParams
	for name, share := range in {
		at := child(from, name)
		switch {
		case name != "cpu" && name != "memory":
			d.drop(at, "only cpu and memory have totals")
		case share.Value == nil && share.Percentage == nil:
			d.drop(at, "states neither a value nor a percentage")
		default:
			if out == nil {
				out = map[string]v1alpha1.ChangeParams{}
			}
			d.carry(at, to.Field(name))
			out[name] = v1alpha1.ChangeParams{Value: share.Value, Percentage: share.Percentage}
		}
	}
	return out
}

// hvpaGap carries the gap between requests and limits to every container that
// lets its limits be changed.
func (d *draft) hvpaGap(from fault.Path, in hvpaShares) {
	gap := d.shares(from, "spec.containers[*].limitsGap", in)
	if gap == nil {
		return
	}
	if len(d.out.Spec.Containers) == 0 {
		d.out.Spec.Containers = []v1alpha1.ContainerPolicy{{Name: "*"}}
	}
	for i := range d.out.Spec.Containers {
		if d.out.Spec.Containers[i].ControlledValues != v1alpha1.ControlledRequestsOnly {
			d.out.Spec.Containers[i].LimitsGap = gap
		}
	}
}
