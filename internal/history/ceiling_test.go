package history

import (
	"slices"
	"testing"

	"github.com/tidemark/tidemark/scale"
)

// TestPinned: pods request 1.5 cores. Demand reaches them unevenly, by a tenth, and
// moves; where neither is seen any more for three samples they have reached what
// their application can use.
func TestPinned(t *testing.T) {
	type sample struct{ most, mean, request scale.Amount }
	times := func(n int, s ...sample) (out []sample) {
		for range n {
			out = append(out, s...)
		}
		return out
	}
	held := times(4, sample{1000, 1000, 1500})
	lively := times(10, sample{700, 630, 1500}, sample{900, 810, 1500})
	for name, c := range map[string]struct {
		samples []sample
		want    scale.Amount
	}{
		"demand":                {samples: lively},
		"all pods use the same": {samples: slices.Concat(lively, held), want: 1000},
		"nearly the same": {
			samples: slices.Concat(lively, []sample{{1000, 995, 1500}, {1004, 998, 1500}, {1000, 993, 1500}, {1003, 999, 1500}}), want: 1003,
		},
		"for a moment": {samples: slices.Concat(lively, times(3, sample{1000, 1000, 1500}))},
		"two times for a moment": {
			samples: slices.Concat(lively, times(3, sample{1000, 1000, 1500}), []sample{{800, 720, 1500}}, times(3, sample{1000, 1000, 1500})),
		},
		"they request no more":           {samples: slices.Concat(lively, times(9, sample{1000, 1000, 1000}))},
		"what they request is not known": {samples: slices.Concat(lively, times(9, sample{1000, 1000, 0}))},
		"the busiest alone":              {samples: slices.Concat(lively, times(9, sample{1000, 900, 1500}))},
		"one pod":                        {samples: slices.Concat(times(10, sample{700, 700, 1500}, sample{900, 900, 1500}), held), want: 1000},
		"demand in steps":                {samples: times(5, slices.Concat(times(8, sample{500, 500, 1500}), times(8, sample{1000, 1000, 1500}))...)},
		"demand that is always even":     {samples: times(50, sample{1000, 1000, 1500})},
		"less is used later":             {samples: slices.Concat(lively, held, []sample{{600, 540, 1500}}), want: 1000},
		"more is used later":             {samples: slices.Concat(lively, held, []sample{{1100, 1000, 1500}})},
		"nothing is used":                {samples: slices.Concat(lively, times(9, sample{0, 0, 1500}))},
	} {
		t.Run(name, func(t *testing.T) {
			g, got := NewGrowth(), scale.Amount(0)
			for i, s := range c.samples {
				u := PodUse{At: int64(i + 1), Most: s.most, Mean: s.mean, Request: s.request}
				got = g.Ceiling(u)
				if again := g.Ceiling(u); again != got {
					t.Errorf("sample %d seen again: got %s, want %s", i, again, got)
				}
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
