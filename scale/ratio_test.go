package scale

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
)

func ratioOf(a, b, den Product) *big.Rat {
	num := new(big.Int).Mul(big.NewInt(a[0]), big.NewInt(a[1]))
	num.Add(num, new(big.Int).Mul(big.NewInt(b[0]), big.NewInt(b[1])))
	return new(big.Rat).SetFrac(num, new(big.Int).Mul(big.NewInt(den[0]), big.NewInt(den[1])))
}

// numbers are spread over every magnitude, or overflow would never be met.
func numbers(least int64) *rapid.Generator[int64] {
	return rapid.Custom(func(t *rapid.T) int64 {
		return max(least, rapid.Int64Range(0, math.MaxInt64).Draw(t, "number")>>rapid.IntRange(0, 62).Draw(t, "shift"))
	})
}

// TestRatioIsExact compares with arbitrary-precision arithmetic.
func TestRatioIsExact(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		product := func(least int64) Product { return Product{numbers(least).Draw(t, "a"), numbers(least).Draw(t, "b")} }
		a, b, den := product(0), product(0), product(1)
		n := rapid.Int32Range(0, math.MaxInt32).Draw(t, "n")
		parts := numbers(0).Draw(t, "parts")
		got, want := NewRatio(a, b, den), ratioOf(a, b, den)

		if g, w := got.Cmp(parts), want.Cmp(big.NewRat(parts, Parts)); g != w {
			t.Fatalf("(%v + %v) / %v compared with %d parts: got %d, want %d", a, b, den, parts, g, w)
		}
		times := new(big.Rat).Mul(want, new(big.Rat).SetInt64(int64(n)))
		floor := new(big.Int).Div(times.Num(), times.Denom())
		ceil := new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(times.Num()), times.Denom()))
		if g, w := got.Floor(n), saturated(floor, math.MaxInt32); int64(g) != w {
			t.Fatalf("floor of (%v + %v) / %v × %d: got %d, want %d", a, b, den, n, g, w)
		}
		if g, w := got.Ceil(n), saturated(ceil, math.MaxInt32); int64(g) != w {
			t.Fatalf("ceil of (%v + %v) / %v × %d: got %d, want %d", a, b, den, n, g, w)
		}
		whole := new(big.Int).Div(want.Num(), want.Denom())
		if g, w := int64(got.Amount()), saturated(whole, math.MaxInt64); g != w {
			t.Fatalf("(%v + %v) / %v: got %d, want %d", a, b, den, g, w)
		}
	})
}

func saturated(n *big.Int, most int64) int64 {
	if n.Cmp(big.NewInt(most)) > 0 {
		return most
	}
	return n.Int64()
}

func TestRatioOfNothing(t *testing.T) {
	r := NewRatio(Product{1, 1}, Product{}, Product{0, 5})
	if r.Ceil(1) != math.MaxInt32 || r.Amount() != MaxAmount || r.Cmp(Parts) <= 0 {
		t.Errorf("a fraction of nothing must be larger than everything")
	}
}

// TestShareIsExact compares with arbitrary-precision arithmetic.
func TestShareIsExact(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		a, by, of := numbers(0).Draw(t, "amount"), numbers(0).Draw(t, "by"), numbers(1).Draw(t, "of")
		r := ratioOf(Product{a, by}, Product{}, Product{of, 1})
		ceil := new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(r.Num()), r.Denom()))
		if got, want := int64(Amount(a).Share(by, of)), saturated(ceil, math.MaxInt64); got != want {
			t.Fatalf("%d × %d / %d: got %d, want %d", a, by, of, got, want)
		}
	})
}
