package history

import (
	"cmp"
	"fmt"
	"time"
)

// Period says which slots are the same.
type Period uint8

// The periods: the same hour of the same weekday, or of every day.
const (
	Weekly Period = iota
	Daily
)

func (p Period) String() string {
	if p == Daily {
		return "Daily"
	}
	return "Weekly"
}

// Bounds of Settings.
const (
	MaxWindowWeeks = 8
	maxZoneName    = 64
)

const (
	daySeconds  = 24 * 60 * 60
	hourSeconds = 60 * 60
	weekDays    = 7
	// epochWeekday is how many days the first day of Unix time, a Thursday,
	// comes after the Monday from which weeks are counted.
	epochWeekday = 3
)

// Settings say how time is cut into slots and how long they are remembered.
type Settings struct {
	Period Period
	// SlotHours is the width of a slot. It divides 24, so that slots begin at
	// the same hours every day.
	SlotHours int
	// WindowWeeks is for how many weeks an observation counts.
	WindowWeeks int
	// Zone is the clock that hours and weekdays are read from; nil is UTC.
	Zone *time.Location
}

// DefaultSettings are those of the Tortoise design.
func DefaultSettings() Settings {
	return Settings{Period: Weekly, SlotHours: 1, WindowWeeks: 4, Zone: time.UTC}
}

// checked returns the settings with their zone filled in, or what is wrong.
func (s Settings) checked() (Settings, error) {
	s.Zone = cmp.Or(s.Zone, time.UTC)
	switch {
	case s.Period != Weekly && s.Period != Daily:
		return s, fmt.Errorf("period must be Weekly or Daily, got %d", s.Period)
	case s.SlotHours < 1 || 24%s.SlotHours != 0:
		return s, fmt.Errorf("slot width must divide 24 hours: use 1, 2, 3, 4, 6, 8, 12 or 24, got %d", s.SlotHours)
	case s.WindowWeeks < 1 || s.WindowWeeks > MaxWindowWeeks:
		return s, fmt.Errorf("window must be between 1 and %d weeks, got %d", MaxWindowWeeks, s.WindowWeeks)
	case s.Zone == time.Local:
		return s, fmt.Errorf("time zone must be named: the local zone means something else on every machine")
	case len(s.Zone.String()) > maxZoneName:
		return s, fmt.Errorf("time zone name must have at most %d characters, got %d", maxZoneName, len(s.Zone.String()))
	}
	return s, nil
}

// same tells whether slots of both settings can be joined.
func (s Settings) same(other Settings) bool {
	return s.Period == other.Period && s.SlotHours == other.SlotHours && s.WindowWeeks == other.WindowWeeks &&
		s.Zone.String() == other.Zone.String()
}

// Differences names the settings that keep slots from being joined with those of
// other settings, and both values of each. There are none where they can be.
func (s Settings) Differences(other Settings) []string {
	var out []string
	note := func(name string, here, there any) {
		if here != there {
			out = append(out, fmt.Sprintf("%s is %v there and %v here", name, there, here))
		}
	}
	note("period", s.Period, other.Period)
	note("slotHours", s.SlotHours, other.SlotHours)
	note("windowWeeks", s.WindowWeeks, other.WindowWeeks)
	note("timeZone", s.Zone.String(), other.Zone.String())
	return out
}

// slots is how many slots a period has.
func (s Settings) slots() int {
	if s.Period == Weekly {
		return weekDays * 24 / s.SlotHours
	}
	return 24 / s.SlotHours
}

// window is how many periods an observation counts for.
func (s Settings) window() int32 {
	if s.Period == Weekly {
		return int32(s.WindowWeeks)
	}
	return int32(weekDays * s.WindowWeeks)
}

// place is where a moment falls: the slot, and which of its occurrences, in
// periods since the epoch.
type place struct {
	slot   int
	period int32
}

// placeOf reads the zone's wall clock. An hour that summer time repeats falls
// into the same occurrence twice, an hour it skips is never read.
func (s Settings) placeOf(at time.Time) place {
	_, offset := at.In(s.Zone).Zone()
	local := at.Unix() + int64(offset)
	day, hour := local/daySeconds, local%daySeconds/hourSeconds
	slot := int(hour) / s.SlotHours
	if s.Period == Daily {
		return place{slot: slot, period: int32(day)}
	}
	day += epochWeekday
	return place{slot: int(day%weekDays)*24/s.SlotHours + slot, period: int32(day / weekDays)}
}

// nextChange returns the first moment after at when the wall clock enters a
// slot or is set forward or back.
func (s Settings) nextChange(at time.Time) time.Time {
	local := at.In(s.Zone)
	_, offset := local.Zone()
	width := int64(s.SlotHours * hourSeconds)
	next := time.Unix(at.Unix()+width-(at.Unix()+int64(offset))%width, 0)
	if _, change := local.ZoneBounds(); !change.IsZero() && change.Before(next) {
		return change
	}
	return next
}

// Moments outside these years are mistakes, and would not fit.
const (
	earliest = 1 << 26 // February 1972
	latest   = 1 << 33 // March 2242
)

// plausible tells whether a moment can have been observed at all.
func plausible(at time.Time) bool { return at.Unix() >= earliest && at.Unix() < latest }
