package history

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// sealed puts a header and a checksum around a body.
func sealed(body []byte) []byte {
	data := binary.AppendUvarint(append([]byte(nil), magic...), version)
	data = append(data, body...)
	return binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data))
}

func TestDecodeRefuses(t *testing.T) {
	h := richHistory(t)
	good := h.Encode()
	flipped := func(i int) []byte {
		data := append([]byte(nil), good...)
		data[i] ^= 0x20
		return data
	}
	newer := binary.AppendUvarint(append([]byte(nil), magic...), version+1)
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"nothing":            {nil, ErrForeign},
		"something else":     {[]byte("apiVersion: v1"), ErrForeign},
		"only the beginning": {magic, ErrDamaged},
		"a newer version":    {append(newer, 1, 2, 3, 4, 5), ErrNewer},
		"an older version":   {append(append([]byte(nil), magic...), oldest-1, 0, 0, 0, 0), ErrOlder},
		"version 0":          {append(append([]byte(nil), magic...), 0, 0, 0, 0, 0), ErrDamaged},
		"a flipped bit":      {flipped(len(good) / 2), ErrDamaged},
		"a flipped end":      {flipped(len(good) - 1), ErrDamaged},
		"no body":            {sealed(nil), ErrDamaged},
		"left over":          {sealed(append(append([]byte(nil), good[len(magic)+1:len(good)-4]...), 0)), ErrDamaged},
		"too long":           {append(append([]byte(nil), magic...), make([]byte, MaxEncoded)...), ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Decode(c.data, h.Slots.Settings()); !errors.Is(err, c.want) {
				t.Errorf("%s: got %v, want %v", name, err, c.want)
			} else if strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: the error has several lines: %v", name, err)
			}
		})
	}
	for n := range len(good) {
		if _, err := Decode(good[:n], h.Slots.Settings()); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(good))
		}
	}
	// Cut off, but with a checksum that matches.
	for n := 0; n < len(good)-checksumSize-len(magic)-1; n += 7 {
		if _, err := Decode(sealed(good[len(magic)+1:len(magic)+1+n]), h.Slots.Settings()); !errors.Is(err, ErrDamaged) {
			t.Fatalf("the first %d of %d bytes were accepted: %v", n, len(good), err)
		}
	}
	if _, err := Decode(good, Settings{SlotHours: 5, WindowWeeks: 4}); err == nil {
		t.Error("settings that cannot be were accepted")
	}
	if err := h.Slots.Merge(mustNew(t, Settings{SlotHours: 2, WindowWeeks: 4}).Slots); err == nil {
		t.Error("slots of different widths were merged")
	}
}

