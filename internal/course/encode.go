package course

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// ErrDamaged is for bytes that are no course.
var ErrDamaged = errors.New("not a course of this version, or damaged")

// MaxEncoded is the most bytes that a course can take.
const MaxEncoded = 40 << 10

const version = 1

var magic = []byte("tidemark-course")

// Encode returns the course as bytes, oldest step first, with a checksum. What the
// newest step is the mean of is not kept: a sample that comes later replaces it.
func (c *Course) Encode() []byte {
	out := append(make([]byte, 0, MaxEncoded), magic...)
	out = append(out, version)
	for _, s := range []*series{&c.day, &c.weeks} {
		out = binary.BigEndian.AppendUint64(out, uint64(s.last))
		for _, used := range s.used {
			out = binary.BigEndian.AppendUint16(out, used)
		}
		out = append(out, s.rooms...)
	}
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out))
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Course, error) {
	c := New()
	want := len(magic) + 1 + 4
	for _, s := range []*series{&c.day, &c.weeks} {
		want += 8 + 2*len(s.used) + len(s.rooms)
	}
	head := len(magic) + 1
	switch {
	case len(data) != want:
		return nil, fmt.Errorf("%w: it has %d bytes and not %d", ErrDamaged, len(data), want)
	case !bytes.HasPrefix(data, magic) || data[len(magic)] != version:
		return nil, fmt.Errorf("%w: it begins otherwise", ErrDamaged)
	case crc32.ChecksumIEEE(data[:want-4]) != binary.BigEndian.Uint32(data[want-4:]):
		return nil, fmt.Errorf("%w: the checksum does not match", ErrDamaged)
	}
	rest := data[head:]
	for _, s := range []*series{&c.day, &c.weeks} {
		last := binary.BigEndian.Uint64(rest)
		if last > latest/uint64(s.step) {
			return nil, fmt.Errorf("%w: it ends in a time that cannot be", ErrDamaged)
		}
		s.last, rest = int64(last), rest[8:]
		for i := range s.used {
			s.used[i] = binary.BigEndian.Uint16(rest[2*i:])
		}
		rest = rest[2*len(s.used):]
		copy(s.rooms, rest)
		rest = rest[len(s.rooms):]
	}
	return c, nil
}

// latest is the latest second that is believed: in the year 2200.
const latest = 7_258_118_400
