package seeded

import "testing"

// TestNormal: mean 0, variance 1, and a normal share beyond one and two standard
// deviations (31.7 and 4.55 %).
func TestNormal(t *testing.T) {
	const n = 100_000
	sum, squares, beyond1, beyond2 := 0.0, 0.0, 0, 0
	for i := range uint64(n) {
		x := float64(Normal(7, 3, i)) / 1e9
		sum, squares = sum+x, squares+x*x
		if x > 1 || x < -1 {
			beyond1++
		}
		if x > 2 || x < -2 {
			beyond2++
		}
	}
	if mean, variance := sum/n, squares/n; mean < -0.01 || mean > 0.01 || variance < 0.99 || variance > 1.01 {
		t.Errorf("mean %f, variance %f", mean, variance)
	}
	if beyond1 < 31_000 || beyond1 > 33_000 || beyond2 < 4_200 || beyond2 > 4_800 {
		t.Errorf("of %d, %d are beyond one and %d beyond two", n, beyond1, beyond2)
	}
	if one := Normal(1, 2); one == Normal(2, 2) || one == Normal(1, 3) || one != Normal(1, 2) {
		t.Error("it should depend on the seed and on what it is for, and on nothing else")
	}
}
