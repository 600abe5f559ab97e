package plot

import (
	"math"
	"strconv"
	"strings"
)

// ticks returns the multiples of a step from low to high.
func ticks(low, high, step float64) []float64 {
	first, last := math.Ceil(low/step-slack), math.Floor(high/step+slack)
	var out []float64
	for i := first; i <= last; i++ {
		out = append(out, i*step)
	}
	return out
}

// slack forgives the last bits of a division.
const slack = 1e-9

// niceStep is the smallest step, not below the least, that is easy to count in:
// 1, 2 or 5 of some power of ten, or a power of two where the unit is binary.
func niceStep(least float64, unit Unit) float64 {
	if unit == GiB {
		return math.Pow(2, math.Ceil(math.Log2(least)-slack))
	}
	power := math.Pow(10, math.Floor(math.Log10(least)+slack))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= least*(1-slack) {
			return factor * power
		}
	}
	return 10 * power
}

// label writes a number along an axis.
func (u Unit) label(v float64) string {
	size := math.Abs(v)
	switch {
	case u == Cores && size > 0 && size < 1:
		return decimal(v*1000) + "m"
	case u == GiB && size > 0 && size < 1:
		return decimal(v*1024) + "Mi"
	case u == GiB && size > 0:
		return decimal(v) + "Gi"
	}
	return decimal(v)
}

// decimal writes a number with three decimals at most.
func decimal(v float64) string { return rounded(v, 3) }

// rounded writes a number with so many decimals at most.
func rounded(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}
