package elastic

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

// usual are the prices where nobody states others.
var usualPrices = Prices{Unserved: 50_000, Late: 5000, Start: 30_000, Resize: 6000}

// always is an amount that something surely comes to.
func always(amount scale.Amount) []scale.Likely {
	return []scale.Likely{{Amount: amount, Chance: million}}
}

func TestDecay(t *testing.T) {
	for i := range uint64(mostDecay + 1) {
		if want := one * math.Exp(-float64(i)/decaySteps); math.Abs(float64(decay(i))-want) > 0.5 {
			t.Errorf("e to the power of -%d/8 is %d, want %.1f", i, decay(i), want)
		}
	}
	if decay(0) != one || decay(1<<40) != decay(mostDecay) {
		t.Error("beyond its ends the table has to be as at its ends")
	}
}

// TestCost compares with figures worked out by hand, in cores.
func TestCost(t *testing.T) {
	noLate := usualPrices
	noLate.Late = 0
	for name, c := range map[string]struct {
		prices           Prices
		total            scale.Amount
		pods             int32
		demand, room     []scale.Likely
		used, idle, risk float64
	}{
		"room to spare":      {usualPrices, 20_000, 10, always(8000), nil, 8, 12, 0},
		"what is used costs": {usualPrices, 8000, 10, always(8000), always(1000), 8, 0, 0},
		// The busiest third has 8.688 to do and can do 8: a third of 0.688 is lost.
		"the busiest third loses": {noLate, 8000, 8, always(8000), nil, 8, 0, 50 * 0.688 / 3},
		// Of 16 cores 8 are done, and the thirds lose 6.624, 8 and 9.376.
		"half is lost": {noLate, 8000, 8, always(16_000), nil, 8, 0, 50 * 8},
		// All of what is done has waited: 5 for each of the 8 cores.
		"what is done is late": {usualPrices, 8000, 8, always(16_000), nil, 8, 0, 50*8 + 5*8},
		"one in four":          {noLate, 8000, 8, []scale.Likely{{Amount: 4000, Chance: 750_000}, {Amount: 16_000, Chance: 250_000}}, nil, 5, 3, 100},
		"room in half of the cases": {noLate, 8000, 8, always(16_000), []scale.Likely{{Amount: 0, Chance: 500_000}, {Amount: 3000, Chance: 500_000}},
			12, 0, 200},
	} {
		t.Run(name, func(t *testing.T) {
			o := Outlook{Demand: c.demand, Room: c.room}.load(nil)
			got := c.prices.of(c.total, c.pods, &o)
			for what, pair := range map[string][2]float64{"used": {cores(got.used), c.used}, "idle": {cores(got.idle), c.idle}, "risk": {cores(got.risk), c.risk}} {
				if math.Abs(pair[0]-pair[1]) > 0.002 {
					t.Errorf("%s is %.4f, want %.4f", what, pair[0], pair[1])
				}
			}
		})
	}
}

func cores(c scale.Amount) float64 { return float64(c) / million / 1000 }

// TestLateIsThatOfAQueue: where requests of 10 ms come at random to a pod, the share
// of them that waits for a quarter of a second is rho exp(-25 c (1 - rho)) with c
// cores. Each third of the pods has its own load.
func TestLateIsThatOfAQueue(t *testing.T) {
	for _, pods := range []int64{1, 4, 20} {
		for _, load := range []float64{0.7, 0.85, 0.9} {
			most := float64(pods)
			want := 0.0
			for _, third := range []float64{1 - 0.086, 1, 1 + 0.086} {
				rho := load * third
				want += 5 * load * most * third / 3 * rho * math.Exp(-25*(1-rho))
			}
			all := usualPrices.crewOf(int64(most*1000), pods)
			asked := Outlook{Demand: always(scale.Amount(load * most * 1000))}.load(nil)
			got := float64(all.risk(&asked.loads[0])) / million
			// The exponent is rounded down to eighths, and the sum to a thousandth.
			if got < want-0.001 || got > want*1.14+0.001 {
				t.Errorf("%d pods at %.2f: late work costs %.4f, want %.4f or up to an eighth more", pods, load, got, want)
			}
		}
	}
}

