package trace

import (
	"fmt"
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Resample returns the trace in even steps from its first point on. Each new
// point is the mean over its step, weighted by time and rounded to the nearest
// thousandth; between points the value holds, so nothing is invented. A step
// of which less than half is known stays a gap. A trace that is even already
// comes back unchanged.
func (t Trace) Resample(step time.Duration) (Trace, error) {
	if step < time.Millisecond {
		return Trace{}, fmt.Errorf("step must be at least 1ms, got %v", step)
	}
	out := Trace{Step: step.Truncate(time.Millisecond)}
	if t.Step <= 0 {
		t.Step = out.Step // A single point holds for one step.
	}
	if len(t.Points) == 0 {
		return out, nil
	}
	// Milliseconds are exact here and, unlike durations, never overflow.
	width, start := out.Step.Milliseconds(), t.Points[0].At.UnixMilli()
	var cell mean
	for i, p := range t.Points {
		from, to := p.At.UnixMilli()-start, t.until(i).UnixMilli()-start
		if (to-from)/width > int64(MaxPoints-len(out.Points)) {
			return Trace{}, fmt.Errorf("%w: in steps of %v it has more than %d points", ErrTooLong, step, MaxPoints)
		}
		for from < to {
			// The part of the point within one new step.
			index := from / width
			if index != cell.index {
				out.take(cell, start)
				cell = mean{index: index}
			}
			end := min(to, (index+1)*width)
			cell.add(p.Value, end-from)
			from = end
		}
	}
	out.take(cell, start)
	return out, nil
}

// take appends a new point, if enough of it is known.
func (t *Trace) take(m mean, start int64) {
	width := t.Step.Milliseconds()
	if m.known > 0 && m.known >= width-m.known {
		t.Points = append(t.Points, Point{At: time.UnixMilli(start + m.index*width).UTC(), Value: m.value()})
	}
}

// mean adds up values over milliseconds, in 128 bits.
type mean struct {
	index, known int64
	high, lo     uint64
}

func (m *mean) add(value scale.Amount, lasting int64) {
	high, lo := bits.Mul64(uint64(value), uint64(lasting))
	var carry uint64
	m.lo, carry = bits.Add64(m.lo, lo, 0)
	m.high, _ = bits.Add64(m.high, high, carry)
	m.known += lasting
}

// value returns the mean, halves rounded up. It is at most the largest value,
// so the quotient fits.
func (m *mean) value() scale.Amount {
	lo, carry := bits.Add64(m.lo, uint64(m.known)/2, 0)
	quotient, _ := bits.Div64(m.high+carry, lo, uint64(m.known))
	return scale.Amount(quotient)
}
