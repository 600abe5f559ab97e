package scale

import (
	"cmp"
	"math"
	"math/bits"
)

// Ratio is an exact non-negative fraction, such as usage over target. Its
// parts are wide enough for any product of the numbers a policy may hold. A
// fraction of nothing counts as larger than everything.
type Ratio struct {
	num, den wide
}

// Product is a product of two numbers, kept apart so that it cannot overflow.
type Product [2]int64

// NewRatio returns (a + b) / den. Negative numbers count as zero: callers
// refuse them before they get here.
func NewRatio(a, b, den Product) Ratio {
	return Ratio{num: a.wide().add(b.wide()), den: den.wide()}
}

func (p Product) wide() wide {
	hi, lo := bits.Mul64(clip(p[0]), clip(p[1]))
	return wide{lo, hi}
}

func clip(n int64) uint64 { return uint64(max(n, 0)) }

// Parts is how many parts one whole has in a tolerance: a tolerance is given
// in billionths, the finest step a Kubernetes quantity can express.
const Parts = 1_000_000_000

// Cmp compares the ratio with parts/Parts.
func (r Ratio) Cmp(parts int64) int {
	if r.small() {
		return cmp128(r.num[0], Parts, r.den[0], clip(parts))
	}
	return r.num.times(Parts).cmp(r.den.times(clip(parts)))
}

// small tells whether both parts fit in 64 bits, as those of nearly every
// workload do: then the machine's own arithmetic is exact and much faster.
func (r Ratio) small() bool { return r.num[1]|r.num[2]|r.num[3]|r.den[1]|r.den[2]|r.den[3] == 0 }

// cmp128 compares a × b with c × d.
func cmp128(a, b, c, d uint64) int {
	hi1, lo1 := bits.Mul64(a, b)
	hi2, lo2 := bits.Mul64(c, d)
	return cmp.Or(cmp.Compare(hi1, hi2), cmp.Compare(lo1, lo2))
}

// Ceil returns the ratio times n, rounded up, saturating at MaxInt32.
func (r Ratio) Ceil(n int32) int32 { return r.round(n, 1) }

// Floor returns the ratio times n, rounded down, saturating at MaxInt32.
func (r Ratio) Floor(n int32) int32 { return r.round(n, 0) }

func (r Ratio) round(n int32, up uint64) int32 {
	if r.den == (wide{}) {
		return math.MaxInt32
	}
	if hi, lo := bits.Mul64(r.num[0], clip(int64(n))); r.small() && hi < r.den[0] {
		q, rest := bits.Div64(hi, lo, r.den[0])
		if rest != 0 && q < math.MaxInt32 {
			q += up
		}
		return int32(min(q, math.MaxInt32))
	}
	q, exact := r.num.times(clip(int64(n))).div(r.den)
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
func (r Ratio) Amount() Amount { return r.amount(0) }

// AmountUp is Amount rounded up.
func (r Ratio) AmountUp() Amount { return r.amount(1) }

func (r Ratio) amount(up uint64) Amount {
	if r.den == (wide{}) {
		return MaxAmount
	}
	q, exact := r.num.div(r.den)
	if !exact {
		q = q.add(wideOf(up))
	}
	if q.cmp(wideOf(uint64(MaxAmount))) > 0 {
		return MaxAmount
	}
	return Amount(q[0])
}

// Share returns a × by / of, rounded up and saturated.
func (a Amount) Share(by, of int64) Amount {
	if hi, lo := bits.Mul64(clip(int64(a)), clip(by)); hi == 0 && of > 0 && lo < uint64(MaxAmount) {
		q, rest := lo/uint64(of), lo%uint64(of)
		if rest != 0 {
			q++
		}
		return Amount(q)
	}
	return NewRatio(Product{int64(a), by}, Product{}, Product{of, 1}).AmountUp()
}
