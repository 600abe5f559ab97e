package checker

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/limit"
)

// behind is by how much what a controller has read of a status may be older than
// what is stored: a watch that broke is tried again after half a minute at the latest.
const behind = 30 * time.Second

// judgeMemory looks at what each decision began with: what the same controller
// remembered last, or what a status had that was there at about that time.
func (c *Checker) judgeMemory(o *object) {
	last := map[string]*look{}
	for _, l := range o.looks {
		c.judged[Memory]++
		if !follows(last[l.who], l) && !o.resumes(l) {
			text, _ := json.Marshal(l.past)
			c.violated(Memory, o.name, l.seen, "%s decided with %s, which is neither what it remembered nor what the status had", l.who, text)
		}
		last[l.who] = l
	}
}

// follows tells whether a look began with what the last one left behind, as it was
// carried out or as it was not.
func follows(last, l *look) bool {
	if last == nil {
		return false
	}
	undone := last.memory
	undone.Events, undone.LastEventAt = last.past.Events, last.past.LastEventAt
	undone.Seen, undone.Replicas = last.past.Seen, last.past.Replicas
	first := undone
	first.Seen, first.Replicas = true, last.from
	return slices.ContainsFunc([]engine.Memory{last.memory, undone, first}, func(m engine.Memory) bool { return sameMemory(m, l.past) })
}

// sameMemory compares what limits go by.
func sameMemory(a, b engine.Memory) bool {
	text := func(m engine.Memory) []byte {
		out, _ := json.Marshal(engine.Memory{Past: m.Past, Seen: m.Seen, Replicas: m.Replicas}) // plain values
		return out
	}
	return bytes.Equal(text(a), text(b))
}

// resumes tells whether a look began with a status that was there at about its
// time. One without any may only begin where none had a memory.
func (o *object) resumes(l *look) bool {
	candidates := o.around(l)
	if len(candidates) == 0 {
		return !l.past.Seen
	}
	return slices.ContainsFunc(candidates, func(s *status) bool { return resumedFrom(s, l) })
}

// around are the versions of an object that a look can have seen.
func (o *object) around(l *look) (candidates []*status) {
	for i := range o.statuses {
		s := &o.statuses[i]
		if s.at.After(l.seen.Add(lag)) {
			break
		}
		if s.at.Before(l.seen.Add(-behind)) {
			candidates = candidates[:0] // only the last of these was still there
		}
		candidates = append(candidates, s)
	}
	return candidates
}

// resumedFrom tells whether a look began with the memory of a status. The newest of
// each list may be taken to have lasted until now.
func resumedFrom(s *status, l *look) bool {
	if s.deleted || s.memory == nil {
		return !l.past.Seen && len(l.past.Highs) == 0 && len(l.past.Events) == 0
	}
	m := *s.memory
	values := func(a, b []limit.TimedValue) bool {
		return slices.EqualFunc(a, b, func(a, b limit.TimedValue) bool { return a.Value == b.Value && !b.At.Before(a.At) })
	}
	return values(m.Highs, l.past.Highs) && values(m.Lows, l.past.Lows) && slices.Equal(m.Events, l.past.Events) &&
		m.LastEventAt.Equal(l.past.LastEventAt) && m.Replicas == l.past.Replicas && m.Sides == l.past.Sides
}

// wrong tells whether a status was decided on by a clock that was wrong. It may be
// written when that is right again.
func (s *status) wrong() bool {
	by := s.decidedAt.Sub(s.at)
	return by > clockStep || by < -clockStep
}

// judgeStatuses: what is stored of one object never goes back in time, unless etcd
// does, or a clock.
func (c *Checker) judgeStatuses(o *object) {
	for i := 1; i < len(o.statuses); i++ {
		a, b := &o.statuses[i-1], &o.statuses[i]
		if a.deleted || b.deleted || a.is.Epoch != b.is.Epoch || a.is.UID != b.is.UID || a.memory == nil {
			continue
		}
		c.judged[Status]++
		back := a.decidedAt.Sub(b.decidedAt)
		switch {
		case b.memory == nil:
			c.violated(Status, o.name, b.at, "the memory is gone")
		case a.wrong() || b.wrong() || c.clockSet(a.at, b.at):
		case back > 0:
			c.violated(Status, o.name, b.at, "the decision of %s was written over that of %s", b.decidedAt.Format(time.TimeOnly), a.decidedAt.Format(time.TimeOnly))
		case a.memory.LastEventAt.After(b.memory.LastEventAt):
			c.violated(Status, o.name, b.at, "the last change was at %s, and then is said to have been at %s", a.memory.LastEventAt, b.memory.LastEventAt)
		}
	}
}
