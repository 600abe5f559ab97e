package upstream

import (
	"math"
	"math/bits"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
)

// billion is one in the units of a tolerance.
const billion = 1_000_000_000

// marks are the places around a target where rounding and tolerances decide.
type marks struct {
	toleranceUp, toleranceDown int64 // in billionths
	target                     int64 // in thousandths, or percent
}

func marksOf(hpa *autoscalingv2.HorizontalPodAutoscalerSpec, m *autoscalingv2.MetricSpec) marks {
	k := marks{toleranceUp: billion / 10, toleranceDown: billion / 10}
	if b := hpa.Behavior; b != nil {
		k.toleranceUp = billionths(b.ScaleUp, k.toleranceUp)
		k.toleranceDown = billionths(b.ScaleDown, k.toleranceDown)
	}
	switch t := sourceOf(m).target; {
	case t.AverageUtilization != nil:
		k.target = int64(*t.AverageUtilization)
	case t.AverageValue != nil:
		k.target = t.AverageValue.MilliValue()
	default:
		k.target = t.Value.MilliValue()
	}
	return k
}

func billionths(r *autoscalingv2.HPAScalingRules, unset int64) int64 {
	if r == nil || r.Tolerance == nil {
		return unset
	}
	return r.Tolerance.ScaledValue(resource.Nano)
}

// around rolls a value near the places where a decision turns, when goal is
// the value that hits the target exactly.
func (d *Dice) around(goal int64, k marks) int64 {
	switch d.Below(10) {
	case 0:
		return goal
	case 1:
		return goal + d.Between(-2, 2)
	case 2:
		return scaled(goal, billion+k.toleranceUp, billion) + d.Between(-1, 1)
	case 3:
		return scaled(goal, max(0, billion-k.toleranceDown), billion) + d.Between(-1, 1)
	case 4:
		return scaled(goal, d.Between(1, 40), d.Between(1, 20))
	case 5:
		return 0
	case 6:
		return scaled(goal, d.Between(80, 120), 100)
	default:
		return d.Upto(saturated(goal, 3))
	}
}

// large rolls a value near the end of some range.
func (d *Dice) large() int64 {
	return Of(d, math.MaxInt32-1, math.MaxInt32, math.MaxInt32+1, math.MaxInt64, math.MaxInt64/2,
		math.MaxInt64/100, math.MaxInt64/100+1, d.Upto(math.MaxInt64), d.Upto(1_000_000_000_000_000))
}

// scaled returns n × num / den, rounded down and saturated.
func scaled(n, num, den int64) int64 {
	hi, lo := bits.Mul64(uint64(max(n, 0)), uint64(num))
	if hi >= uint64(den) {
		return math.MaxInt64 / 4
	}
	q, _ := bits.Div64(hi, lo, uint64(den))
	return int64(min(q, math.MaxInt64/4))
}

func saturated(n, times int64) int64 { return scaled(n, times, 1) }
