package rivals

import (
	"math"
	"math/cmplx"
)

// periodOf finds the period of a signal as Crane does: a frequency that has more
// power than chance would give it is a hint, and a hint counts that is a peak of
// the autocorrelation; the highest peak wins. 0 is no period.
//
// Crane finds out what chance gives by shuffling the signal a hundred times and
// taking the second largest of the strongest powers. Here it is the value that a
// hundredth of shuffled signals exceed: the power of each frequency is then spread
// exponentially around the variance.
func periodOf(x []float64) int {
	n := len(x)
	mean, variance := moments(x)
	if variance <= 0 {
		return 0
	}
	powers := spectrum(complexOf(x))
	most := chance(float64(n), variance)
	standard := make([]float64, n)
	for i := range x {
		standard[i] = (x[i] - mean) / math.Sqrt(variance)
	}
	alike := autocorrelation(standard)
	best, highest, before := 0, 0.0, n+1
	for k := 2; k < n/2; k++ {
		hint := n / k
		if cmplx.Abs(powers[k]) <= most || hint >= before {
			continue
		}
		before = hint
		if alike[hint] > highest && isPeak(alike, hint, min(peakSearch, hint/2)) {
			best, highest = hint, alike[hint]
		}
	}
	return best
}

// chance is the strongest power that 99 of 100 signals of n samples have which are
// nothing but noise.
func chance(n, variance float64) float64 {
	return math.Sqrt(-n * variance * math.Log(-math.Expm1(math.Log(0.99)*2/n)))
}

// peakSearch is how far around a hint a peak may lie: four hours of minutes.
const peakSearch = 4 * 60

func moments(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	return mean, variance
}

// autocorrelation is how alike a signal and itself are, by the lag, going round.
func autocorrelation(x []float64) []float64 {
	f := spectrum(complexOf(x))
	for i := range f {
		f[i] = complex(real(f[i])*real(f[i])+imag(f[i])*imag(f[i]), 0)
	}
	out := make([]float64, len(x))
	for i, v := range signal(f) {
		out[i] = real(v) / float64(len(x))
	}
	return out
}

// isPeak tells whether a line through what is before a place rises, and one through
// what is after it falls.
func isPeak(x []float64, at, reach int) bool {
	from, to := max(at-reach, 0), min(at+reach, len(x)-1)
	return at > from && at < to && slope(x[from:at+1]) > 0 && slope(x[at:to+1]) < 0
}

// slope is that of the line of least squares.
func slope(y []float64) float64 {
	mean, _ := moments(y)
	middle, sum := float64(len(y)-1)/2, 0.0
	for i, v := range y {
		sum += (float64(i) - middle) * (v - mean)
	}
	return sum
}
