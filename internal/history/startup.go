package history

import (
	"cmp"
	"slices"
	"time"
)

// Bounds of StartUp.
const (
	MaxStartUps = 32
	// MaxStartUp is the longest start-up that is believed: a pod that becomes
	// ready later has lost its readiness in between.
	MaxStartUp = 30 * time.Minute
)

// StartUp remembers how long the last pods took to become ready.
type StartUp struct {
	// starts are in order, without repetition.
	starts []start
}

// start is one pod's start: when it became ready, in Unix seconds, and the
// milliseconds that took. The same two numbers are taken to be the same pod.
type start struct {
	at     int64
	millis int64
}

func (s start) compare(other start) int {
	return cmp.Or(cmp.Compare(s.at, other.at), cmp.Compare(s.millis, other.millis))
}

// NewStartUp returns a record that knows nothing yet.
func NewStartUp() *StartUp { return &StartUp{} }

// Observe notes that a pod became ready, and how long that took. It tells
// whether the observation was of use.
func (s *StartUp) Observe(at time.Time, took time.Duration) bool {
	if !plausible(at) || took < 0 || took > MaxStartUp {
		return false
	}
	return s.add(start{at: at.Unix(), millis: took.Milliseconds()})
}

// add puts a start into its place. The oldest leaves when there are too many.
func (s *StartUp) add(one start) bool {
	i, found := slices.BinarySearchFunc(s.starts, one, start.compare)
	if found || (i == 0 && len(s.starts) >= MaxStartUps) {
		return false
	}
	s.starts = slices.Insert(s.starts, i, one)
	if len(s.starts) > MaxStartUps {
		s.starts = slices.Delete(s.starts, 0, 1)
	}
	return true
}

// Count is how many starts are remembered.
func (s *StartUp) Count() int { return len(s.starts) }

// Slowest returns the longest start-up remembered.
func (s *StartUp) Slowest() (time.Duration, bool) { return s.quantile(100) }

// Usual returns the start-up that nine of ten pods do not exceed.
func (s *StartUp) Usual() (time.Duration, bool) { return s.quantile(90) }

func (s *StartUp) quantile(percent int) (time.Duration, bool) {
	if len(s.starts) == 0 {
		return 0, false
	}
	var took [MaxStartUps]int64
	for i, one := range s.starts {
		took[i] = one.millis
	}
	sorted := took[:len(s.starts)]
	slices.Sort(sorted)
	rank := (len(sorted)*percent + 99) / 100
	return time.Duration(sorted[rank-1]) * time.Millisecond, true
}
