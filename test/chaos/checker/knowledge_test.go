package checker

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/scale"
)

// learned is a history of which every part knows something.
func learned(t *testing.T, slotHours int) *history.History {
	t.Helper()
	h, err := history.New(history.Settings{Period: history.Weekly, SlotHours: slotHours, WindowWeeks: 4})
	if err != nil {
		t.Fatal(err)
	}
	h.Peaks.Under(begins, []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 70}})
	for i := range 60 {
		more(h, begins.Add(time.Duration(i)*time.Second))
	}
	return h
}

// more lets a history learn at a moment.
func more(h *history.History, at time.Time) {
	load := scale.Amount(1000 + at.Unix()%7)
	h.Slots.Observe(at, 5)
	h.Usage.Observe(at, "app", scale.CPU, load)
	h.Usage.Observe(at, "app", scale.Memory, load)
	h.Growth.NoteLook(at, history.Look{Ready: 5})
	h.Growth.Observe(at, load, 2*time.Second)
	h.Demand.Observe(at, load, 100, 5*time.Second)
	h.StartUp.Observe(at, time.Second)
	h.Resizes.Observe(at, time.Second)
	h.Peaks.Observe(at, "app", scale.CPU, 900, 1000)
}

// stored is a history as it comes back.
func reread(t *testing.T, h *history.History, settings history.Settings) *history.History {
	t.Helper()
	again, err := history.Decode(h.Encode(), settings)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestForgotten: whatever part of a history is gone, that is found.
func TestForgotten(t *testing.T) {
	fresh, err := history.New(learned(t, 1).Slots.Settings())
	if err != nil {
		t.Fatal(err)
	}
	less := history.NewUsage()
	less.Observe(begins.Add(time.Hour), "app", scale.CPU, 1000)
	idle := history.NewPeaks()
	idle.Under(begins, []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 70}})
	moved := history.NewPeaks()
	moved.Under(begins, []scale.LearnedTarget{{Container: "app", Resource: scale.CPU, Percent: 80}})
	for _, tc := range []struct {
		name   string
		change func(h *history.History)
		lost   string
	}{
		{"nothing", func(*history.History) {}, ""},
		{"more is known", func(h *history.History) { more(h, begins.Add(time.Hour)) }, ""},
		{"weeks later", func(h *history.History) { more(h, begins.Add(20*24*time.Hour)) }, ""},
		{"another container", func(h *history.History) { h.Usage.Observe(begins, "sidecar", scale.CPU, 1) }, ""},
		{"a target moved", func(h *history.History) { h.Peaks = moved }, ""},
		{"counts", func(h *history.History) { h.Slots = fresh.Slots }, "counts"},
		{"all usage", func(h *history.History) { h.Usage = history.NewUsage() }, "usage"},
		{"samples of a container", func(h *history.History) { h.Usage = less }, "usage"},
		{"looks and growth", func(h *history.History) { h.Growth = history.NewGrowth() }, "looks"},
		{"growth", func(h *history.History) {
			h.Growth = history.NewGrowth()
			h.Growth.NoteLook(begins.Add(time.Hour), history.Look{Ready: 5})
		}, "growth"},
		{"demand", func(h *history.History) { h.Demand = history.NewDemand() }, "demand"},
		{"starts", func(h *history.History) { h.StartUp = history.NewStartUp() }, "starts"},
		{"resizes", func(h *history.History) { h.Resizes = history.NewStartUp() }, "resizes"},
		{"peaks", func(h *history.History) { h.Peaks = idle }, "peaks"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			older, newer := learned(t, 1), learned(t, 1)
			tc.change(newer)
			settings := older.Slots.Settings()
			if got := forgotten(reread(t, older, settings), reread(t, newer, settings), true); got != tc.lost {
				t.Errorf("got %q, want %q", got, tc.lost)
			}
		})
	}
	older, newer := learned(t, 1), learned(t, 2)
	if got := forgotten(older, reread(t, older, newer.Slots.Settings()), true); got != "" {
		t.Errorf("under other settings %q are lost", got)
	}
	other := reread(t, older, newer.Slots.Settings())
	other.StartUp = history.NewStartUp()
	if got := forgotten(older, other, true); got != "starts" {
		t.Errorf("under other settings %q are lost, want starts", got)
	}
}

// TestWrongClock: what was learned at a moment that was not one may be learned again.
func TestWrongClock(t *testing.T) {
	older, newer := learned(t, 1), learned(t, 1)
	older.Observe(scale.Observation{At: begins.Add(time.Hour)})
	if got := forgotten(older, newer, false); got != "" {
		t.Errorf("%q are lost", got)
	}
	if got := forgotten(older, newer, true); got != "when it learned last" {
		t.Errorf("%q are lost", got)
	}
}

// TestNothingBefore: without any knowledge there is nothing to lose.
func TestNothingBefore(t *testing.T) {
	newer := learned(t, 1)
	older, err := history.New(newer.Slots.Settings())
	if err != nil {
		t.Fatal(err)
	}
	if got := forgotten(older, newer, true); got != "" {
		t.Errorf("%q are lost", got)
	}
	if got := forgotten(newer, older, true); got == "" {
		t.Error("all is lost, and nothing is found")
	}
}
