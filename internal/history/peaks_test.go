package history

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

var appAt80 = []scale.LearnedTarget{{Container: "app", Percent: 80}}

// busyFor shows a container that is at 80 % of its core, and at 90 % in two of
// ten samples, for so many minutes.
func busyFor(p *Peaks, from time.Time, minutes int) time.Time {
	at := from
	for i := range minutes {
		used := scale.Amount(800)
		if i%10 >= 8 {
			used = 900
		}
		p.Observe(at, "app", scale.CPU, used, 1000)
		at = at.Add(time.Minute)
	}
	return at
}

// TestPeaks: nine of ten samples are at most 90 %, and the usual margin of 15 %
// makes that 104.
func TestPeaks(t *testing.T) {
	p := NewPeaks()
	p.Under(monday, appAt80)
	at := busyFor(p, monday, 59)
	want := scale.LearnedPeak{Container: "app", Under: 80}
	if got, known := p.Of(at, "app", scale.CPU, DefaultEstimator()); !known || got != want {
		t.Errorf("after 59 samples: %+v, %v", got, known)
	}
	at = busyFor(p, at, 3*24*60)
	want.Percent, want.Days = 104, 3
	if got, _ := p.Of(at, "app", scale.CPU, DefaultEstimator()); got != want {
		t.Errorf("after three days: %+v, want %+v", got, want)
	}
	if _, known := p.Of(at, "app", scale.Memory, DefaultEstimator()); known {
		t.Error("memory has no target, but a peak")
	}
}

// TestPeaksBelongToTheirTarget: as soon as it moves, what was seen before counts
// no more, and neither do samples that were taken before.
func TestPeaksBelongToTheirTarget(t *testing.T) {
	p := NewPeaks()
	p.Under(monday, appAt80)
	at := busyFor(p, monday, 600)
	p.Under(at, []scale.LearnedTarget{{Container: "app", Percent: 76}})
	if p.Observe(at.Add(-time.Second), "app", scale.CPU, 900, 1000) {
		t.Error("a sample from before the move counts")
	}
	for i := range 60 {
		p.Observe(at.Add(time.Duration(i)*time.Minute), "app", scale.CPU, 700, 1000)
	}
	got, _ := p.Of(at.Add(time.Hour), "app", scale.CPU, DefaultEstimator())
	if want := (scale.LearnedPeak{Container: "app", Percent: 81, Under: 76}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	p.Under(at.Add(time.Hour), nil)
	if _, known := p.Of(at.Add(time.Hour), "app", scale.CPU, DefaultEstimator()); known {
		t.Error("a target that is gone has a peak")
	}
}

// TestPeaksFade: what was seen ten days ago does not weigh against today.
func TestPeaksFade(t *testing.T) {
	p := NewPeaks()
	p.Under(monday, appAt80)
	busyFor(p, monday, 24*60)
	later := monday.Add(10 * day)
	for i := range 200 {
		p.Observe(later.Add(time.Duration(i)*time.Minute), "app", scale.CPU, 100, 1000)
	}
	if got, _ := p.Of(later.Add(day), "app", scale.CPU, DefaultEstimator()); got.Percent != 12 {
		t.Errorf("got %d %%, want 12", got.Percent)
	}
}

// TestPeaksComeBack through their encoding.
func TestPeaksComeBack(t *testing.T) {
	h := mustNew(t, DefaultSettings())
	h.Peaks.Under(monday, appAt80)
	at := busyFor(h.Peaks, monday, 600)
	before, _ := h.Peaks.Of(at, "app", scale.CPU, DefaultEstimator())
	back, err := Decode(h.Encode(), DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	if after, _ := back.Peaks.Of(at, "app", scale.CPU, DefaultEstimator()); after != before || after.Percent == 0 {
		t.Errorf("%+v came back as %+v", before, after)
	}
}
