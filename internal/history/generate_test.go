package history

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
	"pgregory.net/rapid"
)

// anySettings draws settings of any kind that is accepted.
func anySettings(t *rapid.T) Settings {
	z, err := time.LoadLocation(rapid.SampledFrom(zones).Draw(t, "zone"))
	if err != nil {
		t.Fatal(err)
	}
	return Settings{
		Period:      rapid.SampledFrom([]Period{Weekly, Daily}).Draw(t, "period"),
		SlotHours:   rapid.SampledFrom([]int{1, 2, 3, 4, 6, 8, 12, 24}).Draw(t, "width"),
		WindowWeeks: rapid.IntRange(1, MaxWindowWeeks).Draw(t, "weeks"),
		Zone:        z,
	}
}

// anyTime draws a moment of the year after monday, often one of few.
func anyTime(t *rapid.T) time.Time {
	hours := rapid.IntRange(0, 365*24).Draw(t, "hours")
	if rapid.Bool().Draw(t, "few") {
		hours = hours % 20 * 7 * 24
	}
	return monday.Add(time.Duration(hours)*hour + time.Duration(rapid.IntRange(0, 3599).Draw(t, "seconds"))*time.Second)
}

func anySlots(t *rapid.T, settings Settings) *Slots {
	s, err := NewSlots(settings)
	if err != nil {
		t.Fatal(err)
	}
	for range rapid.IntRange(0, 40).Draw(t, "observations") {
		s.Observe(anyTime(t), rapid.Int32Range(-1, 100).Draw(t, "ready"))
	}
	return s
}

// anyHistory draws a history that was fed with anything.
func anyHistory(t *rapid.T, settings Settings) *History {
	h, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	h.Slots = anySlots(t, settings)
	names := []string{"app", "sidecar", "istio-proxy"}
	at := anyTime(t)
	h.Peaks.Under(at, []scale.LearnedTarget{{Container: "app", Percent: 70}, {Container: "sidecar", Resource: scale.Memory, Percent: 80}})
	for range rapid.IntRange(0, 60).Draw(t, "steps") {
		step := rapid.SampledFrom([]time.Duration{0, time.Second, 15 * time.Second, time.Minute, hour, day, 30 * day}).Draw(t, "step")
		at = at.Add(step)
		name := rapid.SampledFrom(names).Draw(t, "container")
		amount := scale.Amount(rapid.Int64Range(-1, 1<<62).Draw(t, "amount") >> rapid.IntRange(0, 60).Draw(t, "shift"))
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0:
			h.Usage.Observe(at, name, scale.CPU, amount)
		case 1:
			h.Usage.Observe(at, name, scale.Memory, amount)
		case 2:
			h.Usage.OutOfMemory(at, name, amount, DefaultBump())
		case 3:
			h.Growth.Observe(at, amount, rapid.SampledFrom([]time.Duration{0, 15 * time.Second, time.Minute, 2 * hour}).Draw(t, "reaction"))
		case 4:
			h.StartUp.Observe(at, step)
		}
	}
	return h
}

// richHistory is one of a real size: weeks of observations, two containers.
func richHistory(t testing.TB) *History {
	t.Helper()
	settings := DefaultSettings()
	settings.Zone = zone(t, "Europe/Berlin")
	h, err := New(settings)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 * 7 * 24 * 60 {
		at := monday.Add(time.Duration(i) * time.Minute)
		wave := scale.Amount(1000 + (i%1440)*3 + i*7919%800)
		h.Slots.Observe(at, 5+int32(wave/300))
		for _, name := range []string{"app", "istio-proxy"} {
			h.Usage.Observe(at, name, scale.CPU, wave)
			h.Usage.Observe(at, name, scale.Memory, wave*mi/5)
		}
		h.Growth.Observe(at, wave*20, 75*time.Second)
		if i%500 == 0 {
			h.StartUp.Observe(at, time.Duration(20+i%17)*time.Second)
		}
	}
	return h
}
