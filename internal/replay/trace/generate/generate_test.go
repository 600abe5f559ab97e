package generate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/scale"
	"pgregory.net/rapid"
)

func named(t *testing.T, name string, seed uint64, o Options) trace.Trace {
	t.Helper()
	out, err := Named(name, seed, o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// mean is the mean value from an hour of each day until another, weekends
// apart from workdays.
func mean(tr trace.Trace, from, to int, weekend bool) scale.Amount {
	sum, n := scale.Amount(0), scale.Amount(0)
	for _, p := range tr.Points {
		d := p.At.Weekday()
		if h := p.At.Hour(); h >= from && h < to && weekend == (d == time.Saturday || d == time.Sunday) {
			sum, n = sum+p.Value, n+1
		}
	}
	return sum / max(n, 1)
}

// TestEveryShapeKeepsItsPromises: the length, the step and the mean are as
// asked, no value is negative, and chance is the seed's alone.
func TestEveryShapeKeepsItsPromises(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(Names()).Draw(t, "name")
		seed := rapid.Uint64().Draw(t, "seed")
		o := Options{
			Step:  time.Duration(rapid.IntRange(1, 3600).Draw(t, "step")) * time.Second,
			Mean:  scale.Amount(rapid.Int64Range(1, int64(largest)).Draw(t, "mean")),
			Start: time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "start"), 0).UTC(),
		}
		points := rapid.IntRange(2, 3000).Draw(t, "points")
		o.Length = time.Duration(points) * o.Step
		got, err := Named(name, seed, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Points) != points || got.Step != o.Step || !got.Points[points-1].At.Equal(o.Start.Add(o.Length-o.Step)) {
			t.Fatalf("%d points, step %s", len(got.Points), got.Step)
		}
		sum := scale.Amount(0)
		for i, p := range got.Points {
			if p.Value < 0 {
				t.Fatalf("point %d is %v", i, p)
			}
			sum += p.Value
		}
		// Each value is rounded to the nearest, and the divisor down.
		if off := sum/scale.Amount(points) - o.Mean; off > 1+o.Mean/10_000 || off < -1-o.Mean/10_000 {
			t.Fatalf("the mean is %s, want %s", sum/scale.Amount(points), o.Mean)
		}
		again, _ := Named(name, seed, o)
		if !cmp.Equal(got, again) {
			t.Fatal("the same seed gives another trace")
		}
	})
}

func TestSeedsAndNamesDiffer(t *testing.T) {
	seen := map[scale.Amount]string{}
	for _, name := range Names() {
		for seed := range uint64(3) {
			// The tenth value has eight decimal digits of chance in it.
			v := named(t, name, seed, Options{Mean: largest}).Points[9].Value
			if other, dup := seen[v]; dup {
				t.Errorf("%s of seed %d begins as %s", name, seed, other)
			}
			seen[v] = name
		}
	}
}

// TestWave compares with the sine at the angles whose sine is known: 0, ½ and 1.
func TestWave(t *testing.T) {
	for hour, want := range map[int]int64{0: 0, 2: 500_000, 6: million, 10: 500_000, 12: 0, 14: -500_000, 18: -million, 24: 0, -6: -million} {
		t.Run(fmt.Sprint(hour), func(t *testing.T) {
			if got := wave(time.Duration(hour) * time.Hour); got < want-2000 || got > want+2000 {
				t.Errorf("at %d h: %d, want %d", hour, got, want)
			}
		})
	}
}

func TestHalved(t *testing.T) {
	for minutes, want := range map[int]int64{0: 8000, 10: 6000, 20: 4000, 40: 2000, 60: 1000, 100_000: 0} {
		t.Run(fmt.Sprint(minutes), func(t *testing.T) {
			if got := halved(8000, time.Duration(minutes)*time.Minute, 20*time.Minute); got != want {
				t.Errorf("after %d minutes: %d, want %d", minutes, got, want)
			}
		})
	}
}

// TestDailyWave: two thirds above the mean at 14:00, two thirds below at 02:00,
// weekends as any day.
func TestDailyWave(t *testing.T) {
	tr := named(t, "daily", 1, Options{Length: 28 * day})
	for _, weekend := range []bool{false, true} {
		high, low := mean(tr, 13, 15, weekend), mean(tr, 1, 3, weekend)
		if high < 16_000 || high > 17_000 || low < 3_000 || low > 4_000 {
			t.Errorf("weekend %v: %s at noon, %s at night", weekend, high, low)
		}
	}
}

func TestWeekendsAreQuiet(t *testing.T) {
	tr := named(t, "weekly", 1, Options{Length: 28 * day})
	if work, rest := mean(tr, 0, 24, false), mean(tr, 0, 24, true); rest < work*35/100 || rest > work*45/100 {
		t.Errorf("workdays %s, weekends %s", work, rest)
	}
}

func TestRampGrowsNinefold(t *testing.T) {
	tr := named(t, "ramp", 1, Options{Length: 10 * day})
	first, last := mean(trace.Trace{Points: tr.Points[:60]}, 0, 24, false), mean(trace.Trace{Points: tr.Points[len(tr.Points)-60:]}, 0, 24, false)
	if first < 1_800 || first > 2_200 || last < 17_000 || last > 19_000 {
		t.Errorf("from %s to %s", first, last)
	}
}

// TestCrowdsStandOut: the largest value is far above the usual one, and comes
// within few minutes.
func TestCrowdsStandOut(t *testing.T) {
	for seed := range uint64(20) {
		tr := named(t, "flash-crowd", seed, Options{})
		top := 0
		for i, p := range tr.Points {
			if p.Value > tr.Points[top].Value {
				top = i
			}
		}
		if before := tr.Points[top-5].Value; tr.Points[top].Value < 3*before {
			t.Errorf("seed %d: from %s to %s", seed, before, tr.Points[top].Value)
		}
	}
}

func TestParse(t *testing.T) {
	got, err := Parse("step?days=2&seed=7&step=30s&mean=2500m&start=2026-03-01T00:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	want := named(t, "step", 7, Options{Length: 2 * day, Step: 30 * time.Second, Mean: 2500, Start: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got, err := Parse("daily"); err != nil || !cmp.Equal(got, named(t, "daily", 1, Options{})) {
		t.Errorf("without options: %v", err)
	}
	for line, says := range map[string]string{
		"lunar":                  `there is no generated demand "lunar": it can be bursty, daily, flash-crowd, ramp, step, weekly`,
		"daily?weeks=1":          "weeks: is not an option",
		"daily?days=0":           "between 1 and 366",
		"daily?days=x":           "between 1 and 366",
		"daily?days=1&days=2":    "days is given twice",
		"daily?step=1ms":         "between 1s and 24h",
		"daily?step=soon":        "step: time: invalid duration",
		"daily?mean=-1":          "must be between 1m and",
		"daily?mean=lots":        "is not a quantity",
		"daily?seed=-1":          "seed: ",
		"daily?start=now":        "start: ",
		"daily?hours=1&step=1h":  "two steps",
		"daily?days=366&step=1s": "more than",
		"%":                      "write a name and options",
		"daily?a=%zz":            "reading the options",
	} {
		t.Run(line, func(t *testing.T) {
			if _, err := Parse(line); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: got %v, want %q", line, err, says)
			}
		})
	}
}
