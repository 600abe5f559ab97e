package upstream

import (
	"math"
	"math/big"
)

// ratio is usage over target, exactly and as the float upstream makes of it.
type ratio struct {
	exact *big.Rat // nil for a fraction of nothing
	float float64
}

// newRatio divides a number by the product of others, in upstream's order.
func newRatio(num int64, dens ...int64) ratio {
	den, float := big.NewInt(1), 1.0
	for _, d := range dens {
		den.Mul(den, big.NewInt(d))
		float *= float64(d)
	}
	r := ratio{float: float64(num) / float}
	if den.Sign() != 0 {
		r.exact = new(big.Rat).SetFrac(big.NewInt(num), den)
	}
	return r
}

// ratio is a load over the target. It fails where there is nothing to divide by.
func (m *model) ratio(l demand) (ratio, bool) {
	if m.source.target.AverageUtilization == nil {
		return m.averageRatio(l), true
	}
	if l.requests == 0 {
		return ratio{}, false
	}
	if !m.on.Has(ExactShares) {
		percent := m.times(l.usage, 100) / l.requests
		if m.on.Has(SaturatedSums) {
			percent = max(math.MinInt32, min(math.MaxInt32, percent))
		}
		return newRatio(int64(int32(percent)), m.marks.target), true
	}
	num := sumOf(product(l.usage, 100), product(l.atTarget, m.marks.target))
	return exactRatio(num, product(l.requests, m.marks.target)), true
}

func (m *model) averageRatio(l demand) ratio {
	if !m.on.Has(ExactShares) {
		return newRatio(m.add(l.usage, m.times(l.atTarget, m.marks.target))/l.pods, m.marks.target)
	}
	return exactRatio(sumOf(product(l.usage, 1), product(l.atTarget, m.marks.target)), product(l.pods, m.marks.target))
}

func product(a, b int64) *big.Int  { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }
func sumOf(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

func exactRatio(num, den *big.Int) ratio {
	r := ratio{exact: new(big.Rat).SetFrac(num, den)}
	r.float, _ = r.exact.Float64()
	return r
}

// above and below tell on which side of the target a ratio is.
func (m *model) above(r ratio) bool { return m.compare(r, big.NewRat(1, 1), 1) > 0 }
func (m *model) below(r ratio) bool { return m.compare(r, big.NewRat(1, 1), 1) < 0 }

// within tells whether a ratio is within the tolerances, edges included.
func (m *model) within(r ratio) bool {
	down, up := toleranceFloats(&m.HPA)
	return m.compare(r, big.NewRat(billion-m.marks.toleranceDown, billion), 1-down) >= 0 &&
		m.compare(r, big.NewRat(billion+m.marks.toleranceUp, billion), 1+up) <= 0
}

func (m *model) compare(r ratio, exact *big.Rat, float float64) int {
	switch {
	case m.on.Has(ExactRatios) && r.exact != nil:
		return r.exact.Cmp(exact)
	case r.float > float:
		return 1
	case r.float == float:
		return 0
	}
	return -1
}

// ceil multiplies a ratio by a count and rounds up. Upstream checks some of
// its counts against the largest, but not all.
func (m *model) ceil(r ratio, n int64, checked bool) int32 {
	if m.on.Has(ExactRatios) && r.exact != nil {
		product := new(big.Rat).Mul(r.exact, new(big.Rat).SetInt64(n))
		q, rest := new(big.Int).DivMod(product.Num(), product.Denom(), new(big.Int))
		if rest.Sign() > 0 {
			q.Add(q, big.NewInt(1))
		}
		if q.IsInt64() {
			return int32(max(math.MinInt32, min(math.MaxInt32, q.Int64())))
		}
		return int32(max(math.MinInt32, min(math.MaxInt32, int64(q.Sign())*math.MaxInt64)))
	}
	f := math.Ceil(r.float * float64(n))
	switch {
	case f > math.MaxInt32 && (checked || m.on.Has(SaturatedSums)):
		return math.MaxInt32
	case f < math.MinInt32 && m.on.Has(SaturatedSums):
		return math.MinInt32
	}
	m.outOfRange = m.outOfRange || math.Abs(f) > math.MaxInt32
	return int32(f)
}

// add adds, and times multiplies, saturating where that is switched on.
func (m *model) add(a, b int64) int64   { return m.inRange(a+b, sumOf(big.NewInt(a), big.NewInt(b))) }
func (m *model) times(a, b int64) int64 { return m.inRange(a*b, product(a, b)) }

// inRange returns a wrapped result, or the end of the range it has left.
func (m *model) inRange(wrapped int64, exact *big.Int) int64 {
	switch {
	case exact.IsInt64():
	case !m.on.Has(SaturatedSums):
		m.outOfRange = true
	case exact.Sign() < 0:
		return math.MinInt64
	default:
		return math.MaxInt64
	}
	return wrapped
}
