package history

import (
	"fmt"
	"time"
)

// Slots remembers how many replicas were ready at each time of the week.
//
// For every slot it keeps the largest count of each occurrence within the
// window. The slot's value is the largest of the occurrences before, at most
// the window ago, and of what the present one has shown so far. An occurrence
// that is one week too old is gone at once: nothing fades (readings T1).
type Slots struct {
	settings Settings
	// cells holds depth cells for each slot, newest occurrence first and
	// unused ones last.
	cells []cell
	depth int
}

// cell is one occurrence of a slot and the most replicas seen ready in it.
// A peak of zero marks an unused cell.
type cell struct {
	period int32
	peak   int32
}

// NewSlots returns slots that know nothing yet.
func NewSlots(settings Settings) (*Slots, error) {
	settings, err := settings.checked()
	if err != nil {
		return nil, fmt.Errorf("slots: %w", err)
	}
	// One cell for each occurrence of the window, one for the present, and a
	// spare one: a single observation from a clock that was ahead then costs
	// nothing that is still needed.
	depth := int(settings.window()) + 2
	return &Slots{settings: settings, cells: make([]cell, settings.slots()*depth), depth: depth}, nil
}

// Settings returns how the slots are cut.
func (s *Slots) Settings() Settings { return s.settings }

// Observe notes how many replicas were ready. Replicas that are not ready
// must not be counted: pods that crash would otherwise raise the bounds that
// let more of them start (readings T6). None ready at all teaches nothing, for
// the same reason. A late observation counts for its own occurrence. Observe tells
// whether the observation was of use.
func (s *Slots) Observe(at time.Time, ready int32) bool {
	if ready <= 0 || !plausible(at) {
		return false
	}
	p := s.settings.placeOf(at)
	return raise(s.of(p.slot), cell{period: p.period, peak: ready})
}

// of returns the cells of a slot.
func (s *Slots) of(slot int) []cell { return s.cells[slot*s.depth : (slot+1)*s.depth] }

// raise puts an occurrence into a slot's cells, or raises it there. When all
// cells are in use the oldest occurrence leaves, which may be the new one.
func raise(cells []cell, c cell) bool {
	for i := range cells {
		switch {
		case cells[i].peak != 0 && cells[i].period > c.period:
			continue
		case cells[i].peak != 0 && cells[i].period == c.period:
			cells[i].peak = max(cells[i].peak, c.peak)
		default:
			copy(cells[i+1:], cells[i:])
			cells[i] = c
		}
		return true
	}
	return false
}

// Value returns the slot's value at a moment. A slot has no opinion until one
// of its occurrences is over: what is seen now says nothing about later.
// Later occurrences than the moment's do not count, so the past can be asked.
func (s *Slots) Value(at time.Time) (int32, bool) {
	if !plausible(at) {
		return 0, false
	}
	p := s.settings.placeOf(at)
	value, known := int32(0), false
	for _, c := range s.of(p.slot) {
		if c.peak == 0 || c.period < p.period-s.settings.window() {
			break
		}
		if c.period <= p.period {
			value = max(value, c.peak)
			known = known || c.period < p.period
		}
	}
	if !known {
		return 0, false
	}
	return value, true
}

// Merge adds what other slots know. The order of merging does not matter, and
// merging the same slots again changes nothing.
func (s *Slots) Merge(other *Slots) error {
	if !s.settings.same(other.settings) {
		return fmt.Errorf("slots of different settings cannot be merged")
	}
	for slot := range s.settings.slots() {
		for _, c := range other.of(slot) {
			if c.peak != 0 {
				raise(s.of(slot), c)
			}
		}
	}
	return nil
}
