package scale

import "math"

// Ratio is an exact non-negative fraction, such as usage over target. Its
// parts are wide enough that no product of the numbers a policy may hold can
// overflow; a product that still does counts as larger than everything.
type Ratio struct {
	num, den wide
	infinite bool
}

// NewRatio returns the product of num over the product of den. Negative
// numbers count as zero: callers refuse them before they get here.
func NewRatio(num, den [3]int64) Ratio {
	n, okN := product(clip(num[0]), clip(num[1]), clip(num[2]))
	d, okD := product(clip(den[0]), clip(den[1]), clip(den[2]))
	return Ratio{num: n, den: d, infinite: !okN || !okD}
}

func clip(n int64) uint64 { return uint64(max(n, 0)) }

// Parts is how many parts one whole has in a tolerance: a tolerance is given
// in billionths, the finest step a Kubernetes quantity can express.
const Parts = 1_000_000_000

// Cmp compares the ratio with parts/Parts.
func (r Ratio) Cmp(parts int64) int {
	left, okL := r.num.mul(Parts)
	right, okR := r.den.mul(clip(parts))
	switch {
	case r.infinite || !okL:
		return 1
	case !okR:
		return -1
	}
	return left.cmp(right)
}

// Ceil returns the ratio times n, rounded up, saturating at MaxInt32.
func (r Ratio) Ceil(n int32) int32 { return r.round(n, 1) }

// Floor returns the ratio times n, rounded down, saturating at MaxInt32.
func (r Ratio) Floor(n int32) int32 { return r.round(n, 0) }

func (r Ratio) round(n int32, up uint64) int32 {
	num, ok := r.num.mul(clip(int64(n)))
	if r.infinite || !ok || r.den == (wide{}) {
		return math.MaxInt32
	}
	q, exact := num.div(r.den)
	if !exact {
		q = q.add(wideOf(up))
	}
	if q.cmp(wideOf(math.MaxInt32)) > 0 {
		return math.MaxInt32
	}
	return int32(q[0])
}

// Amount returns the ratio times one thousandth, rounded down and saturated:
// the value to show to a person.
func (r Ratio) Amount() Amount {
	if r.infinite || r.den == (wide{}) {
		return MaxAmount
	}
	q, _ := r.num.div(r.den)
	if q.cmp(wideOf(uint64(MaxAmount))) > 0 {
		return MaxAmount
	}
	return Amount(q[0])
}
