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
func (t Trace) Resample(step time.Duration) (Trace, error) { return t.resample(step, (*cell).mean) }

// ResampleMax is Resample with the largest value of each step: of a recording
// that is finer than its decisions, a mean would hide the peaks.
func (t Trace) ResampleMax(step time.Duration) (Trace, error) {
	return t.resample(step, func(c *cell) scale.Amount { return c.most })
}

func (t Trace) resample(step time.Duration, value func(*cell) scale.Amount) (Trace, error) {
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
	take := func(c *cell) {
		// Less than half is not enough to be known.
		if c.known > 0 && c.known >= width-c.known {
			out.Points = append(out.Points, Point{At: time.UnixMilli(start + c.index*width).UTC(), Value: value(c)})
		}
	}
	var now cell
	for i, p := range t.Points {
		from, to := p.At.UnixMilli()-start, t.until(i).UnixMilli()-start
		if (to-from)/width > int64(MaxPoints-len(out.Points)) {
			return Trace{}, fmt.Errorf("%w: in steps of %v it has more than %d points", ErrTooLong, step, MaxPoints)
		}
		for from < to {
			// The part of the point within one new step.
			index := from / width
			if index != now.index {
				take(&now)
				now = cell{index: index}
			}
			end := min(to, (index+1)*width)
			now.add(p.Value, end-from)
			from = end
		}
	}
	take(&now)
	return out, nil
}

// cell is one new step. It adds up values over milliseconds, in 128 bits.
type cell struct {
	index, known int64
	most         scale.Amount
	high, lo     uint64
}

func (c *cell) add(value scale.Amount, lasting int64) {
	high, lo := bits.Mul64(uint64(value), uint64(lasting))
	var carry uint64
	c.lo, carry = bits.Add64(c.lo, lo, 0)
	c.high, _ = bits.Add64(c.high, high, carry)
	c.known += lasting
	c.most = max(c.most, value)
}

// mean returns the mean, halves rounded up. It is at most the largest value,
// so the quotient fits.
func (c *cell) mean() scale.Amount {
	lo, carry := bits.Add64(c.lo, uint64(c.known)/2, 0)
	quotient, _ := bits.Div64(c.high+carry, lo, uint64(c.known))
	return scale.Amount(quotient)
}
