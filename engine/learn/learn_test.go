package learn

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

func usual() *Rules { return &Rules{Floor: 65, Ceiling: 90, MaxRaise: 5} }

// TestTargetVectors: what a request of one core at a target of 70 percent leads
// to. The original answers 70 for the last two, which is the unsafe direction:
// the busier the pods, the less room they would get.
func TestTargetVectors(t *testing.T) {
	for recommended, want := range map[scale.Amount]int32{500: 75, 900: 75, 960: 74, 1000: 70, 1200: 65, 1650: 65, 1700: 65, 5000: 65} {
		t.Run(fmt.Sprint(recommended), func(t *testing.T) {
			if got, _ := usual().Next(Target{Percent: 70}, monday, BusyAt(recommended, 1000)); got.Percent != want {
				t.Errorf("recommended %s: target %d, want %d", recommended, got.Percent, want)
			}
		})
	}
}

// TestTargetRisesSlowly: five points a day up, any number at once down. Spikes of
// 10 points leave room up to 90, and the usage is what each target brings about.
func TestTargetRisesSlowly(t *testing.T) {
	r, target := usual(), Target{Percent: 70}
	for hours, want := range []int32{0: 75, 23: 75, 24: 80, 47: 80, 48: 85, 71: 85, 72: 90, 300: 90} {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			if want == 0 {
				return
			}
			obs := Busy{Percent: int64(target.Percent) + 10, Cut: true, Days: 1}
			target, _ = r.Next(target, monday.Add(time.Duration(hours)*time.Hour), obs)
			if target.Percent != want {
				t.Errorf("after %d hours: %d, want %d", hours, target.Percent, want)
			}
		})
	}
	if target, _ = r.Next(target, monday.Add(301*time.Hour), Busy{Percent: 150, Cut: true}); target.Percent != 65 {
		t.Errorf("then busy: %d, want 65 at once", target.Percent)
	}
}

// TestTargetMovesOnceForWhatWasSeen: a recommendation that stays the same is
// still that of the target before, until two days have passed. 102 % at a target
// of 80 is 78, and not 76, 74, 72 at the decisions after.
func TestTargetMovesOnceForWhatWasSeen(t *testing.T) {
	r, target := usual(), Target{Percent: 80}
	for _, c := range []struct {
		after time.Duration
		busy  int64
		want  int32
		waits bool
	}{
		{0, 102, 78, false}, {15 * time.Second, 102, 78, true}, {2 * time.Minute, 102, 78, true}, {47 * time.Hour, 102, 78, true},
		// What the new target brings about is no reason to move.
		{47 * time.Hour, 100, 78, false},
		// More than before is, and was not there under the target before either.
		{47*time.Hour + time.Minute, 106, 74, false}, {47*time.Hour + 2*time.Minute, 106, 74, true},
		// Two days later what is obs is the present target's.
		{96 * time.Hour, 106, 68, false},
		{144 * time.Hour, 99, 68, false}, // one point more is not worth a move
		{145 * time.Hour, 98, 70, false},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			var waits bool
			if target, waits = r.Next(target, monday.Add(c.after), Busy{Percent: c.busy}); target.Percent != c.want || waits != c.waits {
				t.Errorf("after %s, %d %%: %d, waits %v; want %d, %v", c.after, c.busy, target.Percent, waits, c.want, c.waits)
			}
		})
	}
}

// TestSomeoneElseMovesTheTarget: what was obs before that does not count, and
// neither does a peak of another target.
func TestSomeoneElseMovesTheTarget(t *testing.T) {
	r := usual()
	found := Target{Percent: 70}.Found(80, monday)
	if got, waits := r.Next(found, monday.Add(time.Hour), Busy{Percent: 95}); got.Percent != 80 || !waits {
		t.Errorf("found %+v, then %+v, waits %v", found, got, waits)
	}
	if same := found.Found(80, monday.Add(time.Hour)); same != found {
		t.Errorf("found again: %+v", same)
	}
	peak := scale.LearnedPeak{Percent: 102, Under: 70, Days: 3}
	if got, _ := r.Next(found, monday.Add(100*time.Hour), BusyOf(peak, 80)); got.Percent != 80 {
		t.Errorf("by a peak of another target: %+v", got)
	}
	peak.Under = 80
	if got, _ := r.Next(found, monday.Add(time.Hour), BusyOf(peak, 80)); got.Percent != 78 {
		t.Errorf("by a peak of its own: %+v", got)
	}
}

