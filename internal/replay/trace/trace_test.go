package trace

import (
	"bytes"
	"errors"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
	"pgregory.net/rapid"
)

func TestStepAndGaps(t *testing.T) {
	at := func(seconds ...int) Trace {
		var p []Point
		for _, s := range seconds {
			p = append(p, Point{At: noon.Add(time.Duration(s) * time.Second)})
		}
		return Trace{Step: usualStep(p), Points: p}
	}
	moment := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	for name, c := range map[string]struct {
		trace Trace
		step  time.Duration
		gaps  []Gap
	}{
		"even":    {at(0, 60, 120), minute, nil},
		"jitter":  {at(0, 58, 120, 183), 62 * time.Second, nil},
		"holes":   {at(0, 60, 120, 300, 360, 480, 540), minute, []Gap{{moment(180), moment(300)}, {moment(420), moment(480)}}},
		"one":     {at(5), 0, nil},
		"nothing": {at(), 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if c.trace.Step != c.step {
				t.Errorf("%s: the step is %v, want %v", name, c.trace.Step, c.step)
			}
			if diff := cmp.Diff(c.gaps, c.trace.Gaps()); diff != "" {
				t.Errorf("%s: gaps (-want +got)\n%s", name, diff)
			}
		})
	}
}

func TestResample(t *testing.T) {
	fine := Trace{Step: minute, Points: points(minute, 1000, 2000, 4000, 6000, -1, -1, -1, 8000, 9000)}
	for name, c := range map[string]struct {
		step time.Duration
		want []Point
	}{
		"the same":  {minute, fine.Points},
		"finer":     {30 * time.Second, points(30*time.Second, 1000, 1000, 2000, 2000, 4000, 4000, 6000, 6000, -1, -1, -1, -1, -1, -1, 8000, 8000, 9000, 9000)},
		"coarser":   {2 * minute, points(2*minute, 1500, 5000, -1, 8000, 9000)},
		"crosswise": {90 * time.Second, points(90*time.Second, 1333, 3333, 6000, -1, -1, 8667)},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := fine.Resample(c.step)
			if err != nil || got.Step != c.step {
				t.Errorf("%s: step %v, %v", name, got.Step, err)
			}
			if diff := cmp.Diff(c.want, got.Points); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", name, diff)
			}
		})
	}
	for step, want := range map[time.Duration][]Point{
		minute:           fine.Points,
		2 * minute:       points(2*minute, 2000, 6000, -1, 8000, 9000),
		90 * time.Second: points(90*time.Second, 2000, 4000, 6000, -1, -1, 9000),
	} {
		got, err := fine.ResampleMax(step)
		if diff := cmp.Diff(want, got.Points); diff != "" || err != nil {
			t.Errorf("the largest of %s: %v (-want +got)\n%s", step, err, diff)
		}
	}
	if _, err := fine.Resample(0); err == nil {
		t.Error("a step of nothing was accepted")
	}
	if got, err := (Trace{}).Resample(minute); err != nil || len(got.Points) != 0 {
		t.Errorf("an empty trace: %v, %v", got, err)
	}
	if got, err := (Trace{Points: points(minute, 7)}).Resample(minute); err != nil || !cmp.Equal(got.Points, points(minute, 7)) {
		t.Errorf("a single point: %v, %v", got, err)
	}
	long := Trace{Step: 100 * 365 * 24 * time.Hour, Points: points(minute, 1)}
	if _, err := long.Resample(time.Second); !errors.Is(err, ErrTooLong) {
		t.Errorf("a century in seconds: %v", err)
	}
}

// TestResamplingKeepsTheWork compares the sum of value × time with arithmetic
// of any precision, where the new step divides the old.
func TestResamplingKeepsTheWork(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Int64Range(0, int64(scale.MaxAmount)), 1, 50).Draw(t, "values")
		var p []Point
		total := new(big.Int)
		for i, v := range values {
			p = append(p, Point{At: noon.Add(time.Duration(i) * minute), Value: scale.Amount(v)})
			total.Add(total, big.NewInt(v))
		}
		whole := Trace{Step: minute, Points: p}
		one, err := whole.Resample(time.Duration(len(p)) * minute)
		if err != nil || len(one.Points) != 1 {
			t.Fatalf("one point for all: %v, %v", one, err)
		}
		n := int64(len(p))
		want := total.Add(total, big.NewInt(n/2))
		if want.Div(want, big.NewInt(n)); want.Int64() != int64(one.Points[0].Value) {
			t.Fatalf("the mean of %v is %d, want %d", values, one.Points[0].Value, want)
		}
		fine, err := whole.Resample(minute / 4)
		if err != nil {
			t.Fatal(err)
		}
		back, err := fine.Resample(minute)
		if err != nil || !cmp.Equal(whole, back) {
			t.Fatalf("finer and back is not the same: %v", err)
		}
	})
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		var p []Point
		at := noon
		for range rapid.IntRange(1, 40).Draw(t, "points") {
			value := rapid.Int64Range(0, int64(scale.MaxAmount)).Draw(t, "value") >> rapid.IntRange(0, 62).Draw(t, "shift")
			p = append(p, Point{At: at, Value: scale.Amount(value)})
			at = at.Add(time.Duration(rapid.Int64Range(1, 1e7).Draw(t, "gap")) * time.Millisecond)
		}
		want := Trace{Step: usualStep(p), Points: p}
		var out bytes.Buffer
		if err := want.WriteCSV(&out); err != nil {
			t.Fatal(err)
		}
		got, report, err := Read(&out, Format{})
		if err != nil || report.Repairs() != 0 || !cmp.Equal(want, got) {
			t.Fatalf("%v, %+v: %s", err, report, cmp.Diff(want, got))
		}
	})
}

func TestWriteCSV(t *testing.T) {
	var out strings.Builder
	tr := Trace{Step: minute, Points: points(minute, 0, 1500, 20, 7000)}
	if err := tr.WriteCSV(&out); err != nil {
		t.Fatal(err)
	}
	want := "time,value\n2026-01-05T12:00:00Z,0\n2026-01-05T12:01:00Z,1.5\n2026-01-05T12:02:00Z,0.02\n2026-01-05T12:03:00Z,7\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	closed, w := io.Pipe()
	_ = closed.Close()
	if err := tr.WriteCSV(w); err == nil {
		t.Error("writing into nothing succeeded")
	}
}
