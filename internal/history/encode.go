package history

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

// Errors of Decode. Whatever it is, the history is lost and has to be gathered
// again; the difference is for the message to people.
var (
	ErrForeign = errors.New("not an encoded history")
	ErrNewer   = errors.New("history was encoded by a newer version")
	ErrOlder   = errors.New("history was encoded by an older version")
	ErrDamaged = errors.New("history is damaged")
)

// MaxEncoded is the most bytes a history can take. A usual one, of two
// containers and four weeks, takes 2 KiB, half of it slots.
const MaxEncoded = 64 << 10

// version is raised whenever the encoding or the meaning of a number changes.
const version = 5

// oldest is the oldest version that is still read: it knows of no resizes
// and no peaks. The third knows of no errors of forecasts,
// the fourth of no course of days.
const oldest = 2

// magic begins every encoding.
var magic = []byte("tidemark-history")

// checksumSize is what the checksum at the end takes.
const checksumSize = 4

// Encode returns the history as bytes: a header, the parts in their order, a
// checksum over both. The same history gives the same bytes. Slots, growth and
// start-ups come back exactly; histograms to a ten-thousandth of their heaviest
// bucket, as in the VPA's checkpoints.
func (h *History) Encode() []byte {
	w := &writer{out: append(make([]byte, 0, 4096), magic...)}
	w.number(version)
	h.Slots.encode(w)
	h.Usage.encode(w)
	h.Growth.encode(w)
	h.StartUp.encode(w)
	w.signed(h.sampled)
	h.Resizes.encode(w)
	h.Peaks.encode(w)
	h.Demand.encode(w)
	return binary.BigEndian.AppendUint32(w.out, crc32.ChecksumIEEE(w.out))
}

// Decode reads what Encode wrote. Slots that were learned under other settings
// cannot be used and begin anew; the rest is kept. Anything else than a whole
// and undamaged history of this version is refused, in time and memory that
// its length bounds.
func Decode(data []byte, settings Settings) (*History, error) {
	h, err := New(settings)
	if err != nil {
		return nil, err
	}
	body, written, err := unwrap(data)
	if err != nil {
		return nil, err
	}
	r := &reader{in: body}
	h.Slots.decode(r)
	h.Usage.decode(r)
	h.Growth.decode(r)
	h.StartUp.decode(r)
	h.sampled = r.signed("time of the last sample", 0, latest)
	if written >= 3 {
		h.Resizes.decode(r)
		h.Peaks.decode(r)
	}
	if written >= 4 {
		h.Demand.decode(r, written)
	}
	if r.err == nil && len(r.in) > 0 {
		r.fail("%d bytes are left over", len(r.in))
	}
	if r.err != nil {
		return nil, r.err
	}
	return h, nil
}

// SettingsOf returns the settings that an encoded history was learned under. Its
// zone has the name alone, and is only good for a comparison.
func SettingsOf(data []byte) (Settings, error) {
	body, _, err := unwrap(data)
	if err != nil {
		return Settings{}, err
	}
	r := &reader{in: body}
	settings := decodeSettings(r)
	return settings, r.err
}

// unwrap checks header and checksum and returns what is between, and the version
// that wrote it.
func unwrap(data []byte) (body []byte, written uint64, err error) {
	if !bytes.HasPrefix(data, magic) {
		return nil, 0, ErrForeign
	}
	if len(data) > MaxEncoded {
		return nil, 0, fmt.Errorf("%w: it has %d bytes, more than %d", ErrDamaged, len(data), MaxEncoded)
	}
	written, used := binary.Uvarint(data[len(magic):])
	if used <= 0 {
		return nil, 0, fmt.Errorf("%w: the version is cut off", ErrDamaged)
	}
	if written > version {
		return nil, 0, fmt.Errorf("%w: it has version %d, this is %d", ErrNewer, written, version)
	}
	if written >= 1 && written < oldest {
		return nil, 0, fmt.Errorf("%w: it has version %d, this is %d", ErrOlder, written, version)
	}
	body = data[len(magic)+used:]
	if written < 1 || len(body) < checksumSize {
		return nil, 0, fmt.Errorf("%w: it is cut off", ErrDamaged)
	}
	end := len(data) - checksumSize
	if crc32.ChecksumIEEE(data[:end]) != binary.BigEndian.Uint32(data[end:]) {
		return nil, 0, fmt.Errorf("%w: the checksum does not match", ErrDamaged)
	}
	return body[:len(body)-checksumSize], written, nil
}
