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
