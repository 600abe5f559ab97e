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
