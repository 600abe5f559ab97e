package interval

import (
	"math/big"

	"github.com/tidemark/tidemark/scale"
)

// Range is one range of a spec: up to so many replicas, up to so much per pod.
type Range struct {
	MaxReplicas   int32
	MaxResources  scale.Resources
	Extrapolation Extrapolation
}

// Extrapolation is how a range of several counts is divided among them.
type Extrapolation uint8

// The extrapolations. Linear divides the totals equally. HorizontalOnly keeps
// the pods at their size. Logarithmic divides so that each count's total is
// the same multiple of the one before; Exponential is its mirror image: the
// first counts get the large parts.
const (
	Linear Extrapolation = iota
	HorizontalOnly
	Logarithmic
	Exponential
)

// Fault is what is wrong with a range.
type Fault struct {
	Range    int
	Resource scale.Resource
	Message  string
}

// Compile computes the effective intervals for the counts from first on.
// Ranges that end below first are left out. overlap is how far below an
// interval's lower edge a total must fall before the count steps in.
func Compile(first int32, ranges []Range, overlap scale.Shares) (Table, []Fault) {
	t := Table{First: first}
	var faults []Fault
	for i, rg := range ranges {
		count := rg.MaxReplicas - t.First - int32(len(t.Rows)) + 1
		if count <= 0 {
			continue
		}
		rows := make([]Row, count)
		for _, res := range scale.EveryResource {
			perPod, ok := rg.MaxResources.Get(res)
			if !ok {
				continue
			}
			lower := scale.Amount(0)
			if n := len(t.Rows); n > 0 {
				lower = t.Rows[n-1].Edges[res].Max
			}
			if message := divide(rows, res, span{lower, perPod, rg.MaxReplicas}, rg.Extrapolation); message != "" {
				faults = append(faults, Fault{i, res, message})
			}
		}
		t.Rows = append(t.Rows, rows...)
	}
	if len(faults) == 0 {
		t.stepIn(overlap)
	}
	return t, faults
}

// span is the range of totals one range adds.
type span struct {
	lower  scale.Amount
	perPod scale.Amount
	last   int32
}

// divide fills in the totals of a range's rows for one resource, or says why
// it cannot.
func divide(rows []Row, res scale.Resource, s span, by Extrapolation) string {
	upper := s.perPod.Times(int64(s.last))
	if upper <= s.lower {
		return "must leave a larger total than the range before"
	}
	if by == Logarithmic || by == Exponential {
		if s.lower == 0 && len(rows) > 1 {
			return "cannot be extrapolated by proportion from nothing: put a range before it, or use Linear"
		}
	}
	n := len(rows)
	for k := range rows {
		e := &rows[k].Edges[res]
		e.Known, e.PerPod = true, s.perPod
		switch by {
		case Linear:
			e.Max = s.lower + (upper-s.lower).Share(int64(k+1), int64(n))
		case HorizontalOnly:
			rows[k].Pinned = true
			e.Max = s.perPod.Times(int64(s.last) - int64(n-1-k))
			if e.Max <= s.lower {
				return "must leave a larger total than the range before"
			}
		case Logarithmic:
			e.Max = geometric(s.lower, upper, k+1, n)
		case Exponential:
			e.Max = s.lower + upper - geometric(s.lower, upper, n-k-1, n)
		}
	}
	return ""
}

// geometric returns the k-th of n equal steps from a to b in proportion: the
// largest x with x^n <= a^(n-k) × b^k. It is exact, and slow, and done once.
func geometric(a, b scale.Amount, k, n int) scale.Amount {
	if k == n {
		return b
	}
	power := func(base scale.Amount, exponent int) *big.Int {
		return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(exponent)), nil)
	}
	bound := new(big.Int).Mul(power(a, n-k), power(b, k))
	low, high := a, b
	for low < high {
		mid := low + (high-low+1)/2
		if power(mid, n).Cmp(bound) <= 0 {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}

// stepIn computes where each count gives way to a smaller one.
func (t *Table) stepIn(overlap scale.Shares) {
	for _, res := range scale.EveryResource {
		for i := range t.Rows {
			e := &t.Rows[i].Edges[res]
			if i == 0 {
				e.In = -1
				continue
			}
			lower := t.Rows[i-1].Edges[res].Max
			e.In = max(0, lower-overlap[res].Of(lower))
		}
	}
}
