package history

import (
	"math"
	"time"
)

// encode writes the settings and, slot by slot, the cells in use. Occurrences
// are counted backwards from the newest of all; one that directly precedes the
// one before takes no room, so a cell is usually one or two bytes.
func (s *Slots) encode(w *writer) {
	w.number(uint64(s.settings.Period))
	w.number(uint64(s.settings.SlotHours))
	w.number(uint64(s.settings.WindowWeeks))
	w.text(s.settings.Zone.String())
	newest := s.newest()
	w.number(uint64(newest))
	for slot := range s.settings.slots() {
		used := inUse(s.of(slot))
		w.number(uint64(len(used)))
		previous := newest + 1
		for _, c := range used {
			skipped := uint64(previous - c.period - 1)
			if skipped == 0 {
				w.number(uint64(c.peak) << 1)
			} else {
				w.number(uint64(c.peak)<<1 | 1)
				w.number(skipped)
			}
			previous = c.period
		}
	}
}

// newest is the newest occurrence of any slot.
func (s *Slots) newest() int32 {
	newest := int32(0)
	for _, c := range s.cells {
		newest = max(newest, c.period)
	}
	return newest
}

// inUse returns the cells at the front that hold something.
func inUse(cells []cell) []cell {
	for i, c := range cells {
		if c.peak == 0 {
			return cells[:i]
		}
	}
	return cells
}

// maxPeriod is the latest occurrence a plausible moment can fall into.
const maxPeriod = latest/daySeconds + 1

// decode takes over slots of the same settings, and reads past others.
func (s *Slots) decode(r *reader) {
	settings := decodeSettings(r)
	read, err := NewSlots(settings)
	if r.err != nil || err != nil {
		r.fail("its slots have settings that cannot be: %v", err)
		return
	}
	newest := int32(r.number("newest occurrence", maxPeriod))
	for slot := range settings.slots() {
		decodeCells(r, read.of(slot), newest)
	}
	if r.err == nil && settings.same(s.settings) {
		s.cells = read.cells
	}
}

// decodeSettings reads the settings that slots were learned under. Of the zone
// there is only the name, which decides: a zone itself cannot be kept.
func decodeSettings(r *reader) Settings {
	return Settings{
		Period:      Period(r.number("period", uint64(Daily))),
		SlotHours:   int(r.number("slot width", 24)),
		WindowWeeks: int(r.number("window", MaxWindowWeeks)),
		Zone:        time.FixedZone(r.text("time zone", maxZoneName), 0),
	}
}

// decodeCells fills one slot's cells.
func decodeCells(r *reader, cells []cell, newest int32) {
	n := int(r.number("number of occurrences", uint64(len(cells))))
	next := newest
	for i := range n {
		peak := r.number("peak", math.MaxInt32<<1|1)
		if peak&1 == 1 {
			next -= int32(r.number("gap between occurrences", maxPeriod))
		}
		if peak>>1 == 0 || next < 0 {
			r.fail("an occurrence is empty or before all time")
		}
		if r.err != nil {
			return
		}
		cells[i] = cell{period: next, peak: int32(peak >> 1)}
		next--
	}
}
