package policy

import (
	"time"
	// The time zones are built in, so that a spec means the same everywhere.
	_ "time/tzdata"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/fault"
)

// windows compiles the maintenance windows.
func (c *compiler) windows() []limit.Window {
	var out []limit.Window
	for i, w := range c.spec.MaintenanceWindows {
		path := fault.Path("maintenanceWindows").Index(i)
		window := limit.Window{
			Start: c.timeOfDay(path.Field("start"), w.Start), End: c.timeOfDay(path.Field("end"), w.End),
			Zone: c.zone(path.Field("timeZone"), w.TimeZone),
		}
		for j, day := range w.Days {
			at, ok := weekdays[day]
			if !ok {
				c.faults.Add(path.Field("days").Index(j), "must be one of Mon, Tue, Wed, Thu, Fri, Sat, Sun, got %q", day)
			}
			window.Days[at] = true
		}
		out = append(out, window)
	}
	return out
}

var weekdays = map[v1alpha1.Weekday]time.Weekday{
	v1alpha1.WeekdayMon: time.Monday, v1alpha1.WeekdayTue: time.Tuesday, v1alpha1.WeekdayWed: time.Wednesday,
	v1alpha1.WeekdayThu: time.Thursday, v1alpha1.WeekdayFri: time.Friday, v1alpha1.WeekdaySat: time.Saturday, v1alpha1.WeekdaySun: time.Sunday,
}

// timeOfDay reads 22:00 as minutes after midnight.
func (c *compiler) timeOfDay(path fault.Path, text string) int {
	t, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		c.faults.Add(path, "must be a time of day such as 22:00, got %q", text)
	}
	return t.Hour()*60 + t.Minute()
}

func (c *compiler) zone(path fault.Path, name string) *time.Location {
	if name == "Local" {
		c.faults.Add(path, "must name a place, such as Europe/Berlin: Local would mean another time on every machine")
		return time.UTC
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		c.faults.Add(path, "must be a time zone such as Europe/Berlin or UTC, got %q", name)
		return time.UTC
	}
	return zone
}

// update compiles when a direction may change.
func (c *compiler) update(path fault.Path, u v1alpha1.UpdateMode) limit.Update {
	switch u {
	case "", v1alpha1.UpdateAuto:
		return limit.Always
	case v1alpha1.UpdateOff:
		return limit.Never
	case v1alpha1.UpdateMaintenanceWindow:
		if len(c.spec.MaintenanceWindows) == 0 {
			c.faults.Add(path, "needs maintenanceWindows: without one the direction could never change")
		}
		return limit.InWindow
	}
	oneOf(c, path, u, v1alpha1.UpdateAuto, v1alpha1.UpdateOff, v1alpha1.UpdateMaintenanceWindow)
	return limit.Never
}
