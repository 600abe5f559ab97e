package rivals

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"testing"
	"time"
)

// TestSpectrum: it is what the definition gives, and goes back.
func TestSpectrum(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 30, 77, 120} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x := make([]complex128, n)
			for i := range x {
				x[i] = complex(float64(i*i%17), 0)
			}
			f := spectrum(x)
			for k := range n {
				want := complex128(0)
				for i := range n {
					want += x[i] * cmplx.Rect(1, -2*math.Pi*float64(i*k)/float64(n))
				}
				if cmplx.Abs(f[k]-want) > 1e-8*float64(n) {
					t.Fatalf("frequency %d: %v, want %v", k, f[k], want)
				}
			}
			for i, v := range signal(f) {
				if cmplx.Abs(v-x[i]) > 1e-9*float64(n) {
					t.Fatal("it does not go back")
				}
			}
		})
	}
}

// wave is so many minutes of a mean, a daily wave, and more of a minute.
func wave(minutes int, more func(minute int) float64) []float64 {
	out := make([]float64, minutes)
	for i := range out {
		out[i] = 10 + 4*math.Sin(2*math.Pi*float64(i)/craneDay) + more(i)
	}
	return out
}

func nothing(int) float64 { return 0 }

// ramp grows all the time.
func ramp(minutes int) []float64 {
	out := make([]float64, minutes)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}

// noise is a number from -1 to 1 that has nothing to do with the one before.
func noise(i int) float64 {
	_, fraction := math.Modf(math.Abs(math.Sin(float64(i)*12.9898) * 43758.5453))
	return 2*fraction - 1
}

// TestPeriod: a day and a week are found, also in noise; noise alone has none.
func TestPeriod(t *testing.T) {
	for name, c := range map[string]struct {
		signal []float64
		want   int
	}{
		"a day":        {wave(3*craneDay, nothing), craneDay},
		"a day, noisy": {wave(3*craneDay, func(i int) float64 { return 4 * noise(i) }), craneDay},
		"working days": {wave(2*craneWeek, func(i int) float64 { return -6 * math.Floor(float64(i%craneWeek)/(5*craneDay)) }), craneWeek},
		"noise":        {wave(3*craneDay, func(i int) float64 { return noise(i) - 4*math.Sin(2*math.Pi*float64(i)/craneDay) }), 0},
		"a slow ramp":  {ramp(3 * craneDay), 0},
		"always so":    {make([]float64, 3*craneDay), 0},
		"of half a day": {wave(4*craneDay, func(i int) float64 {
			return -4*math.Sin(2*math.Pi*float64(i)/craneDay) + math.Sin(4*math.Pi*float64(i)/craneDay)
		}), craneDay / 2},
	} {
		t.Run(name, func(t *testing.T) {
			if got := periodOf(c.signal); got != c.want {
				t.Errorf("%d minutes, want %d", got, c.want)
			}
		})
	}
}

// TestFilter: by hand. Beside a daily wave of 4 there are waves of 10, 12, 15 and 20
// minutes with 0.4, 0.3, 0.2 and 0.1, so their amplitudes on each side are half of
// that. At least three parts and those from 1 on are the daily one, 0.2 and 0.15;
// at least fifty are all of them. A wave of six hours with 0.05 is slow
// and kept, but its mirror image is not, as in the public code: half of it is left.
func TestFilter(t *testing.T) {
	parts := []struct{ minutes, height float64 }{{10, 0.4}, {12, 0.3}, {15, 0.2}, {20, 0.1}}
	sum := func(n int, slow float64) func(int) float64 {
		return func(i int) float64 {
			out := slow * math.Sin(2*math.Pi*float64(i)/360)
			for _, p := range parts[:n] {
				out += p.height * math.Sin(2*math.Pi*float64(i)/p.minutes)
			}
			return out
		}
	}
	x := wave(3*craneDay, sum(4, 0.05))
	for _, c := range []struct {
		filter
		kept int
		slow float64
	}{{filters[0], 2, 0.025}, {filters[1], 4, 0.05}} {
		want := wave(craneDay, sum(c.kept, c.slow))
		for i, got := range c.lastPeriod(x, craneDay) {
			if math.Abs(got-want[i]) > 1e-6 {
				t.Fatalf("%+v, minute %d: %.6f, want %.6f", c.filter, i, got, want[i])
			}
		}
	}
}

