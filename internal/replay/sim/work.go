package sim

import (
	"math/bits"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Work is an amount held over a time, in thousandths of the amount's unit times
// nanoseconds. A month of a few pods' memory does not fit into 64 bits, so it
// has 128.
type Work struct{ Hi, Lo uint64 }

// Plus returns the work with an amount over a time added. Neither may be
// negative.
func (w Work) Plus(a scale.Amount, over time.Duration) Work {
	hi, lo := bits.Mul64(uint64(max(a, 0)), uint64(max(over, 0)))
	return w.add(Work{hi, lo})
}

func (w Work) add(o Work) Work {
	lo, carry := bits.Add64(w.Lo, o.Lo, 0)
	hi, _ := bits.Add64(w.Hi, o.Hi, carry)
	return Work{hi, lo}
}

// minus takes away what is not more.
func (w Work) minus(o Work) Work {
	lo, borrow := bits.Sub64(w.Lo, o.Lo, 0)
	hi, _ := bits.Sub64(w.Hi, o.Hi, borrow)
	return Work{hi, lo}
}

func (w Work) less(o Work) bool { return w.Hi < o.Hi || w.Hi == o.Hi && w.Lo < o.Lo }

// over is the amount whose work over a time this is, rounded down.
func (w Work) over(d time.Duration) scale.Amount {
	if w.Hi >= uint64(d) {
		return scale.MaxAmount
	}
	quotient, _ := bits.Div64(w.Hi, w.Lo, uint64(d))
	return scale.Amount(min(quotient, uint64(scale.MaxAmount)))
}

// part is the share a/b of the work, rounded down; a may not be more than b.
func (w Work) part(a, b int64) Work {
	by, of := uint64(max(a, 0)), uint64(b)
	// The product has up to 192 bits, of which the highest word is divided first.
	mid, low := bits.Mul64(w.Lo, by)
	high, more := bits.Mul64(w.Hi, by)
	mid, carry := bits.Add64(mid, more, 0)
	high += carry
	if high == 0 && mid < of {
		// It is less than 64 bits, as that of a short time is: one division will do.
		lo, _ := bits.Div64(mid, low, of)
		return Work{Lo: lo}
	}
	hi, rest := bits.Div64(high, mid, of)
	lo, _ := bits.Div64(rest, low, of)
	return Work{hi, lo}
}
