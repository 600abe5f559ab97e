package elastic

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/internal/checks/draw"
	"github.com/tidemark/tidemark/scale"
)

var (
	noon  = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)
	rules = Rules{Usual: 1000, Min: 500, Max: 4000}
)

// settled is what one decision settles on.
type settled struct {
	Total  scale.Amount
	Reason scale.Reason
}

func TestSettle(t *testing.T) {
	for name, c := range map[string]struct {
		past Past
		need Need
		has  scale.Amount
		want settled
	}{
		"a first look keeps what there is": {
			need: Need{Expected: 3000, Headroom: 500, Used: 3000}, has: 8000, want: settled{8000, scale.HeadroomHeld},
		},
		"most of the room is left": {
			past: Past{Total: 8000}, need: Need{Expected: 7600, Headroom: 1000, Used: 7600}, want: settled{8000, scale.HeadroomKept},
		},
		"less than a third of the room is left": {
			past: Past{Total: 8000}, need: Need{Expected: 7800, Headroom: 1000, Used: 7800}, want: settled{9000, scale.HeadroomShort},
		},
		"what is used now counts, whatever is expected": {
			past: Past{Total: 8000}, need: Need{Expected: 2000, Headroom: 100, Used: 8100}, want: settled{9000, scale.HeadroomShort},
		},
		"full pods": {
			past: Past{Total: 4000}, need: Need{Expected: 4000, Headroom: 100, Used: 4000, Full: true}, want: settled{10_000, scale.Saturated},
		},
		"full pods, but more was made already": {
			past: Past{Total: 12_000}, need: Need{Expected: 4000, Headroom: 100, Used: 4000, Full: true}, want: settled{12_000, scale.Saturated},
		},
		"a guess ends with the next samples": {
			past: Past{Total: 10_000, Guessed: true}, need: Need{Expected: 6500, Headroom: 100, Used: 6500}, want: settled{7000, scale.HeadroomAmple},
		},
		"half was not needed for a minute": {
			past: Past{Total: 8000, Totals: []TimedTotal{{noon.Add(-time.Minute), 8000}}},
			need: Need{Expected: 3000, Headroom: 1000, Used: 3000}, want: settled{4000, scale.HeadroomAmple},
		},
		"half was not needed for less than a minute": {
			past: Past{Total: 8000, Totals: []TimedTotal{{noon.Add(-59 * time.Second), 8000}}},
			need: Need{Expected: 3000, Headroom: 1000, Used: 3000}, want: settled{8000, scale.HeadroomHeld},
		},
		"an eighth was not needed for four minutes": {
			past: Past{Total: 8000, Totals: []TimedTotal{{noon.Add(-4 * time.Minute), 8000}}},
			need: Need{Expected: 6000, Headroom: 1000, Used: 6000}, want: settled{7000, scale.HeadroomAmple},
		},
		"a ninth is never given up": {
			past: Past{Total: 9000, Totals: []TimedTotal{{noon.Add(-59 * time.Minute), 9000}}},
			need: Need{Expected: 7000, Headroom: 1000, Used: 7000}, want: settled{9000, scale.HeadroomHeld},
		},
		"a large total is not raised by one pod": {
			// 7 % of 57.2 pods is just four pods, and 57.2 is between 56 and 60.
			past: Past{Total: 54_000}, need: Need{Expected: 54_000, Headroom: 3200, Used: 54_000}, want: settled{60_000, scale.HeadroomShort},
		},
		"as low as was worth it, not as low as possible": {
			// 6 of 8 would do for two minutes, 2 of 8 only just now.
			past: Past{Total: 8000, Totals: []TimedTotal{{noon.Add(-2 * time.Minute), 8000}, {noon.Add(-15 * time.Second), 6000}}},
			need: Need{Expected: 1500, Headroom: 500, Used: 1500}, want: settled{6000, scale.HeadroomAmple},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.need.At = noon
			past, reason := c.past.Settled(&rules, c.need, c.has)
			total := past.Total
			if diff := cmp.Diff(c.want, settled{total, reason}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSettleHolds: whatever is needed, the total covers what is known to be
// used, is a multiple of the usual size once it was settled, and the past stays
// bounded and survives JSON.
func TestSettleHolds(t *testing.T) {
	draw.Check(t, func(r *rapid.T) {
		var past Past
		at := noon
		amount := rapid.Map(rapid.Int64Range(0, 2_000_000), func(n int64) scale.Amount { return scale.Amount(n) })
		for range rapid.IntRange(1, 200).Draw(r, "looks") {
			at = at.Add(time.Duration(rapid.IntRange(1, 600).Draw(r, "after")) * time.Second)
			n := Need{At: at, Expected: amount.Draw(r, "expected"), Headroom: amount.Draw(r, "room"), Used: amount.Draw(r, "used"), Full: rapid.Bool().Draw(r, "full")}
			before := past.Total
			var reason scale.Reason
			past, reason = past.Settled(&rules, n, 3000)
			total := past.Total
			if total < n.Used || total%rules.Usual != 0 || total <= 0 {
				r.Fatalf("%+v was settled with %s", n, total)
			}
			if before > 0 && (total > before) != (reason == scale.HeadroomShort || reason == scale.Saturated && total > before) {
				r.Fatalf("from %s to %s because of %s", before, total, reason)
			}
			if len(past.Totals) > maxTotals {
				r.Fatalf("%d totals are remembered", len(past.Totals))
			}
			text, err := json.Marshal(past)
			if err != nil {
				r.Fatal(err)
			}
			var again Past
			if err := json.Unmarshal(text, &again); err != nil {
				r.Fatal(err)
			}
			if diff := cmp.Diff(past, again); diff != "" {
				r.Fatalf("JSON changed it (-want +got):\n%s", diff)
			}
		}
	})
}

// TestWhole: a total is raised to whole pods, and a large one by no more than 7 %;
// a larger one is never rounded to less.
func TestWhole(t *testing.T) {
	for total, want := range map[scale.Amount]scale.Amount{
		0: 1000, 1: 1000, 1000: 1000, 1001: 2000, 28_500: 29_000,
		28_600: 30_000, 57_000: 58_000, 57_200: 60_000, 114_300: 120_000,
	} {
		t.Run(fmt.Sprint(total), func(t *testing.T) {
			if got := rules.whole(total); got != want {
				t.Errorf("%s: got %s, want %s", total, got, want)
			}
		})
	}
	if got := new(Rules).whole(3); got != 3 {
		t.Errorf("without a usual size 3m became %s", got)
	}
	draw.Check(t, func(r *rapid.T) {
		total := scale.Amount(rapid.Int64Range(0, int64(scale.MaxAmount)/2).Draw(r, "total"))
		more := total + scale.Amount(rapid.Int64Range(0, 100_000).Draw(r, "more"))
		got := rules.whole(total)
		if got < total || got-total > max(rules.Usual, total.Share(coarsePercent, 100)) {
			r.Fatalf("%s is rounded to %s", total, got)
		}
		if larger := rules.whole(more); larger < got {
			r.Fatalf("%s is rounded to %s, but %s to %s", total, got, more, larger)
		}
	})
}

func TestCount(t *testing.T) {
	for name, c := range map[string]struct {
		current int32
		total   scale.Amount
		guess   bool
		want    int32
	}{
		"near the usual size":              {current: 8, total: 9000, want: 8},
		"three and a half times that":      {current: 8, total: 28_000, want: 8},
		"more than that":                   {current: 8, total: 29_000, want: 29},
		"a guess starts nothing":           {current: 8, total: 32_000, guess: true, want: 8},
		"a guess that cannot be otherwise": {current: 8, total: 33_000, guess: true, want: 33},
		"the smallest size":                {current: 8, total: 4000, want: 8},
		"less than the smallest":           {current: 8, total: 3000, want: 3},
		"nothing there":                    {current: 0, total: 3000, want: 3},
	} {
		t.Run(name, func(t *testing.T) {
			if got := rules.Count(c.current, c.total, c.guess); got != c.want {
				t.Errorf("got %d, want %d", got, c.want)
			}
		})
	}
}

// TestCountOfPodsThatCannotChange: where the bounds leave no other size than the
// usual one, only the number of pods follows the total.
func TestCountOfPodsThatCannotChange(t *testing.T) {
	rigid := Rules{Usual: 1000, Min: 1000, Max: 1000}
	for total, want := range map[scale.Amount]int32{7000: 7, 8000: 8, 9000: 9} {
		for _, guess := range []bool{false, true} {
			if got := rigid.Count(8, total, guess); got != want {
				t.Errorf("%s from 8: got %d, want %d", total, got, want)
			}
		}
	}
}

func TestSized(t *testing.T) {
	size := func(n int32, request, limit scale.Amount) scale.Size {
		return scale.Size{Replicas: n, Containers: []scale.Container{
			{Name: "proxy", Requests: scale.Resources{}.With(scale.CPU, 100)},
			{Name: "app", Requests: scale.Resources{}.With(scale.CPU, request).With(scale.Memory, 7), Limits: scale.Resources{}.With(scale.CPU, limit)},
		}}
	}
	for name, c := range map[string]struct {
		from    scale.Size
		started int32
		total   scale.Amount
		count   int32
		want    scale.Size
	}{
		"the limit keeps its proportion":  {from: size(4, 1000, 1500), started: 4, total: 8000, count: 4, want: size(4, 2000, 3000)},
		"those that started carry it all": {from: size(4, 1000, 1000), started: 2, total: 6000, count: 4, want: size(4, 3000, 3000)},
		"as far as they may grow":         {from: size(4, 1000, 1000), started: 1, total: 6000, count: 4, want: size(4, 4000, 4000)},
		"new pods do not count yet":       {from: size(4, 1000, 1000), started: 4, total: 9000, count: 9, want: size(9, 2250, 2250)},
		"no smaller than they may be":     {from: size(4, 1000, 1000), started: 4, total: 1000, count: 4, want: size(4, 500, 500)},
		"no pod has started":              {from: size(4, 1000, 1000), started: 0, total: 3000, count: 4, want: size(4, 3000, 3000)},
	} {
		t.Run(name, func(t *testing.T) {
			before := c.from.Containers[1]
			got := rules.Sized(Pods{From: c.from, Container: 1, Started: c.started}, c.total, c.count)
			if !got.Equal(c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if c.from.Containers[1] != before {
				t.Error("the size that was found has changed")
			}
		})
	}
}

// TestLimitsDoNotDrift: after a thousand resizes a limit is still one and a half
// times its request, but for a hundredth.
func TestLimitsDoNotDrift(t *testing.T) {
	now := scale.Size{Replicas: 7, Containers: []scale.Container{
		{Name: "app", Requests: scale.Resources{}.With(scale.CPU, 1000), Limits: scale.Resources{}.With(scale.CPU, 1500)},
	}}
	for i := range 1000 {
		now = rules.Sized(Pods{From: now, Started: 7}, scale.Amount(4000+1000*(i*i%23)), 7)
	}
	request, _ := now.Containers[0].Requests.Get(scale.CPU)
	limit, _ := now.Containers[0].Limits.Get(scale.CPU)
	if off := 2*limit - 3*request; max(off, -off) > 2*request/100 {
		t.Errorf("the limit has become %s for %s", limit, request)
	}
}

// TestRecalledForgivesClocks: a total from the future counts as made now, and the
// caller's past is not changed.
func TestRecalledForgivesClocks(t *testing.T) {
	past := Past{Total: 1, Totals: []TimedTotal{{noon.Add(time.Hour), 5}}}
	got := past.Recalled(noon)
	if !got.Totals[0].At.Equal(noon) || past.Totals[0].At.Equal(noon) {
		t.Errorf("recalled %+v of %+v", got, past)
	}
}