// TestCostHolds: whatever may come, costs are not negative, and dearer work never
// makes a total cheaper.
func TestCostHolds(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		o := Outlook{Demand: drawLikely(r, "demand", int64(scale.MaxAmount)), Room: drawLikely(r, "room", int64(scale.MaxAmount))}.load(nil)
		total, pods := scale.Amount(rapid.Int64Range(0, int64(scale.MaxAmount)).Draw(r, "total")), rapid.Int32Range(0, math.MaxInt32).Draw(r, "pods")
		cheap := Prices{Unserved: rapid.Int64Range(1000, 10_000_000).Draw(r, "unserved"), Late: rapid.Int64Range(0, 10_000_000).Draw(r, "late")}
		dear := cheap
		dear.Unserved = rapid.Int64Range(cheap.Unserved, 10_000_000).Draw(r, "dearer")
		a, b := cheap.of(total, pods, &o), dear.of(total, pods, &o)
		if a.used < 0 || a.idle < 0 || a.risk < 0 || b.risk < a.risk {
			r.Fatalf("%+v and, where lost work costs more, %+v", a, b)
		}
	})
}

// drawLikely draws what may come.
func drawLikely(r *rapid.T, name string, most int64) []scale.Likely {
	n := rapid.IntRange(1, 6).Draw(r, name)
	out, left := make([]scale.Likely, n), int64(million)
	for i := range out {
		out[i] = scale.Likely{Amount: scale.Amount(rapid.Int64Range(0, most).Draw(r, name)), Chance: left}
		if i < n-1 {
			out[i].Chance = rapid.Int64Range(0, left).Draw(r, name)
		}
		left -= out[i].Chance
	}
	return out
}

// TestDivisor: products divide as a division does.
func TestDivisor(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		by, n := rapid.Int64Range(1, math.MaxInt64).Draw(r, "by"), rapid.Int64Range(0, math.MaxInt64).Draw(r, "n")
		d := divisorOf(by>>rapid.IntRange(0, 62).Draw(r, "shorter") | 1)
		for _, n := range []uint64{uint64(n), uint64(n) / d.by * d.by, uint64(n)/d.by*d.by + d.by - 1} {
			if n > math.MaxInt64 {
				continue
			}
			if got, want := d.into(n), n/d.by; got != want {
				r.Fatalf("%d / %d = %d, want %d", n, d.by, got, want)
			}
		}
		a, share := rapid.Int64Range(0, int64(scale.MaxAmount)).Draw(r, "a")>>rapid.IntRange(0, 62).Draw(r, "less"), rapid.Int64Range(0, million).Draw(r, "share")
		if got, want := perThousand(a, share), scale.Amount(a).Share(share, 1000); got != want {
			r.Fatalf("%d × %d / 1000 = %d, want %d", a, share, got, want)
		}
	})
}

// TestUpTo: what is not looked at to its end costs more than was asked about, and
// what is costs what it costs.
func TestUpTo(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		o := Outlook{Demand: drawLikely(r, "demand", 100_000), Room: drawLikely(r, "room", 2000)}.load(nil)
		total, pods := scale.Amount(rapid.Int64Range(0, 100_000).Draw(r, "total")), rapid.Int32Range(1, 200).Draw(r, "pods")
		whole := usualPrices.of(total, pods, &o)
		most := whole.all().Share(rapid.Int64Range(0, 2000).Draw(r, "most"), 1000)
		got := usualPrices.upTo(most, total, pods, &o)
		if whole.all() <= most && got != whole || whole.all() > most && got.all() <= most {
			r.Fatalf("up to %d: %+v, and in all %+v", most, got, whole)
		}
	})
}
