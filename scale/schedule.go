package scale

import "time"

// When is what a step tells of the time that it is about: either is set.
type When struct {
	Schedule *Schedule
	Pause    *Pause
}

// Schedule is what a step tells of a schedule.
type Schedule struct {
	// Name is what people call it.
	Name string
	// Count is the bound that it states, of which the stated replicas may leave less.
	Count int32
	// Until is when it ends, in its own time zone.
	Until time.Time
	// Early is how long before its start it counts already, because pods take as
	// long to start.
	Early time.Duration
}
