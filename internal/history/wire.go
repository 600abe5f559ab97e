package history

import (
	"encoding/binary"
	"fmt"
)

// writer appends numbers in a compact form: small ones take one byte.
type writer struct {
	out []byte
}

func (w *writer) number(n uint64) { w.out = binary.AppendUvarint(w.out, n) }

// signed is for numbers that may be below zero, and those that cannot be but
// have a signed type.
func (w *writer) signed(n int64) { w.out = binary.AppendVarint(w.out, n) }

func (w *writer) fixed(n uint64) { w.out = binary.BigEndian.AppendUint64(w.out, n) }

func (w *writer) text(s string) {
	w.number(uint64(len(s)))
	w.out = append(w.out, s...)
}

// sparse writes a row of numbers that are mostly zero: how many are not, and each
// of these behind its distance from the one before.
func sparse[N uint32 | uint64](w *writer, row []N) {
	used := 0
	for _, n := range row {
		if n > 0 {
			used++
		}
	}
	w.number(uint64(used))
	next := 0
	for i, n := range row {
		if n > 0 {
			w.number(uint64(i - next))
			w.number(uint64(n))
			next = i + 1
		}
	}
}

// reader takes numbers back. After the first fault it returns zeros, and keeps
// the fault. It never allocates by a length it has not checked.
type reader struct {
	in  []byte
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
	}
	r.in = nil
}

// took consumes what a varint read used.
func (r *reader) took(used int) bool {
	if used <= 0 {
		r.fail("a number is cut off or too long")
		return false
	}
	r.in = r.in[used:]
	return true
}

// number reads a number that may not be larger than the most there can be.
func (r *reader) number(what string, most uint64) uint64 {
	n, used := binary.Uvarint(r.in)
	if !r.took(used) {
		return 0
	}
	if n > most {
		r.fail("%s is %d, which is more than %d", what, n, most)
		return 0
	}
	return n
}

// signed reads a number between two others.
func (r *reader) signed(what string, least, most int64) int64 {
	n, used := binary.Varint(r.in)
	if !r.took(used) {
		return 0
	}
	if n < least || n > most {
		r.fail("%s is %d, which is not between %d and %d", what, n, least, most)
		return 0
	}
	return n
}

func (r *reader) fixed(what string) uint64 {
	if len(r.in) < 8 {
		r.fail("%s is cut off", what)
		return 0
	}
	n := binary.BigEndian.Uint64(r.in)
	r.in = r.in[8:]
	return n
}

func (r *reader) text(what string, most int) string {
	n := int(r.number("length of "+what, uint64(most)))
	if n > len(r.in) {
		r.fail("%s is cut off", what)
		return ""
	}
	s := string(r.in[:n])
	r.in = r.in[n:]
	return s
}
