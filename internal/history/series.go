package history

import (
	"cmp"
	"math"
	"time"

	"github.com/tidemark/tidemark/scale"
)

const (
	// peakInterval is the VPA's rule for memory: one peak a day.
	peakInterval   = int64(24 * time.Hour / time.Second)
	maxSampleCount = math.MaxInt64 / 2
)

// series is one container's usage of one resource. Times are Unix seconds, 0
// for never.
type series struct {
	usage   distribution
	samples int64
	// first and last are the times of the oldest and the newest sample.
	first, last int64
	// The present interval of memory: when it ends, its peak, and the peak
	// that running out of memory left in it.
	intervalEnd  int64
	peak, bumped scale.Amount
	// killedAt is when memory last ran out.
	killedAt int64
}

// add adds a sample.
func (s *series) add(at time.Time, used scale.Amount) {
	s.usage.add(at, used)
	s.count(at)
}

func (s *series) count(at time.Time) {
	s.samples = min(s.samples+1, maxSampleCount)
	if s.first == 0 || at.Unix() < s.first {
		s.first = at.Unix()
	}
	s.last = max(s.last, at.Unix())
}

// addPeak counts a sample of memory, and adds it where it is the interval's
// peak. A sample from an interval that is over comes too late.
func (s *series) addPeak(at time.Time, used scale.Amount) bool {
	if s.intervalEnd != 0 && at.Unix() < s.intervalEnd-peakInterval {
		return false
	}
	if s.raise(at.Unix(), used) {
		s.peak = used
	}
	s.count(at)
	return true
}

// bump records that memory ran out. What earlier bumps asked for is left out
// of the sum, or a container that is killed again and again would grow without
// end.
func (s *series) bump(at time.Time, had scale.Amount, more scale.Share) bool {
	if s.last != 0 && at.Unix() < s.last-peakInterval {
		return false
	}
	used := max(had, s.peak)
	needed := used.Add(more.Of(used))
	if s.raise(at.Unix(), needed) {
		s.bumped = needed
	}
	s.killedAt = max(s.killedAt, at.Unix())
	s.count(at)
	return true
}

// raise makes the amount the peak of its interval, if it is larger. Intervals
// follow each other from the first sample on. The interval's peak stands in
// the histogram at its end, and is taken out again when a larger one comes.
func (s *series) raise(at int64, used scale.Amount) bool {
	s.intervalEnd = cmp.Or(s.intervalEnd, at)
	if at >= s.intervalEnd {
		s.intervalEnd += (at-s.intervalEnd)/peakInterval*peakInterval + peakInterval
		s.peak, s.bumped = 0, 0
	} else {
		old := max(s.peak, s.bumped)
		if used <= old {
			return false
		}
		s.usage.remove(time.Unix(s.intervalEnd, 0), old)
	}
	s.usage.add(time.Unix(s.intervalEnd, 0), used)
	return true
}