// TestUnknownKeepsTheTarget: no recommendation, or no request, is no reason.
func TestUnknownKeepsTheTarget(t *testing.T) {
	for _, known := range [][2]scale.Amount{{0, 1000}, {900, 0}, {-5, 1000}} {
		if got, waits := usual().Next(Target{Percent: 70}, monday, BusyAt(known[0], known[1])); got != (Target{Percent: 70}) || waits {
			t.Errorf("recommended %d of %d: %+v", known[0], known[1], got)
		}
	}
}

// TestTheAdministratorsMinimumWins over a stated, and over a learned, maximum
// (reading T3).
func TestTheAdministratorsMinimumWins(t *testing.T) {
	stated := scale.Bounds{Min: 1, Max: 2, MinReason: scale.MinReplicas, MaxReason: scale.MaxReplicas}
	r := usual()
	r.AdminMin = 3
	if got := r.Bounds(stated, nil); got.Min != 3 || got.Max != 3 {
		t.Errorf("stated 1..2: %+v", got)
	}
	stated.Max = 20
	if got := r.Bounds(stated, &scale.Learned{Min: 1, Max: 2}); got.Min != 3 || got.Max != 3 {
		t.Errorf("learned 1..2: %+v", got)
	}
}

// TestBoundsAreAlwaysValid: whatever is stated, set and learned, the minimum is
// not above the maximum, and the user's maximum is passed only for the
// administrator's minimum.
func TestBoundsAreAlwaysValid(t *testing.T) {
	count := rapid.Int32Range(0, 60)
	draw.Check(t, func(t *rapid.T) {
		stated := scale.Bounds{Min: count.Draw(t, "min"), MinReason: scale.MinReplicas, MaxReason: scale.MaxReplicas}
		stated.Max = max(1, stated.Min) + count.Draw(t, "span")
		r := usual()
		r.AdminMin, r.AdminMax = count.Draw(t, "adminMin"), count.Draw(t, "adminMax")
		learned := &scale.Learned{Min: count.Draw(t, "learnedMin"), Max: count.Draw(t, "learnedMax")}
		got := r.Bounds(stated, learned)
		if got.Min > got.Max || got.Max > max(stated.Max, r.AdminMin) || got.Max < 1 || got.Min < 0 {
			t.Fatalf("stated %+v, admin %d..%d, learned %+v: %+v", stated, r.AdminMin, r.AdminMax, learned, got)
		}
		if least := r.least(); got.Min < least {
			t.Fatalf("%+v is below the administrator's %d", got, least)
		}
		if r.AdminMax > 0 && got.Max > r.AdminMax {
			t.Fatalf("%+v is above the administrator's %d", got, r.AdminMax)
		}
		r.Emergency = true
		up, past := r.Watched(got, Past{}, monday, true)
		if up.Min != got.Max {
			t.Fatalf("in an emergency the minimum is %d, the maximum %d", up.Min, got.Max)
		}
		r.Emergency = false
		before, steps := past.Floor, 0
		for past.Floor > 0 {
			var b scale.Bounds
			b, past = r.Watched(got, past, monday, true)
			if b.Min > before || b.Min > b.Max || b.Min < got.Min {
				t.Fatalf("on the way back: %+v after %d", b, before)
			}
			if before, steps = b.Min, steps+1; steps > 500 {
				t.Fatal("never comes back")
			}
		}
	})
}
