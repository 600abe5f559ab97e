package plot

import "math"

// axis maps values to places on the page.
type axis struct {
	low, high float64
	// from and to are the places of low and high.
	from, to float64
	ticks    []float64
}

// place returns where a value stands.
func (a *axis) place(v float64) float64 {
	return a.from + (v-a.low)/(a.high-a.low)*(a.to-a.from)
}

// xAxis reaches from the first value to the last. It starts at zero when the
// values begin near it, because a total that begins near nothing is one.
func xAxis(panel *Panel, from, to float64) axis {
	low, high := extent(panel, func(p Point) float64 { return p.X })
	if low > 0 && low <= (high-low)/10 {
		low = 0
	}
	low, high = opened(low, high)
	return axis{low: low, high: high, from: from, to: to, ticks: ticks(low, high, niceStep((high-low)/6, panel.XUnit))}
}

// yAxis reaches from zero, or the least negative value's tick, to a tick above
// the largest value, so that no line runs along the frame's upper edge.
func yAxis(panel *Panel, from, to float64) axis {
	low, high := extent(panel, func(p Point) float64 { return p.Y })
	low, high = opened(min(low, 0), max(high, 0))
	step := niceStep((high-low)/5, panel.YUnit)
	low = math.Floor(low/step+slack) * step
	high = (math.Floor(high/step+slack) + 1) * step
	return axis{low: low, high: high, from: from, to: to, ticks: ticks(low, high, step)}
}

// extent returns the least and the largest value of a panel; 0 and 0 when it
// has none.
func extent(panel *Panel, of func(Point) float64) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range panel.Series {
		for _, p := range s.finite() {
			low, high = min(low, of(p)), max(high, of(p))
		}
	}
	if low > high {
		return 0, 0
	}
	return low, high
}

// opened makes room around a single value, which has no extent of its own.
func opened(low, high float64) (float64, float64) {
	if low == high {
		return low, low + max(1, math.Abs(low))
	}
	return low, high
}

// finite returns the points that can be drawn.
func (s *Series) finite() []Point {
	out := make([]Point, 0, len(s.Points))
	for _, p := range s.Points {
		if sum := p.X + p.Y; !math.IsNaN(sum) && !math.IsInf(sum, 0) {
			out = append(out, p)
		}
	}
	return out
}
