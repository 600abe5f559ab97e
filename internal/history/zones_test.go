package history

import (
	"testing"
	"time"
)

// zones change their clocks in every way there is: by an hour, by half an
// hour, at midnight, not at all; north and south.
var zones = []string{
	"Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "America/Santiago", "Asia/Kathmandu", "Africa/Casablanca", "UTC",
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// occurrence is what a person would call a slot's occurrence: the date of its
// Monday, or its own, the weekday and the hour.
type occurrence struct {
	date    string
	weekday time.Weekday
	hour    int
}

func occurrenceOf(s Settings, at time.Time) occurrence {
	local := at.In(s.Zone)
	o := occurrence{hour: local.Hour() / s.SlotHours}
	noon := time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, time.UTC)
	if s.Period == Weekly {
		o.weekday = local.Weekday()
		noon = noon.AddDate(0, 0, -(int(local.Weekday())+6)%7)
	}
	o.date = noon.Format(time.DateOnly)
	return o
}

// before returns the same slot's occurrence some periods earlier.
func (o occurrence) before(s Settings, periods int) occurrence {
	days := 1
	if s.Period == Weekly {
		days = 7
	}
	date, _ := time.Parse(time.DateOnly, o.date)
	o.date = date.AddDate(0, 0, -days*periods).Format(time.DateOnly)
	return o
}

// TestAYearInEveryZone walks through a year and compares every value with a
// record kept by calendar and clock, written the way people read them. No
// change of the clock may lose an observation or count it for another slot.
func TestAYearInEveryZone(t *testing.T) {
	for _, name := range zones {
		for _, settings := range []Settings{
			{Period: Weekly, SlotHours: 1, WindowWeeks: 4},
			{Period: Daily, SlotHours: 2, WindowWeeks: 1},
		} {
			settings.Zone = zone(t, name)
			walkYear(t, settings)
		}
	}
}

func walkYear(t *testing.T, settings Settings) {
	t.Helper()
	s, err := NewSlots(settings)
	if err != nil {
		t.Fatal(err)
	}
	record := map[occurrence]int32{}
	window := int(s.settings.window())
	for i := range int32(365 * 24 * 4) {
		at := monday.Add(time.Duration(i) * 15 * time.Minute)
		ready := 1 + i*7919%1000
		here := occurrenceOf(s.settings, at)
		record[here] = max(record[here], ready)
		if !s.Observe(at, ready) {
			t.Fatalf("%s: an observation was lost", at.In(settings.Zone))
		}
		if i%4 != 0 {
			continue
		}
		want, known := record[here], false
		for ago := 1; ago <= window; ago++ {
			earlier := record[here.before(s.settings, ago)]
			want, known = max(want, earlier), known || earlier > 0
		}
		if got, ok := s.Value(at); ok != known || (ok && got != want) {
			t.Fatalf("%s: value is %d, %v, want %d, %v", at.In(settings.Zone), got, ok, want, known)
		}
	}
}

// TestSlotsFollowEachOtherWithoutGaps walks from slot to slot through a year
// and compares with a walk by the minute.
func TestSlotsFollowEachOtherWithoutGaps(t *testing.T) {
	for _, name := range zones {
		for _, width := range []int{1, 3, 24} {
			s := slotsOf(t, func(x *Settings) { x.Zone, x.SlotHours = zone(t, name), width })
			end := monday.Add(365 * day)
			next := s.leave(monday)
			here := s.settings.placeOf(monday)
			for at := monday; at.Before(end); at = at.Add(5 * time.Minute) {
				if now := s.settings.placeOf(at); now != here {
					if !at.Equal(next) {
						t.Fatalf("%s: the slot changes at %s, expected at %s", name, at.In(s.settings.Zone), next.In(s.settings.Zone))
					}
					here, next = now, s.leave(at)
				}
			}
		}
	}
}

// TestASkippedHourIsStillLearned shows that the hour which summer time skips
// keeps what earlier weeks know, and that learning ends a week later for it if
// that was the week it was first due.
func TestASkippedHourIsStillLearned(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	skipped := time.Date(2026, 3, 29, 2, 0, 0, 0, time.UTC) // 02:00 to 03:00 does not exist in Berlin.
	s := slotsOf(t, func(x *Settings) { x.Zone = berlin })
	at := time.Date(2026, 3, 22, 2, 30, 0, 0, berlin)
	s.Observe(at, 6)
	for weeks, want := range map[int]int32{2: 6, 4: 6, 5: 0} {
		wantValue(t, s, at.AddDate(0, 0, 7*weeks), want)
	}
	fresh := slotsOf(t, func(x *Settings) { x.Zone = berlin })
	p := fresh.Phase(skipped.AddDate(0, 0, -1))
	if want := time.Date(2026, 4, 5, 3, 0, 0, 0, berlin); !p.Last.Equal(want) {
		t.Errorf("the last slot is known at %v, want %v", p.Last.In(berlin), want)
	}
	// The hour that comes twice is one occurrence of one slot.
	first := time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC)
	a, b := s.settings.placeOf(first), s.settings.placeOf(first.Add(hour))
	if a != b || first.In(berlin).Hour() != 2 || first.Add(hour).In(berlin).Hour() != 2 {
		t.Errorf("02:30 in summer is %v, 02:30 in winter is %v", a, b)
	}
}
