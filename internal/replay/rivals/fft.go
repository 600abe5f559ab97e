package rivals

import (
	"math"
	"math/cmplx"
)

// spectrum is the discrete Fourier transform of a signal, for any length, and
// fast for those that have small prime factors, such as the minutes of days.
func spectrum(x []complex128) []complex128 { return transform(x, -1) }

// signal is the inverse.
func signal(x []complex128) []complex128 {
	out := transform(x, 1)
	for i := range out {
		out[i] /= complex(float64(len(out)), 0)
	}
	return out
}

// transform cuts a signal by its smallest prime factor into parts, transforms each
// and puts them together (Cooley and Tukey).
func transform(x []complex128, sign float64) []complex128 {
	n := len(x)
	turns := make([]complex128, n)
	for k := range turns {
		turns[k] = cmplx.Rect(1, sign*2*math.Pi*float64(k)/float64(n))
	}
	out := make([]complex128, n)
	cut(out, x, 1, turns, make([]complex128, n))
	return out
}

// cut transforms every step-th value of x, as many as out holds. Turns are the
// roots of unity of the whole.
func cut(out, x []complex128, step int, turns, room []complex128) {
	n := len(out)
	if n == 1 {
		out[0] = x[0]
		return
	}
	p := smallestFactor(n)
	m := n / p
	for i := range p {
		cut(out[i*m:(i+1)*m], x[i*step:], step*p, turns, room)
	}
	copy(room, out)
	whole := len(turns)
	for k := range n {
		sum, turn, by := complex128(0), 0, k*step%whole
		for i := k % m; i < n; i += m {
			sum += room[i] * turns[turn]
			if turn += by; turn >= whole {
				turn -= whole
			}
		}
		out[k] = sum
	}
}

func smallestFactor(n int) int {
	for p := 2; p*p <= n; p++ {
		if n%p == 0 {
			return p
		}
	}
	return n
}

func complexOf(x []float64) []complex128 {
	out := make([]complex128, len(x))
	for i, v := range x {
		out[i] = complex(v, 0)
	}
	return out
}
