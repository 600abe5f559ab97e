package history

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

func TestBoundsRoundUp(t *testing.T) {
	for value, want := range map[int32]Bounds{
		1: {1, 2}, 2: {1, 4}, 3: {2, 6}, 5: {3, 10}, 10: {5, 20}, math.MaxInt32: {1 << 30, math.MaxInt32},
	} {
		t.Run(fmt.Sprint(value), func(t *testing.T) {
			if got := DefaultFactors().of(value); got != want {
				t.Errorf("bounds of %d are %v, want %v", value, got, want)
			}
		})
	}
	// 1.1 × 10 is 11 exactly: no float makes it 12.
	if got := (Factors{Min: scale.Parts / 10 * 3, Max: scale.Parts / 10 * 11}).of(10); got != (Bounds{3, 11}) {
		t.Errorf("bounds are %v", got)
	}
	// Factors the wrong way round never give a minimum above the maximum.
	if got := (Factors{Min: 3 * scale.Parts, Max: -1}).of(2); got != (Bounds{6, 6}) {
		t.Errorf("bounds are %v", got)
	}
}

func TestAComingPeakFindsItsPods(t *testing.T) {
	s := slotsOf(t, nil)
	s.Observe(monday.Add(8*hour), 4)
	s.Observe(monday.Add(9*hour), 40)
	s.Observe(monday.Add(12*hour), 100)
	next := monday.Add(week)
	for name, c := range map[string]struct {
		at    time.Time
		ahead time.Duration
		want  Bounds
		known bool
	}{
		"only the present":         {next.Add(8 * hour), 0, Bounds{2, 8}, true},
		"just too early":           {next.Add(8*hour + 44*time.Minute), 15 * time.Minute, Bounds{2, 8}, true},
		"the peak is near":         {next.Add(8*hour + 45*time.Minute), 15 * time.Minute, Bounds{20, 80}, true},
		"the peak is now":          {next.Add(9 * hour), 15 * time.Minute, Bounds{20, 80}, true},
		"two peaks":                {next.Add(8 * hour), 4 * hour, Bounds{50, 200}, true},
		"nothing known":            {next.Add(2 * hour), hour, Bounds{}, false},
		"only what comes is known": {next.Add(7 * hour), hour, Bounds{2, Unbounded}, true},
		"the whole week":           {next.Add(20 * hour), 1000 * day, Bounds{50, Unbounded}, true},
		"a negative look":          {next.Add(8 * hour), -hour, Bounds{2, 8}, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, known := s.BoundsAhead(c.at, c.ahead, DefaultFactors())
			if got != c.want || known != c.known {
				t.Errorf("%s: got %v, %v, want %v, %v", name, got, known, c.want, c.known)
			}
		})
	}
	if b, known := s.Bounds(next.Add(9*hour), DefaultFactors()); b != (Bounds{20, 80}) || !known {
		t.Errorf("the slot's own bounds are %v, %v", b, known)
	}
	if _, known := s.Bounds(next, DefaultFactors()); known {
		t.Error("a slot never seen has bounds")
	}
}

// TestALookAheadCrossesWeekAndWindow shows that what comes is judged as of
// then: the window moves on with the week.
func TestALookAheadCrossesWeekAndWindow(t *testing.T) {
	s := slotsOf(t, func(x *Settings) { x.WindowWeeks = 1 })
	s.Observe(monday, 30)
	s.Observe(monday.Add(week-hour), 2)
	if b, _ := s.BoundsAhead(monday.Add(week-time.Minute), hour, DefaultFactors()); b != (Bounds{15, Unbounded}) {
		t.Errorf("before the second Monday: %v", b)
	}
	s.Observe(monday.Add(2*week-hour), 2)
	if b, _ := s.BoundsAhead(monday.Add(2*week-time.Minute), hour, DefaultFactors()); b != (Bounds{1, 4}) {
		t.Errorf("before the third Monday: %v", b)
	}
}

func TestPhases(t *testing.T) {
	s := slotsOf(t, nil)
	start := monday.Add(10*hour + 20*time.Minute)
	want := Progress{Phase: Gathering, Slots: 168, First: monday.Add(11 * hour), Last: monday.Add(week + 10*hour)}
	check := func(at time.Time, want Progress) {
		t.Helper()
		got := s.Phase(at)
		if got.Phase != want.Phase || got.Known != want.Known || got.Slots != want.Slots || !got.First.Equal(want.First) || !got.Last.Equal(want.Last) {
			t.Errorf("progress at %v:\n got %+v\nwant %+v", at, got, want)
		}
	}
	check(start, want)
	s.Observe(start, 3)
	check(start.Add(time.Minute), want)
	check(monday.Add(11*hour), Progress{Phase: PartlyLearned, Known: 1, Slots: 168, Last: monday.Add(week + 10*hour)})
	for at := start; at.Before(monday.Add(week + 10*hour)); at = at.Add(5 * time.Minute) {
		s.Observe(at, 3)
	}
	check(monday.Add(week+10*hour-time.Minute), Progress{Phase: PartlyLearned, Known: 167, Slots: 168, Last: monday.Add(week + 10*hour)})
	check(monday.Add(week+10*hour), Progress{Phase: Learned, Known: 168, Slots: 168})
	// What is no longer fed is forgotten.
	check(monday.Add(10*week), Progress{Phase: Gathering, Slots: 168, First: monday.Add(10*week + hour), Last: monday.Add(11 * week)})
	for phase, name := range map[Phase]string{Gathering: "Gathering", PartlyLearned: "PartlyLearned", Learned: "Learned"} {
		if phase.String() != name {
			t.Errorf("%d prints as %s", phase, phase)
		}
	}
}
