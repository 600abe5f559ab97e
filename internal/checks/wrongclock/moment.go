package wrongclock

import (
	"time"
	"unsafe"
)

// layout is how the time package keeps a moment with both clocks.
type layout struct {
	// wall is a mark that there are two clocks, 33 bits of seconds since 1885, and 30
	// bits of nanoseconds; running is the other clock, in nanoseconds.
	wall    uint64
	running int64
	loc     *time.Location
}

const both = 1 << 63

var since1885 = time.Date(1885, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// Moment returns a moment at which one clock shows what it shows in wall, and the
// other, which is never set, what it shows in running. Running must come from
// time.Now.
func Moment(wall, running time.Time) time.Time {
	out := running
	l := (*layout)(unsafe.Pointer(&out)) //nolint:gosec // G103: there is no other way, and only tests go it.
	if l.wall&both == 0 {
		panic("wrongclock: a moment without a running clock")
	}
	l.wall = both | uint64(wall.Unix()-since1885)<<30 | uint64(wall.Nanosecond())
	return out
}
