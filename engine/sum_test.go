package engine_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// worth is what the operands of a sum come to.
func worth(m *scale.MetricFacts) int32 {
	s := &m.Sum
	number := func(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }
	used := number(int64(s.Used))
	if m.Type == scale.Utilization && s.Shared > 0 {
		used.Mul(used, number(100_000))
	}
	assumed := number(s.Assumed)
	used.Add(used, assumed.Mul(assumed, number(int64(m.Mark()))))
	used.Mul(used, number(int64(s.Pods))).Quo(used, number(max(s.Shared, 1))).Quo(used, number(int64(m.Mark())))
	whole, rest := new(big.Int).QuoRem(used.Num(), used.Denom(), new(big.Int))
	if s.Rounded == scale.Up && rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	if s.AtLeastOne {
		whole.SetInt64(max(whole.Int64(), 1))
	}
	if !whole.IsInt64() || whole.Int64() > math.MaxInt32 {
		return math.MaxInt32
	}
	return int32(whole.Int64())
}

// TestSumsAreWhatWasComputed: the operands that a step carries lead to its count, which is
// what it asks for unless something else stood in the way. The HPA's own arithmetic is
// that of floats, and has cases of its own.
func TestSumsAreWhatWasComputed(t *testing.T) {
	seen := map[scale.Direction]int{}
	draw.Check(t, func(t *rapid.T) {
		course(t, func(p engine.Policy, _ scale.Observation, _ engine.Memory, d scale.Decision, _ engine.Memory) {
			for i := range d.Steps {
				s := &d.Steps[i]
				if s.Metric == nil || s.Metric.Sum.Rounded == scale.None || p.Horizontal.Upstream {
					continue
				}
				sum := s.Metric.Sum
				seen[sum.Rounded]++
				if got := worth(s.Metric); got != sum.Count {
					t.Fatalf("%+v comes to %d", sum, got)
				}
				switch s.Reason {
				case scale.AboveTarget, scale.BelowTarget, scale.AboveHighWatermark, scale.BelowLowWatermark:
					if s.Out.Replicas != sum.Count && (s.Out.Replicas != 1 || !p.Horizontal.Activates) {
						t.Fatalf("%+v, and %d are asked for by %s", sum, s.Out.Replicas, s.Reason)
					}
				}
			}
		})
	})
	if seen[scale.Up] == 0 || seen[scale.Down] == 0 {
		t.Errorf("sums are rounded %v", seen)
	}
}
