package kubelet

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

var monday = time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)

func after(seconds float64) time.Time {
	return monday.Add(time.Duration(seconds * float64(time.Second)))
}

// seen is a reading and between which of our requests it was seen first.
type seen struct {
	at, cpu, started float64
	after, before    float64
}

func (s seen) reading() reading {
	return reading{at: after(s.at), cpu: int64(s.cpu * 1e9), memory: 1 << 20, started: after(s.started)}
}

func (s seen) moment() moment { return moment{after: after(s.after), before: after(s.before)} }

func TestRates(t *testing.T) {
	const hourAgo = -3600
	first := seen{at: 10, cpu: 100, started: hourAgo, after: 8, before: 12}
	for name, tt := range map[string]struct {
		next   seen
		want   scale.Amount // -1 is no rate
		window time.Duration
	}{
		// 6 s of a core in 12 s are half a core.
		"two readings": {seen{at: 22, cpu: 106, started: hourAgo, after: 20, before: 24}, 500, 12 * time.Second},
		// 1 s in 12 s is 83.33 thousandths, rounded up.
		"rounded up":                      {seen{at: 22, cpu: 101, started: hourAgo, after: 20, before: 24}, 84, 12 * time.Second},
		"at rest":                         {seen{at: 22, cpu: 100, started: hourAgo, after: 20, before: 24}, 0, 12 * time.Second},
		"the counter went back":           {seen{at: 22, cpu: 99, started: hourAgo, after: 20, before: 24}, -1, 0},
		"started in between":              {seen{at: 22, cpu: 106, started: 11, after: 20, before: 24}, -1, 0},
		"the clock was set back":          {seen{at: 9, cpu: 106, started: hourAgo, after: 20, before: 24}, -1, 0},
		"the clock was set back a little": {seen{at: 13, cpu: 106, started: hourAgo, after: 20, before: 24}, -1, 0},
		// By our clock at most 24 − 8 s have passed, and two of slack.
		"the clock was set forward": {seen{at: 29, cpu: 106, started: hourAgo, after: 20, before: 24}, -1, 0},
		"within what can have passed": {seen{at: 28, cpu: 106, started: hourAgo, after: 20, before: 24},
			334, 18 * time.Second},
		"after too long a time":  {seen{at: 71, cpu: 160, started: hourAgo, after: 70, before: 72}, -1, 0},
		"just not too long":      {seen{at: 70, cpu: 160, started: hourAgo, after: 68, before: 72}, 1000, time.Minute},
		"the same reading again": {first, -1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			var c counter
			c.advance(first.reading(), first.moment())
			c.advance(tt.next.reading(), tt.next.moment())
			if tt.want < 0 {
				if c.rated() {
					t.Errorf("got %v over %s, want no rate", c.usage(), c.window)
				}
				return
			}
			got, known := c.usage().Get(scale.CPU)
			if !known || got != tt.want || c.window != tt.window {
				t.Errorf("got %d (%t) over %s, want %d over %s", got, known, c.window, tt.want, tt.window)
			}
		})
	}
}

// TestARepeatedReadingKeepsItsRate: a kubelet shows a reading until it has taken
// another one.
func TestARepeatedReadingKeepsItsRate(t *testing.T) {
	var c counter
	for _, s := range []seen{
		{at: 10, cpu: 100, after: 8, before: 12}, {at: 22, cpu: 106, after: 20, before: 24},
		{at: 22, cpu: 106, after: 24, before: 28}, {at: 22, cpu: 106, after: 28, before: 32},
	} {
		c.advance(s.reading(), s.moment())
	}
	if got, _ := c.usage().Get(scale.CPU); got != 500 || !c.last.at.Equal(after(22)) {
		t.Errorf("got %d of %s", got, c.last.at)
	}
	// It was taken before the second request ended, not before the last.
	c.advance(seen{at: 34, cpu: 112, after: 32, before: 36}.reading(), seen{after: 32, before: 36}.moment())
	if got, _ := c.usage().Get(scale.CPU); got != 500 {
		t.Errorf("got %d after one more", got)
	}
}

// TestTheFirstReadingOfANodeIsNoBase: nobody knows how old it was, so nobody can
// tell whether the node's clock was set since.
func TestTheFirstReadingOfANodeIsNoBase(t *testing.T) {
	var c counter
	c.advance(seen{at: 10, cpu: 100}.reading(), moment{before: after(12)})
	c.advance(seen{at: 22, cpu: 106}.reading(), moment{after(20), after(24)})
	if c.rated() {
		t.Errorf("got %v", c.usage())
	}
	c.advance(seen{at: 34, cpu: 112}.reading(), moment{after(32), after(36)})
	if got, _ := c.usage().Get(scale.CPU); got != 500 {
		t.Errorf("got %d", got)
	}
}

