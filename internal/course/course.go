package course

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// The steps of a course, and how far back it goes in each.
const (
	Fine   = 15 * time.Second
	Coarse = 5 * time.Minute
	Day    = 24 * time.Hour
	Weeks  = 28 * Day
)

// Unknown is a room that nobody saw.
const Unknown scale.Amount = -1

// Course is what a workload was asked for, and what its nodes had left.
type Course struct {
	day, weeks series
}

// New returns a course that knows nothing yet.
func New() *Course {
	return &Course{day: newSeries(Fine, Day), weeks: newSeries(Coarse, Weeks)}
}

// Sample is what was measured at a moment.
type Sample struct {
	At time.Time
	// Used is the cpu that all pods used.
	Used scale.Amount
	// Room is what nodes had left, in thousandths of the requests, or Unknown.
	Room scale.Amount
}

// Observe adds a sample. One that is older than the last is of no use, and neither
// is a moment that cannot be.
func (c *Course) Observe(s Sample) {
	if s.At.Year() < 2000 || s.At.Year() > 2200 || s.Used < 0 {
		return
	}
	c.day.add(s)
	c.weeks.add(s)
}

// Newest is the end of what is known; zero where nothing is.
func (c *Course) Newest() time.Time {
	if c.day.last == 0 {
		return time.Time{}
	}
	return time.Unix((c.day.last+1)*int64(Fine/time.Second), 0).UTC()
}

// series is a ring of steps. Each holds the mean of its samples.
type series struct {
	step int64 // seconds
	// last is the newest step, counted from the beginning of Unix time; 0 is none.
	last int64
	used []uint16
	// rooms are those of two steps each.
	rooms []uint8
	// now is what the newest step is the mean of.
	now mean
}

type mean struct {
	used, room   scale.Amount
	count, rooms int64
}

func newSeries(step, length time.Duration) series {
	n := int(length / step)
	s := series{step: int64(step / time.Second), used: make([]uint16, n), rooms: make([]uint8, n/2)}
	for i := range s.used {
		s.used[i] = noAmount
	}
	for i := range s.rooms {
		s.rooms[i] = noRoom
	}
	return s
}

func (s *series) add(one Sample) {
	at := one.At.Unix() / s.step
	switch {
	case at < s.last:
		return
	case at > s.last:
		s.moveTo(at)
	}
	s.now.used, s.now.count = s.now.used.Add(one.Used), s.now.count+1
	if one.Room >= 0 {
		s.now.room, s.now.rooms = s.now.room.Add(one.Room), s.now.rooms+1
		s.rooms[s.roomAt(at)] = packRoom(s.now.room / scale.Amount(s.now.rooms))
	}
	s.used[s.at(at)] = packAmount(s.now.used / scale.Amount(s.now.count))
}

// moveTo begins a step. Those in between are unknown.
func (s *series) moveTo(at int64) {
	from := max(s.last+1, at-int64(len(s.used))+1)
	for i := from; i <= at; i++ {
		s.used[s.at(i)] = noAmount
		if i%2 == 0 || i == from {
			s.rooms[s.roomAt(i)] = noRoom
		}
	}
	s.last, s.now = at, mean{}
}

func (s *series) at(step int64) int     { return int(step % int64(len(s.used))) }
func (s *series) roomAt(step int64) int { return int(step / 2 % int64(len(s.rooms))) }

// of is what is known of a step.
func (s *series) of(step int64) (used, room scale.Amount, known bool) {
	if step > s.last || step <= s.last-int64(len(s.used)) || s.last == 0 {
		return 0, Unknown, false
	}
	packed := s.used[s.at(step)]
	if packed == noAmount {
		return 0, Unknown, false
	}
	return unpackAmount(packed), unpackRoom(s.rooms[s.roomAt(step)]), true
}
