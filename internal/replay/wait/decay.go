package wait

// one is 1 in the fixed point that decay computes in.
const one = 1 << 32

// ln2 is the natural logarithm of 2 in that fixed point.
const ln2 = 2977044472

// reciprocals of 1 to 10 in that fixed point.
var reciprocals = func() (out [11]uint64) {
	for k := 1; k < len(out); k++ {
		out[k] = one / uint64(k)
	}
	return out
}()

// decay is e to the power of −x, both in billionths. Beyond 22 nothing is left.
func decay(x int64) int64 {
	if x <= 0 {
		return parts
	}
	if x > 22*parts {
		return 0
	}
	fixed := uint64(x) * (one / 512) / (parts / 512) // 22 × 10⁹ × 2²³ fits into 64 bits.
	halvings := fixed / ln2
	rest := fixed - halvings*ln2
	// The series of the exponential function, from its far end: the rest is below
	// 0.7, so ten terms are exact to the last digit.
	sum := uint64(one)
	for k := len(reciprocals) - 1; k > 0; k-- {
		sum = one - (rest*reciprocals[k]>>32)*sum>>32
	}
	return int64((sum>>halvings*parts + one/2) >> 32)
}

// evenly is (1 − e to the power of −x) / x, in billionths: how much is left on
// average of what decays.
func evenly(x, left int64) int64 {
	if x < parts/100 {
		return parts - x/2 + x*x/parts/6
	}
	return timesOver(parts-left, parts, x)
}
