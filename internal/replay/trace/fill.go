package trace

import (
	"fmt"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Filling is what to put into gaps.
type Filling uint8

// The fillings. Hold leaves gaps as they are: whoever replays the trace holds
// the last value.
const (
	Hold Filling = iota
	Interpolate
	Zero
)

// fillings are the words for them.
var fillings = map[string]Filling{"hold": Hold, "interpolate": Interpolate, "zero": Zero}

// ParseFilling reads the word for a filling.
func ParseFilling(word string) (Filling, error) {
	f, ok := fillings[word]
	if !ok {
		return Hold, fmt.Errorf("gaps can be filled by hold, interpolate or zero, got %q", shortened(word))
	}
	return f, nil
}

// Fill returns the trace with its gaps filled, and how many points that made.
func (t Trace) Fill(by Filling) (filled Trace, made int, err error) {
	if by == Hold || len(t.Gaps()) == 0 {
		return t, 0, nil
	}
	out := Trace{Step: t.Step}
	for i, p := range t.Points {
		out.Points = append(out.Points, p)
		if i+1 == len(t.Points) || !t.until(i).Before(t.Points[i+1].At) {
			continue
		}
		if t.Points[i+1].At.Sub(p.At)/t.Step > time.Duration(MaxPoints-len(out.Points)) {
			return t, 0, fmt.Errorf("%w: with its gaps filled it has more than %d points", ErrTooLong, MaxPoints)
		}
		for at := t.until(i); at.Before(t.Points[i+1].At); at = at.Add(t.Step) {
			point := Point{At: at}
			if by == Interpolate {
				point.Value = p.Toward(t.Points[i+1], at)
			}
			out.Points = append(out.Points, point)
			made++
		}
	}
	return out, made, nil
}

// Toward is the value at a moment on the straight line from a point to a later
// one. Whole milliseconds keep the product small enough to be exact.
func (p Point) Toward(next Point, at time.Time) scale.Amount {
	part, whole := at.Sub(p.At).Milliseconds(), max(next.At.Sub(p.At).Milliseconds(), 1)
	if next.Value >= p.Value {
		return p.Value + (next.Value-p.Value).Share(part, whole)
	}
	return next.Value + (p.Value-next.Value).Share(whole-part, whole)
}
