package history

import "time"

// Phase says how much the slots know.
type Phase uint8

// The phases: nothing, some slots, all of them.
const (
	Gathering Phase = iota
	PartlyLearned
	Learned
)

// String names the phase as its users see it.
func (p Phase) String() string {
	return [...]string{"Gathering", "PartlyLearned", "Learned"}[p]
}

// Progress tells how far learning has come.
type Progress struct {
	Phase Phase
	// Known of Slots will have an opinion when they next come.
	Known, Slots int
	// First and Last are when the first and the last slot will be known if
	// pods are ready from now on. First is zero once any slot is known, Last
	// once all are.
	First, Last time.Time
}

// Phase returns the progress at a moment. A slot is known when one of its
// occurrences is over, and for as long as one is within the window of its next.
func (s *Slots) Phase(at time.Time) Progress {
	p := Progress{Slots: s.settings.slots()}
	if !plausible(at) {
		return p
	}
	var met [weekDays * 24]bool
	left := p.Slots
	// Each slot is met once in a period, except where summer time skips one:
	// that one is met a period later.
	for limit := 3 * p.Slots; left > 0 && limit > 0; limit-- {
		here := s.settings.placeOf(at)
		next := s.leave(at)
		if !met[here.slot] {
			met[here.slot] = true
			left--
			p.count(s, at, next)
		}
		at = next
	}
	switch p.Known {
	case 0:
		p.Phase = Gathering
	case p.Slots:
		p.Phase = Learned
	default:
		p.Phase = PartlyLearned
	}
	if p.Known > 0 {
		p.First = time.Time{}
	}
	return p
}

// count adds the slot of a moment, whose occurrence ends at another.
func (p *Progress) count(s *Slots, at, end time.Time) {
	if _, known := s.Value(at); known {
		p.Known++
		return
	}
	if p.First.IsZero() {
		p.First = end
	}
	p.Last = end
}

// leave returns when the slot of a moment is left, which a clock that is set
// back may put off.
func (s *Slots) leave(at time.Time) time.Time {
	here := s.settings.placeOf(at)
	next := s.settings.nextChange(at)
	for s.settings.placeOf(next) == here {
		next = s.settings.nextChange(next)
	}
	return next
}
