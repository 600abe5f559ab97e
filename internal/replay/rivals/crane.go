package rivals

import (
	"math"
	"math/cmplx"
	"slices"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// The defaults of Crane's periodic prediction (gocrane/crane, pkg/prediction/dsp):
// a sample a minute, fifteen days of them, a new model every twelve hours, and the
// largest value of the coming hour counts.
const (
	craneStep    = time.Minute
	craneHistory = 15 * 24 * 60
	craneRedo    = 12 * 60
	craneAhead   = 60
	craneDay     = 24 * 60
	craneWeek    = 7 * craneDay
)

// crane foresees what repeats each day or week. Its HPA sees the forecast as an
// external metric beside cpu, with the same target. A workload without such a
// period has an HPA and nothing else.
//
// Its metric adapter cuts forecasts to whole cores; here they are not cut.
type crane struct {
	samples []float64
	first   time.Time
	noted   int
	// forecast is one period, which begins after so many samples.
	forecast []float64
	from     int
}

// Crane returns Crane's EffectiveHorizontalPodAutoscaler.
func Crane(s *sim.Settings, build func(sim.Learner) *sim.Autoscaler) sim.Controller {
	return newForesighted(s, &crane{}, build)
}

func (c *crane) every() time.Duration { return craneStep }

func (c *crane) note(at time.Time, served scale.Amount) {
	if c.noted == 0 {
		c.first = at
	}
	c.noted++
	if c.samples = append(c.samples, cores(served)); len(c.samples) > 2*craneHistory {
		c.samples = append(c.samples[:0], c.samples[len(c.samples)-craneHistory:]...)
	}
	if c.noted%craneRedo == 0 {
		recent := c.samples[max(len(c.samples)-craneHistory, 0):]
		c.forecast, c.from = foresee(withoutOutliers(recent)), c.noted
	}
}

func (c *crane) expect(now time.Time) scale.Amount {
	if len(c.forecast) == 0 {
		return 0
	}
	at, most := int(now.Sub(c.first)/craneStep)-c.from, 0.0
	for i := range craneAhead + 1 {
		most = max(most, c.forecast[(at+i)%len(c.forecast)])
	}
	return milli(most)
}

// withoutOutliers replaces what is outside all but a thousandth at each end by the
// value before it.
func withoutOutliers(x []float64) []float64 {
	sorted := slices.Sorted(slices.Values(x))
	low, high := sorted[len(x)/1000], sorted[len(x)-1-len(x)/1000]
	out := slices.Clone(x)
	for i := 1; i < len(out); i++ {
		if out[i] < low || out[i] > high {
			out[i] = out[i-1]
		}
	}
	return out
}

// foresee is the next period; nil where there is none of a day or a week.
func foresee(x []float64) []float64 {
	whole := wholes(x, craneWeek)
	if len(whole) < 2*craneWeek {
		whole = wholes(x, craneDay)
	}
	if len(whole) < 2*craneDay {
		return nil
	}
	period := periodOf(whole)
	if period != craneDay && period != craneWeek {
		return nil
	}
	x = wholes(x, period)
	before, actual := x[:len(x)-period], x[len(x)-period:]
	if len(before) == 0 {
		return nil
	}
	var best estimator
	least := math.Inf(1)
	for _, keep := range filters {
		estimated := keep.lastPeriod(before, period)
		for _, margin := range craneMargins {
			if e := punished(actual, estimated, 1+margin); e < least {
				best, least = estimator{keep, margin}, e
			}
		}
	}
	out := best.lastPeriod(x, period)
	for i := range out {
		out[i] *= 1 + best.margin
	}
	return out
}

// wholes is the end of a signal that is a whole number of times as long.
func wholes(x []float64, length int) []float64 { return x[len(x)%length:] }

// estimator is a filter and a margin.
type estimator struct {
	filter
	margin float64
}

var craneMargins = []float64{0.01, 0.10, 0.15, 0.20}

// filter keeps the slow parts of a signal and its strong ones: at least so many of
// the fast ones, and those with an amplitude in cores.
type filter struct {
	least     int
	amplitude float64
}

var filters = []filter{{3, 1.0}, {50, 0.05}}

// mostParts is how many of the strongest parts are kept at most.
const mostParts = 100

// craneFloor stands for what a filter takes below zero.
const craneFloor = 0.01

// lastPeriod is the last period of the filtered signal.
func (f filter) lastPeriod(x []float64, period int) []float64 {
	n, parts := len(x), spectrum(complexOf(x))
	amplitudes := make([]float64, n)
	for k, p := range parts {
		amplitudes[k] = cmplx.Abs(p) / float64(n)
	}
	strongest := slices.Sorted(slices.Values(amplitudes[1 : n/2]))
	slices.Reverse(strongest)
	least := max(strongest[min(mostParts, len(strongest))-1], f.amplitude)
	if len(strongest) >= f.least {
		least = min(least, strongest[f.least-1])
	}
	for k := range parts {
		// An hour is sixty samples. The mirror images of slow parts count as fast,
		// as in Crane's code, so half of a slow part is left that is weak.
		if amplitudes[k] < least && k*60 > n {
			parts[k] = 0
		}
	}
	out := make([]float64, period)
	for i, v := range signal(parts)[n-period:] {
		if out[i] = real(v); out[i] <= 0 {
			out[i] = craneFloor
		}
	}
	return out
}

// punished is the mean error by the actual value, where too little counts for
// much more than too much. Where something is next to zero, it is the mean error
// itself.
func punished(actual, estimated []float64, times float64) float64 {
	relative, absolute, small := 0.0, 0.0, false
	for i, a := range actual {
		e := estimated[i] * times
		absolute += math.Abs(e - a)
		switch {
		case a < 1e-3:
			small = true
		case e < a:
			relative += -math.Log(e/a) / math.Log(1.25)
		default:
			relative += (e - a) / a
		}
	}
	if small {
		return absolute / float64(len(actual))
	}
	return relative / float64(len(actual))
}
