package learn

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/draw"
	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

func usual() *Rules { return &Rules{Floor: 65, Ceiling: 90, MaxRaise: 5} }

// TestTargetVectors: what a request of one core at a target of 70 percent leads
// to. The original answers 70 for the last two, which is the unsafe direction:
// the busier the pods, the less room they would get.
func TestTargetVectors(t *testing.T) {
	for recommended, want := range map[scale.Amount]int32{500: 75, 900: 75, 960: 74, 1000: 70, 1200: 65, 1650: 65, 1700: 65, 5000: 65} {
		if got := usual().Next(Target{Percent: 70}, monday, recommended, 1000); got.Percent != want {
			t.Errorf("recommended %s: target %d, want %d", recommended, got.Percent, want)
		}
	}
}

// TestTargetRisesSlowly: five points a day up, any number at once down.
func TestTargetRisesSlowly(t *testing.T) {
	r, target := usual(), Target{Percent: 70}
	for hours, want := range []int32{0: 75, 23: 75, 24: 80, 47: 80, 48: 85} {
		if want == 0 {
			continue
		}
		target = r.Next(target, monday.Add(time.Duration(hours)*time.Hour), 600, 1000)
		if target.Percent != want {
			t.Errorf("after %d hours: %d, want %d", hours, target.Percent, want)
		}
	}
	if target = r.Next(target, monday.Add(49*time.Hour), 1500, 1000); target.Percent != 65 {
		t.Errorf("then busy: %d, want 65 at once", target.Percent)
	}
}

// TestUnknownKeepsTheTarget: no recommendation, or no request, is no reason.
func TestUnknownKeepsTheTarget(t *testing.T) {
	for _, known := range [][2]scale.Amount{{0, 1000}, {900, 0}, {-5, 1000}} {
		if got := usual().Next(Target{Percent: 70}, monday, known[0], known[1]); got != (Target{Percent: 70}) {
			t.Errorf("recommended %d of %d: %+v", known[0], known[1], got)
		}
	}
}

// TestBoundsAreAlwaysValid: whatever is stated, set and learned, the minimum is
// not above the maximum, and the user's maximum is never passed.
func TestBoundsAreAlwaysValid(t *testing.T) {
	count := rapid.Int32Range(0, 60)
	draw.Check(t, func(t *rapid.T) {
		stated := Bounds{Min: count.Draw(t, "min"), MinReason: scale.MinReplicas, MaxReason: scale.MaxReplicas}
		stated.Max = max(1, stated.Min) + count.Draw(t, "span")
		r := usual()
		r.AdminMin, r.AdminMax = count.Draw(t, "adminMin"), count.Draw(t, "adminMax")
		learned := &scale.Learned{Min: count.Draw(t, "learnedMin"), Max: count.Draw(t, "learnedMax")}
		got := r.Bounds(stated, learned)
		if got.Min > got.Max || got.Max > stated.Max || got.Max < 1 || got.Min < 0 {
			t.Fatalf("stated %+v, admin %d..%d, learned %+v: %+v", stated, r.AdminMin, r.AdminMax, learned, got)
		}
		if r.AdminMax > 0 && got.Max > r.AdminMax {
			t.Fatalf("%+v is above the administrator's %d", got, r.AdminMax)
		}
		past := Past{}
		r.Emergency = true
		if up := r.Floored(got, &past, monday); up.Min != got.Max {
			t.Fatalf("in an emergency the minimum is %d, the maximum %d", up.Min, got.Max)
		}
		r.Emergency = false
		before, steps := past.Floor, 0
		for past.Floor > 0 {
			b := r.Floored(got, &past, monday)
			if b.Min > before || b.Min > b.Max || b.Min < got.Min {
				t.Fatalf("on the way back: %+v after %d", b, before)
			}
			if before, steps = b.Min, steps+1; steps > 500 {
				t.Fatal("never comes back")
			}
		}
	})
}
