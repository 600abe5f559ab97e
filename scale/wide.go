package scale

import "math/bits"

// wide is an unsigned integer of 256 bits, least significant word first. It
// exists so that products of replica counts, amounts, percentages and
// tolerances can be compared exactly, without floats and without allocating.
type wide [4]uint64

func wideOf(n uint64) wide { return wide{n} }

// times multiplies numbers that are known to fit: a product of two int64 and
// one more has 192 bits.
func (w wide) times(by uint64) wide {
	out, _ := w.mul(by)
	return out
}

// mul multiplies; ok is false when the result needs more than 256 bits.
func (w wide) mul(by uint64) (wide, bool) {
	var out wide
	var carry uint64
	for i := range w {
		hi, lo := bits.Mul64(w[i], by)
		sum, c := bits.Add64(lo, carry, 0)
		out[i], carry = sum, hi+c
	}
	return out, carry == 0
}

func (w wide) add(b wide) wide {
	var carry uint64
	for i := range w {
		w[i], carry = bits.Add64(w[i], b[i], carry)
	}
	return w
}

func (w wide) sub(b wide) wide {
	var borrow uint64
	for i := range w {
		w[i], borrow = bits.Sub64(w[i], b[i], borrow)
	}
	return w
}

func (w wide) cmp(b wide) int {
	for i := len(w) - 1; i >= 0; i-- {
		switch {
		case w[i] > b[i]:
			return 1
		case w[i] < b[i]:
			return -1
		}
	}
	return 0
}

func (w wide) bitLen() int {
	for i := len(w) - 1; i >= 0; i-- {
		if w[i] != 0 {
			return 64*i + bits.Len64(w[i])
		}
	}
	return 0
}

func (w wide) shl1(in uint64) wide {
	for i := range w {
		out := w[i] >> 63
		w[i] = w[i]<<1 | in
		in = out
	}
	return w
}

// div returns the quotient rounded down and whether there was no remainder.
// The usual case, where both numbers fit in 128 bits and the quotient in 64,
// is one machine division.
func (w wide) div(by wide) (quotient wide, exact bool) {
	if w[2]|w[3]|by[1]|by[2]|by[3] == 0 && w[1] < by[0] {
		q, r := bits.Div64(w[1], w[0], by[0])
		return wideOf(q), r == 0
	}
	var rest wide
	for i := w.bitLen() - 1; i >= 0; i-- {
		rest = rest.shl1(w[i/64] >> (i % 64) & 1)
		if rest.cmp(by) >= 0 {
			rest = rest.sub(by)
			quotient[i/64] |= 1 << (i % 64)
		}
	}
	return quotient, rest == wide{}
}
