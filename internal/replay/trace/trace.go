package trace

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// MaxPoints is the most samples that are read, and the most points a resampled
// trace may have: four weeks, one each second, fit.
const MaxPoints = 4 << 20

// Trace is a recorded series.
type Trace struct {
	// Step is the usual time between two points; zero when there is only one
	// and nobody said.
	Step time.Duration
	// Points are in order of time, each later than the one before. Values are
	// not negative.
	Points []Point
}

// Point is the value from a moment on, until the next point.
type Point struct {
	At    time.Time
	Value scale.Amount
}

// Gap is a time in which nothing is known: from the end of the last point's
// step until the next point.
type Gap struct {
	From, To time.Time
}

// Gaps returns where points are missing. A point that is late by less than
// half a step leaves no gap.
func (t Trace) Gaps() []Gap {
	var gaps []Gap
	for i := 1; i < len(t.Points); i++ {
		if next := t.Points[i].At; t.until(i - 1).Before(next) {
			gaps = append(gaps, Gap{From: t.until(i - 1), To: next})
		}
	}
	return gaps
}

// until returns how long a point's value holds: until the next point, but not
// across a gap.
func (t Trace) until(i int) time.Time {
	end := t.Points[i].At.Add(t.Step)
	if i+1 == len(t.Points) {
		return end
	}
	next := t.Points[i+1].At
	if next.After(end.Add(t.Step / 2)) {
		return end
	}
	return next
}

// usualStep returns the median of the times between points.
func usualStep(points []Point) time.Duration {
	if len(points) < 2 {
		return 0
	}
	steps := make([]time.Duration, 0, len(points)-1)
	for i := 1; i < len(points); i++ {
		steps = append(steps, points[i].At.Sub(points[i-1].At))
	}
	slices.Sort(steps)
	return steps[(len(steps)-1)/2]
}
