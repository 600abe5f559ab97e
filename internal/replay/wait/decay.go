package wait

// one is 1 in the fixed point that decay computes in.
const one = 1 << 32

// ln2 is the natural logarithm of 2 in that fixed point.
const ln2 = 2977044472

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
	sum := uint64(one) - rest*(one/10)>>32
	sum = one - (rest*(one/9)>>32)*sum>>32
	sum = one - (rest*(one/8)>>32)*sum>>32
	sum = one - (rest*(one/7)>>32)*sum>>32
	sum = one - (rest*(one/6)>>32)*sum>>32
	sum = one - (rest*(one/5)>>32)*sum>>32
	sum = one - (rest*(one/4)>>32)*sum>>32
	sum = one - (rest*(one/3)>>32)*sum>>32
	sum = one - (rest*(one/2)>>32)*sum>>32
	sum = one - rest*sum>>32
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
