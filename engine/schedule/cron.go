package schedule

import (
	"math/bits"
	"time"
)

// Cron is a 5-field cron expression: the bit n of a field is set where it names n.
type Cron struct {
	Minute, Hour, Day, Month, Weekday uint64
	// EitherDay is set where both the day of the month and the weekday are stated:
	// then one of them is enough, as in every cron.
	EitherDay bool
}

// horizon is how many days are looked through for a moment that an expression
// names. The rarest date, 29 February, may be eight years away.
const horizon = 9 * 366

const minutesOfDay = 24 * 60

// Never tells whether no calendar has a day that the expression names, such as
// 30 February.
func (c *Cron) Never() bool {
	_, ok := c.after(time.Date(2096, time.March, 1, 0, 0, 0, 0, time.UTC))
	return !ok
}

// upTo returns the last moment of the wall clock that the expression names and
// that is not after another.
func (c *Cron) upTo(wall time.Time) (time.Time, bool) {
	day, minute := dayOf(wall), minuteOf(wall)
	for range horizon {
		switch {
		case !has(c.Month, int(day.Month())):
			day = time.Date(day.Year(), day.Month(), 1, 0, 0, 0, 0, time.UTC)
		case c.on(day):
			if m, ok := c.lastMinute(minute); ok {
				return day.Add(time.Duration(m) * time.Minute), true
			}
		}
		day, minute = day.AddDate(0, 0, -1), minutesOfDay-1
	}
	return time.Time{}, false
}

// after returns the first moment of the wall clock that the expression names and
// that is after another.
func (c *Cron) after(wall time.Time) (time.Time, bool) {
	day, minute := dayOf(wall), minuteOf(wall)+1
	for range horizon {
		switch {
		case !has(c.Month, int(day.Month())):
			day = time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, time.UTC)
		case c.on(day):
			if m, ok := c.firstMinute(minute); ok {
				return day.Add(time.Duration(m) * time.Minute), true
			}
		}
		day, minute = day.AddDate(0, 0, 1), 0
	}
	return time.Time{}, false
}

// on tells whether the expression names a day of a month that it names.
func (c *Cron) on(day time.Time) bool {
	byDay, byWeekday := has(c.Day, day.Day()), has(c.Weekday, int(day.Weekday()))
	if c.EitherDay {
		return byDay || byWeekday
	}
	return byDay && byWeekday
}

// lastMinute is the last minute of a day that is named, up to another.
func (c *Cron) lastMinute(upTo int) (int, bool) {
	hour := upTo / 60
	if m := bits.Len64(below(c.Minute, upTo%60+1)); has(c.Hour, hour) && m > 0 {
		return hour*60 + m - 1, true
	}
	h, m := bits.Len64(below(c.Hour, hour)), bits.Len64(c.Minute)
	return (h-1)*60 + m - 1, h > 0 && m > 0
}

// firstMinute is the first minute of a day that is named, from another on.
func (c *Cron) firstMinute(from int) (int, bool) {
	hour := from / 60
	if rest := c.Minute &^ below(c.Minute, from%60); has(c.Hour, hour) && rest != 0 {
		return hour*60 + bits.TrailingZeros64(rest), true
	}
	later := c.Hour &^ below(c.Hour, hour+1)
	return bits.TrailingZeros64(later)*60 + bits.TrailingZeros64(c.Minute), later != 0 && c.Minute != 0
}

// below are the bits of a field that stand for less than n.
func below(field uint64, n int) uint64 { return field & (1<<n - 1) }

func has(field uint64, n int) bool { return field&(1<<n) != 0 }

func dayOf(wall time.Time) time.Time {
	return time.Date(wall.Year(), wall.Month(), wall.Day(), 0, 0, 0, 0, time.UTC)
}

func minuteOf(wall time.Time) int { return wall.Hour()*60 + wall.Minute() }