// TestPunished: Crane's public code says that a tenth too little counts as 0.47 and
// half as 3.1; a tenth too much counts as a tenth.
func TestPunished(t *testing.T) {
	for times, want := range map[float64]string{0.9: "0.47", 0.5: "3.11", 1.1: "0.10", 1: "0.00"} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			if got := punished([]float64{2, 4}, []float64{2, 4}, times); fmt.Sprintf("%.2f", got) != want {
				t.Errorf("%.4f, want %s", got, want)
			}
		})
	}
	// Next to zero the error itself counts: (0.5 + 1)/2.
	if got := punished([]float64{0, 4}, []float64{0.5, 5}, 1); got != 0.75 {
		t.Errorf("%v", got)
	}
}

// TestCrane: by hand. Three days of a wave repeat exactly, so the least margin, one
// percent, is the best, and at midnight the forecast is the largest value of the
// coming hour and that margin.
func TestCrane(t *testing.T) {
	c := &crane{}
	day := wave(craneDay, nothing)
	for i := range 3 * craneDay {
		if got := c.expect(monday.Add(time.Duration(i) * time.Minute)); i < 2*craneDay && got != 0 {
			t.Fatalf("it knows %d after %d minutes", got, i)
		}
		c.note(monday.Add(time.Duration(i)*time.Minute), milli(day[i%craneDay]))
	}
	for _, minute := range []int{0, 90, 6*60 - 30, 12 * 60} {
		t.Run(fmt.Sprintf("minute %d", minute), func(t *testing.T) {
			most := slices.Max(day[minute : minute+61])
			got := cores(c.expect(monday.Add(3*24*time.Hour + time.Duration(minute)*time.Minute)))
			if math.Abs(got-1.01*most) > 0.01 {
				t.Errorf("%.3f, want %.3f", got, 1.01*most)
			}
		})
	}
}

// TestForesee: by hand. The third day is a fifth higher than two days before, which
// a margin of a fifth on those would have met exactly. So the fourth day is the third
// and a fifth: at most 14 × 1.2 × 1.2 = 20.16.
func TestForesee(t *testing.T) {
	x := wave(3*craneDay, nothing)
	for i := 2 * craneDay; i < 3*craneDay; i++ {
		x[i] *= 1.2
	}
	if got := slices.Max(foresee(x)); got < 20.0 || got > 20.5 {
		t.Errorf("at most %.2f", got)
	}
	if got := foresee(ramp(3 * craneDay)); got != nil {
		t.Errorf("it foresees %d minutes of a ramp", len(got))
	}
}

// TestChance: the strongest of n/2 powers, each spread exponentially around n times
// the variance, is below what chance gives in 99 of 100 cases.
func TestChance(t *testing.T) {
	for _, n := range []float64{2880, 20160} {
		c := chance(n, 4)
		if got := math.Pow(1-math.Exp(-c*c/(n*4)), n/2); math.Abs(got-0.99) > 1e-6 {
			t.Errorf("%v samples: %.6f", n, got)
		}
	}
}

// TestOutliers: one value of a thousand at each end is replaced by the one before.
func TestOutliers(t *testing.T) {
	x := make([]float64, 2000)
	for i := range x {
		x[i] = float64(i % 1000)
	}
	x[700], x[1500], x[1600], x[300] = 9e9, 8e9, 7e9, -1
	got := withoutOutliers(x)
	if got[700] != 699 || got[1500] != 499 || got[1600] != 7e9 || got[300] != 299 {
		t.Errorf("%v %v %v %v", got[700], got[1500], got[1600], got[300])
	}
}
