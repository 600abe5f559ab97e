package history

import (
	"math"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Factors turn a slot's value into bounds. They are in billionths, see
// scale.Parts.
type Factors struct {
	Min, Max int64
}

// DefaultFactors are those of the Tortoise design: half and twice the value.
func DefaultFactors() Factors { return Factors{Min: scale.Parts / 2, Max: 2 * scale.Parts} }

// Bounds are learned replica counts, with 1 <= Min <= Max.
type Bounds struct {
	Min int32
	// Max is Unbounded where the present slot has no opinion.
	Max int32
}

// Unbounded is a maximum that bounds nothing.
const Unbounded = math.MaxInt32

// of returns the bounds of a value, both rounded up.
func (f Factors) of(value int32) Bounds {
	least := max(1, times(f.Min, value))
	return Bounds{Min: least, Max: max(least, times(f.Max, value))}
}

func times(factor int64, value int32) int32 {
	return scale.NewRatio(scale.Product{factor, 1}, scale.Product{}, scale.Product{scale.Parts, 1}).Ceil(value)
}

// Bounds returns the bounds of the slot of a moment. False means that the
// slot has no opinion.
func (s *Slots) Bounds(at time.Time, f Factors) (Bounds, bool) {
	value, known := s.Value(at)
	if !known {
		return Bounds{}, false
	}
	return f.of(value), true
}

// BoundsAhead returns the larger of the bounds of the present slot and of
// those that begin within a time, so that a peak that is coming finds its pods
// ready. Slots without an opinion do not take part; while that is the present
// one, nothing bounds the count from above.
func (s *Slots) BoundsAhead(at time.Time, ahead time.Duration, f Factors) (Bounds, bool) {
	value, present := s.Value(at)
	coming, known := s.valueAhead(at, ahead)
	if !present && !known {
		return Bounds{}, false
	}
	b := f.of(max(value, coming))
	if !present {
		b.Max = Unbounded
	}
	return b, true
}

// valueAhead returns the largest value of the slots that begin within a time.
// After a whole period every slot has begun.
func (s *Slots) valueAhead(at time.Time, ahead time.Duration) (value int32, known bool) {
	if !plausible(at) {
		return 0, false
	}
	end := at.Add(min(ahead, time.Duration(s.settings.slots()*s.settings.SlotHours)*time.Hour))
	for t := s.settings.nextChange(at); !t.After(end); t = s.settings.nextChange(t) {
		if v, ok := s.Value(t); ok {
			value, known = max(value, v), true
		}
	}
	return value, known
}
