package history

import "math/bits"

// rootShift is how many binary places root has.
const rootShift = 8

// root returns the square root in 256ths, rounded down. Numbers too large to
// be shifted lose the places after the point, where they no longer matter.
func root(n int64) int64 {
	if n <= 0 {
		return 0
	}
	if bits.Len64(uint64(n)) <= 63-2*rootShift {
		return int64(squareRoot(uint64(n) << (2 * rootShift)))
	}
	return int64(squareRoot(uint64(n)) << rootShift)
}

// squareRoot returns the square root rounded down, by Newton's method from
// above, where every step comes closer until the last.
func squareRoot(n uint64) uint64 {
	if n == 0 {
		return 0
	}
	guess := uint64(1) << ((bits.Len64(n) + 1) / 2)
	for {
		next := (guess + n/guess) / 2
		if next >= guess {
			return guess
		}
		guess = next
	}
}
