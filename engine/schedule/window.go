package schedule

import "time"

// Window is one schedule: when it holds, and what it states then.
type Window struct {
	// Name is what people call it.
	Name string
	// Start and End are by the wall clock of Zone. They are unused where From and
	// Until say the moments themselves.
	Start, End  Cron
	Zone        *time.Location
	From, Until time.Time
	// Min and Max bound the count; nil states nothing.
	Min, Max *int32
	// Freeze are the directions that it forbids.
	Freeze Freeze
}

// Freeze is a set of directions.
type Freeze uint8

// The directions, to be joined by |.
const (
	FreezeUp Freeze = 1 << iota
	FreezeDown
)

// holds tells whether the window is in force at a moment: what happened last was
// its start. A start at the moment of an end begins anew.
func (w *Window) holds(at time.Time) bool {
	if !w.From.IsZero() {
		return !at.Before(w.From) && at.Before(w.Until)
	}
	wall := wallClock(at, w.Zone)
	start, began := w.Start.upTo(wall)
	end, ended := w.End.upTo(wall)
	return began && (!ended || !start.Before(end))
}

// begins is when a window starts that is not in force at a moment.
func (w *Window) begins(at time.Time) time.Time {
	if !w.From.IsZero() {
		return w.From
	}
	start, _ := w.Start.after(wallClock(at, w.Zone))
	return w.moment(start)
}

// ends is when a window that is in force at a moment no longer is.
func (w *Window) ends(at time.Time) time.Time {
	if !w.From.IsZero() {
		return w.Until
	}
	end, _ := w.End.after(wallClock(at, w.Zone))
	return w.moment(end)
}

// changes is when a window begins or ends after a moment; zero is never.
func (w *Window) changes(at time.Time) time.Time {
	switch {
	case w.From.IsZero():
		wall := wallClock(at, w.Zone)
		start, begins := w.Start.after(wall)
		end, ends := w.End.after(wall)
		if !begins || ends && end.Before(start) {
			start = end
		}
		return w.moment(start)
	case at.Before(w.From):
		return w.From
	case at.Before(w.Until):
		return w.Until
	}
	return time.Time{}
}

// moment is when the wall clock of the zone shows a time.
func (w *Window) moment(wall time.Time) time.Time {
	if wall.IsZero() {
		return wall
	}
	return time.Date(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), 0, 0, w.Zone)
}

// wallClock is what the wall clock of a zone shows, written as if it were UTC.
// Where daylight saving turns it back it stands still until it is past what it
// has shown already, so that what is named in that hour happens once. Where it
// is turned forward, what is named in between happens at the first moment after.
func wallClock(at time.Time, zone *time.Location) time.Time {
	local := at.In(zone)
	_, offset := local.Zone()
	shown := at.UTC().Add(time.Duration(offset) * time.Second)
	turned, _ := local.ZoneBounds()
	if turned.IsZero() {
		return shown
	}
	_, before := turned.Add(-time.Nanosecond).Zone()
	last := turned.UTC().Add(time.Duration(before)*time.Second - time.Nanosecond)
	if last.After(shown) {
		return last
	}
	return shown
}