func mustNew(t testing.TB, settings Settings) *History {
	t.Helper()
	h, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestSlotsTakeLessThanFourKilobytes fills every cell with counts of up to a
// million replicas.
func TestSlotsTakeLessThanFourKilobytes(t *testing.T) {
	s := slotsOf(t, nil)
	for i := range 6 * 7 * 24 {
		s.Observe(monday.Add(time.Duration(i)*hour), int32(1_000_000-i))
	}
	if n := len(encoded(s)); n >= 4096 {
		t.Errorf("four weeks of hours take %d bytes", n)
	}
}

// TestTheWholeIsBounded fills everything there is with the largest numbers.
func TestTheWholeIsBounded(t *testing.T) {
	h := mustNew(t, Settings{Period: Weekly, SlotHours: 1, WindowWeeks: MaxWindowWeeks, Zone: zone(t, "America/Argentina/ComodRivadavia")})
	for i := range (MaxWindowWeeks + 2) * 7 * 24 {
		h.Slots.Observe(monday.Add(time.Duration(2*i)*week+time.Duration(i%168)*hour), math.MaxInt32)
	}
	for c := range MaxContainers {
		name := fmt.Sprintf("%063d", c)
		for i := range 1800 {
			h.Usage.Observe(monday.Add(3000*hour), name, scale.CPU, scale.Amount(math.Pow(1.008, float64(i))))
			h.Usage.Observe(monday.Add(time.Duration(i)*2*hour), name, scale.Memory, 10*mi*scale.Amount(i*i+1))
		}
		h.Usage.OutOfMemory(monday.Add(3600*hour), name, 1e15, DefaultBump())
	}
	for way := range h.Growth.sketches {
		for i := range bucketCount {
			h.Growth.sketches[way].raise(i, maxBucketWeight)
		}
	}
	for i := range 2 * maxPending {
		h.Growth.Observe(monday.Add(time.Duration(i)*2*time.Minute), scale.MaxAmount-1, hour)
	}
	for i := range 2 * maxLooks {
		h.Growth.NoteLook(monday.Add(time.Duration(i)*365*day), Look{Ready: math.MaxInt32, Limit: scale.MaxAmount})
	}
	for i := range MaxStartUps {
		h.StartUp.Observe(monday.Add(time.Duration(i)*500*day), MaxStartUp)
	}
	var targets []scale.LearnedTarget
	for i := range 2 * MaxPeaks {
		targets = append(targets, scale.LearnedTarget{Container: fmt.Sprintf("%063d", i), Resource: scale.Memory, Percent: 90})
	}
	h.Peaks.Under(monday, targets)
	for i := range h.Peaks.all {
		for percent := range h.Peaks.all[i].counts {
			h.Peaks.all[i].counts[percent] = 1 << 31
		}
	}
	data := h.Encode()
	t.Logf("the largest history takes %d bytes", len(data))
	if len(data) > MaxEncoded {
		t.Errorf("the largest history takes %d bytes", len(data))
	}
	if again, err := Decode(data, h.Slots.Settings()); err != nil || string(again.Encode()) != string(data) {
		t.Errorf("it does not come back: %v", err)
	}
	rich := richHistory(t)
	t.Logf("a usual history takes %d bytes, %d of them slots", len(rich.Encode()), len(encoded(rich.Slots)))
}

// FuzzDecode reads any body with a header and a checksum that match, and any
// bytes without. What is accepted can be used and comes back.
func FuzzDecode(f *testing.F) {
	h := mustNew(f, Settings{Period: Daily, SlotHours: 6, WindowWeeks: 1})
	for i := range 50 {
		at := monday.Add(time.Duration(i) * time.Minute)
		h.Observe(scale.Observation{At: at, Pods: []scale.Pod{pod(scale.Amount(100*i), gi)}})
		h.Growth.Observe(at, scale.Amount(100+i*i), 90*time.Second)
		h.Demand.Observe(at, scale.Amount(100+i*i), 100, 5*time.Minute)
	}
	good := h.Encode()
	f.Add(good)
	f.Add(good[len(magic)+1 : len(good)-checksumSize])
	f.Add(mustNew(f, DefaultSettings()).Encode()[len(magic)+1:])
	f.Fuzz(func(t *testing.T, data []byte) {
		if h, err := Decode(data, DefaultSettings()); err == nil {
			use(t, h)
		}
		if h, err := Decode(sealed(data), DefaultSettings()); err == nil {
			use(t, h)
		}
	})
}

// use does everything a history can do.
func use(t *testing.T, h *History) {
	t.Helper()
	again, err := Decode(h.Encode(), h.Slots.Settings())
	if err != nil {
		t.Fatalf("what was decoded does not come back: %v", err)
	}
	if string(again.Encode()) != string(h.Encode()) {
		t.Fatal("what was decoded encodes differently")
	}
	for _, at := range []time.Time{monday, h.Newest(), h.Newest().Add(hour)} {
		if b, known := h.Slots.BoundsAhead(at, day, DefaultFactors()); known && (b.Min < 1 || b.Min > b.Max) {
			t.Fatalf("bounds are %v", b)
		}
		h.Slots.Phase(at)
		h.Slots.Observe(at, 5)
		for _, name := range h.Usage.Containers() {
			h.Usage.Recommend(at, DefaultEstimator(), []scale.Container{{Name: name}})
			h.Usage.Observe(at, name, scale.CPU, 500)
			h.Usage.Observe(at, name, scale.Memory, gi)
			h.Usage.OutOfMemory(at, name, gi, DefaultBump())
		}
		h.Growth.Outlook(1000, permille, time.Minute)
		h.Growth.Observe(at, 1000, time.Minute)
		h.Demand.Observe(at, 1000, 100, 5*time.Minute)
		h.Demand.Of(1000, false)
	}
	if err := h.Slots.Merge(again.Slots); err != nil {
		t.Fatal(err)
	}
	h.Encode()
}