func TestAbsurdRatesAreUnusable(t *testing.T) {
	for name, tt := range map[string]struct {
		grown  int64
		window time.Duration
		want   scale.Amount
		usable bool
	}{
		"a million cores":      {1_000_000 * int64(time.Second), time.Second, 1_000_000_000, true},
		"more":                 {1_000_000*int64(time.Second) + 1, time.Second, 0, false},
		"as much as there is":  {1<<63 - 1, 1, 0, false},
		"a nanosecond of one":  {1, 1, 1000, true},
		"a nanosecond of many": {1, time.Minute, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			got, usable := millicores(tt.grown, tt.window)
			if usable != tt.usable || usable && got != tt.want {
				t.Errorf("got %d, %t", got, usable)
			}
		})
	}
	c := counter{last: reading{memory: 1<<63 - 1}, grown: 1, window: time.Second}
	if _, known := c.usage().Get(scale.Memory); known || !c.usage().Unusable(scale.Memory) {
		t.Errorf("got %v of memory", c.usage())
	}
}

func TestAPodIsAsOldAsItsOldestContainer(t *testing.T) {
	made := func(at float64, window time.Duration) *counter {
		return &counter{last: reading{at: after(at), memory: 5}, taken: moment{before: after(30)}, grown: int64(window), window: window}
	}
	got, ok := podOf(map[string]*counter{"app": made(20, 10*time.Second), "proxy": made(15, 12*time.Second)})
	if !ok || !got.At.Equal(after(15)) || got.Window != 12*time.Second || len(got.Containers) != 2 {
		t.Errorf("got %+v, %t", got, ok)
	}
	if got, ok = podOf(map[string]*counter{"app": made(20, 10*time.Second), "proxy": made(15, 0)}); ok {
		t.Errorf("got %+v though a container has no rate", got)
	}
	if _, ok = podOf(nil); ok {
		t.Error("a pod without containers has usage")
	}
	// A node's clock that is ahead must not make a sample of the future.
	if got, _ = podOf(map[string]*counter{"app": made(90, time.Second)}); !got.At.Equal(after(30)) {
		t.Errorf("measured at %s, want when the answer came", got.At)
	}
}

// TestNoStoryMakesABusyContainerIdle: whatever a node's clock, its kubelet and
// its containers do, there is no rate that is negative, and none that a clock
// made smaller than the requests leave in doubt. The container always uses one
// core while it runs.
func TestNoStoryMakesABusyContainerIdle(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		var c counter
		now, clock, asked := 100.0, 0.0, 0.0
		started, taken, known := 0.0, 100.0, moment{}
		for range rapid.IntRange(2, 30).Draw(t, "requests") {
			now += rapid.Float64Range(1, 40).Draw(t, "pause")
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				clock += rapid.Float64Range(-7200, 7200).Draw(t, "step")
			case 1:
				clock += rapid.Float64Range(-10, 10).Draw(t, "small step")
			case 2:
				started = now - rapid.Float64Range(0, 1).Draw(t, "runs for")
			}
			before := c
			sampled := max(started, rapid.Float64Range(asked, now).Draw(t, "measured"))
			at := reading{at: after(sampled + clock), cpu: int64((sampled - started) * 1e9), memory: 1, started: after(started + clock)}
			span := moment{after: after(asked), before: after(now)}
			if asked == 0 {
				span.after = time.Time{}
			}
			c.advance(at, span)
			asked = now
			if c.last.at.Equal(before.last.at) {
				continue
			}
			last := taken
			taken = sampled
			doubt := span.before.Sub(span.after) + known.before.Sub(known.after) + 2*slack
			known = span
			if !c.rated() {
				continue
			}
			if used, ok := c.usage().Get(scale.CPU); c.grown < 0 || !ok || used < 0 {
				t.Fatalf("grown by %d, usage %v", c.grown, c.usage())
			}
			if really := time.Duration((sampled - last) * float64(time.Second)); c.window > really+doubt+time.Millisecond {
				t.Fatalf("a window of %s, though %s have passed, and no more than %s are in doubt", c.window, really, doubt)
			}
		}
	})
}
