package limit

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Delta is a change of the total of one container's resource.
type Delta struct {
	Resource scale.Resource
	// Applied is the total there is, Wanted the total there should be.
	Applied, Wanted scale.Amount
	// AtLimit is set while some pod uses all it may: then nobody can show
	// how much more is needed, however small it is.
	AtLimit bool
}

// Update tells when a direction may change anything.
type Update uint8

// The updates.
const (
	Always Update = iota
	Never
	InWindow
)

// NeedsDeltas tells whether some direction looks at changes of totals.
func (r *Rules) NeedsDeltas() bool {
	return r.Up.MinChange != scale.Shares{} || r.Down.MinChange != scale.Shares{}
}

// SmallChange keeps a change back that no resource makes large enough. One that
// does lets all of them pass.
func SmallChange(c *Change) Verdict {
	if c.Side == scale.None || len(c.Deltas) == 0 || !c.Rules.NeedsDeltas() {
		return Verdict{}
	}
	least := &c.Rules.direction(c.Side).MinChange
	for _, delta := range c.Deltas {
		move := delta.Wanted - delta.Applied
		if c.Side == scale.Down {
			move = -move
		}
		starving := delta.AtLimit && c.Side == scale.Up
		if move > 0 && (starving || move >= least[delta.Resource].Of(delta.Applied)) {
			return Verdict{}
		}
	}
	return c.hold(scale.MinChange, 0)
}

// Updated keeps a direction shut that is off, or outside its windows.
func Updated(c *Change) Verdict {
	if c.Side == scale.None {
		return Verdict{}
	}
	switch c.Rules.direction(c.Side).Update {
	case Never:
		return Verdict{Reason: scale.UpdateOff, Count: c.Bounds.Clamp(c.Current), Hold: true}
	case InWindow:
		if !open(c.Rules.Windows, c.At) {
			return c.hold(scale.MaintenanceWindow, 0)
		}
	}
	return Verdict{}
}

// Window is a daily stretch of time in a time zone. It may cross midnight;
// then it belongs to the day it starts on.
type Window struct {
	// Start and End are minutes after midnight; equal ones mean 24 hours.
	Start, End int
	Zone       *time.Location
	// Days are the weekdays it starts on; none means every day.
	Days [7]bool
}

func open(windows []Window, at time.Time) bool {
	for i := range windows {
		if windows[i].contains(at) {
			return true
		}
	}
	return false
}

// contains looks at the wall clock, so a window keeps its hours when daylight
// saving begins or ends.
func (w *Window) contains(at time.Time) bool {
	local := at.In(w.Zone)
	minute, day := local.Hour()*60+local.Minute(), local.Weekday()
	yesterday := (day + 6) % 7
	switch {
	case w.Start < w.End:
		return w.on(day) && minute >= w.Start && minute < w.End
	case minute >= w.Start:
		return w.on(day)
	}
	return minute < w.End && w.on(yesterday)
}

func (w *Window) on(day time.Weekday) bool { return w.Days == [7]bool{} || w.Days[day] }
