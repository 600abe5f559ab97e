package history

import (
	"fmt"
	"testing"
	"time"
	_ "time/tzdata" // The tests must not depend on the machine's zones.
)

// monday is the Monday the tests begin at.
var monday = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)

const (
	hour = time.Hour
	day  = 24 * hour
	week = 7 * day
)

func slotsOf(t testing.TB, change func(*Settings)) *Slots {
	t.Helper()
	settings := DefaultSettings()
	if change != nil {
		change(&settings)
	}
	s, err := NewSlots(settings)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantValue(t *testing.T, s *Slots, at time.Time, want int32) {
	t.Helper()
	got, known := s.Value(at)
	if got != want || known != (want > 0) {
		t.Errorf("value at %s is %d, %v, want %d", at.Format(time.RFC1123), got, known, want)
	}
}

func TestAnObservationCountsForTheWindowAndNotLonger(t *testing.T) {
	for weeks := 1; weeks <= MaxWindowWeeks; weeks++ {
		for period, gap := range map[Period]time.Duration{Weekly: week, Daily: day} {
			s := slotsOf(t, func(x *Settings) { x.WindowWeeks, x.Period = weeks, period })
			s.Observe(monday.Add(10*hour), 7)
			window := time.Duration(weeks) * week
			for ago := gap; ago <= window; ago += gap {
				wantValue(t, s, monday.Add(10*hour+ago), 7)
				wantValue(t, s, monday.Add(11*hour-1+ago), 7)
			}
			wantValue(t, s, monday.Add(10*hour+window+gap), 0)
			wantValue(t, s, monday.Add(9*hour+gap), 0)
			wantValue(t, s, monday.Add(11*hour+gap), 0)
		}
	}
}

func TestASlotHasNoOpinionWhileItIsFirstSeen(t *testing.T) {
	s := slotsOf(t, nil)
	s.Observe(monday, 3)
	wantValue(t, s, monday.Add(59*time.Minute), 0)
	wantValue(t, s, monday.Add(week), 3)
	// The present raises what is known at once: growth must not wait a week.
	s.Observe(monday.Add(week), 9)
	wantValue(t, s, monday.Add(week), 9)
}

func TestTheLargestOfTheWindowCounts(t *testing.T) {
	s := slotsOf(t, nil)
	for i, ready := range []int32{8, 3, 5, 2} {
		s.Observe(monday.Add(time.Duration(i)*week), ready)
	}
	for i, want := range map[int]int32{4: 8, 5: 5, 6: 5, 7: 2, 8: 0} {
		wantValue(t, s, monday.Add(time.Duration(i)*week), want)
	}
}

func TestLateAndOldObservations(t *testing.T) {
	s := slotsOf(t, nil)
	s.Observe(monday.Add(5*week), 2)
	s.Observe(monday.Add(3*week), 6)
	wantValue(t, s, monday.Add(6*week), 6)
	wantValue(t, s, monday.Add(7*week), 6)
	wantValue(t, s, monday.Add(8*week), 2)
	for i := range 6 {
		s.Observe(monday.Add(time.Duration(10+i)*week), 1)
	}
	if s.Observe(monday, 50) {
		t.Error("an observation older than everything kept was of use")
	}
	wantValue(t, s, monday.Add(16*week), 1)
}

// TestAClockThatWasAhead shows that one observation from the far future costs
// nothing, and that the slots go on learning.
func TestAClockThatWasAhead(t *testing.T) {
	s := slotsOf(t, nil)
	for i := range 4 {
		s.Observe(monday.Add(time.Duration(i)*week), int32(10-i))
	}
	s.Observe(monday.Add(520*week), 1000)
	wantValue(t, s, monday.Add(4*week), 10)
	s.Observe(monday.Add(4*week), 4)
	for i, want := range map[int]int32{5: 9, 6: 8, 7: 7, 8: 4} {
		wantValue(t, s, monday.Add(time.Duration(i)*week), want)
	}
}

func TestWhatIsNotAnObservation(t *testing.T) {
	s := slotsOf(t, nil)
	for _, at := range []time.Time{{}, time.Unix(0, 0), time.Unix(1<<40, 0), time.Unix(-1<<40, 0)} {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			if s.Observe(at, 5) {
				t.Errorf("%v was of use", at)
			}
			wantValue(t, s, at, 0)
			if _, known := s.BoundsAhead(at, hour, DefaultFactors()); known {
				t.Errorf("there are bounds at %v", at)
			}
			if p := s.Phase(at); p.Phase != Gathering {
				t.Errorf("phase at %v is %v", at, p)
			}
		})
	}
	if s.Observe(monday, 0) || s.Observe(monday, -3) {
		t.Error("no ready replica was of use")
	}
}

func TestSettingsAreRefused(t *testing.T) {
	for name, change := range map[string]func(*Settings){
		// A width that does not divide a day once made slots without end.
		"width 5":       func(s *Settings) { s.SlotHours = 5 },
		"width 0":       func(s *Settings) { s.SlotHours = 0 },
		"width 48":      func(s *Settings) { s.SlotHours = 48 },
		"no window":     func(s *Settings) { s.WindowWeeks = 0 },
		"long window":   func(s *Settings) { s.WindowWeeks = MaxWindowWeeks + 1 },
		"local zone":    func(s *Settings) { s.Zone = time.Local },
		"no such cycle": func(s *Settings) { s.Period = 2 },
	} {
		t.Run(name, func(t *testing.T) {
			settings := DefaultSettings()
			change(&settings)
			if _, err := NewSlots(settings); err == nil {
				t.Errorf("%s was accepted", name)
			}
		})
	}
	if s, err := NewSlots(Settings{SlotHours: 24, WindowWeeks: 1}); err != nil || s.Settings().Zone != time.UTC {
		t.Errorf("no zone is not UTC: %v", err)
	}
}

func TestEveryWidth(t *testing.T) {
	for _, width := range []int{1, 2, 3, 4, 6, 8, 12, 24} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			s := slotsOf(t, func(x *Settings) { x.SlotHours = width })
			for h := range 7 * 24 {
				s.Observe(monday.Add(time.Duration(h)*hour), int32(h+1))
			}
			for h := range 7 * 24 {
				wantValue(t, s, monday.Add(week+time.Duration(h)*hour), int32(h/width*width+width))
			}
			if p := s.Phase(monday.Add(week)); p.Phase != Learned || p.Slots != 7*24/width {
				t.Errorf("width %d: after a week the phase is %+v", width, p)
			}
		})
	}
}
