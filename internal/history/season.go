package history

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// season is the usual course of a day, for what is looked at minutes ahead: at the
// lead of a resize nothing moves so far by the time of day that it could win.
type season struct {
	// usual is demand by the time of day in UTC, in 256ths of a thousandth; 0 where it
	// was not seen yet.
	usual [daySlots]int64
	// closed are the means of the last slots, the newest first, which are not among the
	// usual ones yet: what is read around now is all of the days before.
	closed [2]int64
	// slot counts those since 1970, and sum and count are of the one that is open.
	slot, sum, count int64
	// expected is the last forecast.
	expected int64
	errors   spread
}

const (
	daySlots   = 96
	slotMillis = 24 * 60 * 60 * 1000 / daySlots
	// seasonalFrom is the lead from which on the day is remembered.
	seasonalFrom = 2 * time.Minute
	// The newest day counts for three tenths of what is usual.
	newestDay, ofDays = 3, 10
	// A day is taken for one between half and twice the usual one.
	mostUnlike = 2
)

// note remembers what was asked for at a moment.
func (s *season) note(now int64, asked scale.Amount) {
	if slot := now / slotMillis; slot != s.slot {
		s.close(slot)
	}
	s.sum, s.count = s.sum+int64(asked), s.count+1
}

// close ends the open slot. Slots without a look leave what is usual as it was.
func (s *season) close(next int64) {
	mean := int64(0)
	if s.count > 0 {
		mean = max(s.sum/s.count<<sizeShift, 1)
	}
	for ; s.slot < next && (mean > 0 || s.closed[0] > 0 || s.closed[1] > 0); s.slot++ {
		if before := s.closed[1]; before > 0 {
			usual := &s.usual[(s.slot-int64(len(s.closed)))%daySlots]
			if *usual == 0 {
				*usual = before
			}
			*usual = nearer(*usual, before, newestDay, ofDays)
		}
		s.closed[1], s.closed[0], mean = s.closed[0], mean, 0
	}
	s.slot, s.sum, s.count = next, 0, 0
}

// at is what is usual at a moment, 0 where that is not known.
func (s *season) at(now int64) int64 {
	since := now - slotMillis/2
	a, b := s.usual[since/slotMillis%daySlots], s.usual[(since/slotMillis+1)%daySlots]
	if a == 0 || b == 0 {
		return 0
	}
	return nearer(a, b, since%slotMillis, slotMillis)
}

// forecast is what another forecast becomes by the time of day.
func (s *season) forecast(of, now, takes int64) int64 {
	from, to := s.at(now), s.at(now+takes)
	if from == 0 || to == 0 {
		return of
	}
	like := min(max(of, from/mostUnlike), from*mostUnlike)
	if to >= from {
		return min(of+int64(scale.Amount(to-from).Share(like, from)), mostSize)
	}
	return max(of-int64(scale.Amount(from-to).Share(like, from)), 0)
}
