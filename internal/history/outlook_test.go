package history

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/seeded"
	"github.com/tidemark/tidemark/scale"
)

// TestSpreadBuckets: the middle of every bucket is in it, and they go up.
func TestSpreadBuckets(t *testing.T) {
	const size = 1 << 20
	for bucket := range spreadBuckets {
		middle := spreadMiddle(bucket)
		if got := spreadBucket(middle*size/16, size); got != bucket {
			t.Errorf("the middle of bucket %d, %d sixteenths, is in %d", bucket, middle, got)
		}
		if bucket > 0 && middle <= spreadMiddle(bucket-1) {
			t.Errorf("bucket %d is not above the one before", bucket)
		}
	}
}

// waves is a demand around 10 cores whose moments have nothing to do with each
// other: a normal one with a standard deviation of half a core.
func waves(i int) scale.Amount {
	return 10_000 + scale.Amount(seeded.Normal(1, 1, uint64(i))/2_000_000)
}

const (
	each = 15 * time.Second
	lead = 38 * time.Second
)

// observedFor lets a demand be seen for some looks.
func observedFor(looks int, of func(int) scale.Amount) (*Demand, time.Time) {
	d, at := NewDemand(), time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	for i := range looks {
		at = at.Add(each)
		d.Observe(at, of(i), 250+scale.Amount(i%3)*10, lead)
	}
	return d, at
}

// TestTheBestForecastIsUsed: noise around a level is best forecast by its mean, and a
// demand that wanders by the last sample.
func TestTheBestForecastIsUsed(t *testing.T) {
	wandering := scale.Amount(10_000)
	for name, c := range map[string]struct {
		of   func(int) scale.Amount
		mean bool
	}{
		"noise": {of: waves, mean: true},
		"a walk": {of: func(i int) scale.Amount {
			wandering += (waves(i) - 10_000) / 4
			return wandering
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if d, _ := observedFor(2000, c.of); (d.way > 0) != c.mean {
				t.Errorf("forecast %d is used", d.way)
			}
		})
	}
}

// TestChancesAreCalibrated: what is said to come in so many of a hundred cases does.
func TestChancesAreCalibrated(t *testing.T) {
	d, at := observedFor(4000, waves)
	const checks = 4000
	above := map[int64]int{}
	for i := range checks {
		at = at.Add(each)
		now := waves(4000 + i)
		_, may := d.Of(now, false)
		later, below := waves(100_000+i), int64(0)
		for _, one := range may {
			below += one.Chance
			for _, share := range []int64{500_000, 900_000, 980_000} {
				if below >= share && below-one.Chance < share && later > one.Amount {
					above[share]++
				}
			}
		}
		d.Observe(at, now, -1, lead)
	}
	// A part stands for what is in it, so its end is at most a part away.
	for share, most := range map[int64]float64{500_000: 60, 900_000: 16, 980_000: 4} {
		got := 100 * float64(above[share]) / checks
		if least := 100 - float64(share)/10_000; got > most || got < least/4 {
			t.Errorf("%.1f of 100 were above what %d of 100 should be, want about %.0f", got, 100-share/10_000, least)
		}
	}
}

// TestOutlookHolds: whatever was seen, the chances come to a whole, amounts are not
// negative, and what was learned survives its encoding.
func TestOutlookHolds(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		h, err := New(DefaultSettings())
		if err != nil {
			r.Fatal(err)
		}
		at := time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
		for range rapid.IntRange(0, 60).Draw(r, "looks") {
			at = at.Add(time.Duration(rapid.OneOf(rapid.Int64Range(-30, 400), rapid.Int64Range(80_000, 90_000)).Draw(r, "after")) * time.Second)
			h.Demand.Observe(at, scale.Amount(rapid.Int64Range(-5, 1<<62).Draw(r, "asked")), scale.Amount(rapid.Int64Range(-1, 1<<62).Draw(r, "room")),
				time.Duration(rapid.Int64Range(-5, 5000).Draw(r, "lead"))*time.Second)
		}
		asked := scale.Amount(rapid.Int64Range(0, 1<<62).Draw(r, "now"))
		expected, may := h.Demand.Of(asked, rapid.Bool().Draw(r, "guessed"))
		for _, all := range [][]scale.Likely{may, h.Demand.RoomFrom(asked, asked)} {
			sum := int64(0)
			for _, one := range all {
				if sum += one.Chance; one.Amount < 0 || one.Chance < 0 {
					r.Fatalf("%+v", all)
				}
			}
			if sum != million || expected < 0 {
				r.Fatalf("chances of %d in all: %+v", sum, all)
			}
		}
		again, err := Decode(h.Encode(), DefaultSettings())
		if err != nil {
			r.Fatal(err)
		}
		if diff := cmp.Diff(h.Demand, again.Demand, cmp.AllowUnexported(Demand{}, spread{}, forecasted{}, season{})); diff != "" {
			r.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// TestRoomIsBounded: room that pods may not use is none.
func TestRoomIsBounded(t *testing.T) {
	d, _ := observedFor(100, waves)
	for _, one := range d.RoomFrom(800, 300) {
		if one.Amount > 300 {
			t.Errorf("%s of room, of which pods may use 300m", one.Amount)
		}
	}
}
