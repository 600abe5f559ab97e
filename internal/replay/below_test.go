package replay

import (
	"fmt"
	"testing"
)

// TestBelow: a run that costs as much as somebody pays is ended, and one that costs
// less is as it would have been.
func TestBelow(t *testing.T) {
	r, p := newReplay(t, waves(), usual()), named(t, "hpa:60")[0]
	whole, err := r.Run([]Policy{p}, Options{WithoutOracle: true})
	if err != nil {
		t.Fatal(err)
	}
	costs := whole[0].Score.Total
	for name, c := range map[string]struct {
		below float64
		ended bool
	}{
		"half of it": {costs / 2, true},
		"more":       {costs * 1.01, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := r.Run([]Policy{p}, Options{WithoutOracle: true, Below: c.below})
			if err != nil || got[0].Ended != c.ended {
				t.Fatalf("ended %v, want %v, %v", got[0].Ended, c.ended, err)
			}
			if want := whole[0].Score; !c.ended && got[0].Score != want {
				t.Errorf("%+v, want %+v", got[0].Score, want)
			}
			if c.ended && got[0].Score.Total != 0 {
				t.Errorf("it has a score: %+v", got[0].Score)
			}
		})
	}
}

// pricedReplay is a replay in which lost work costs something.
func pricedReplay(t *testing.T) *Replay {
	t.Helper()
	plant := usual()
	plant.Prices = UsualPrices()
	return newReplay(t, waves(), plant)
}

// TestBelowEndsNoCheaperRun: whatever a run costs, it is not ended where that is less,
// and is where it is clearly more.
func TestBelowEndsNoCheaperRun(t *testing.T) {
	r := pricedReplay(t)
	for _, p := range named(t, "hpa:60", "hpa:90", "hpa:150", "static:3", "static:40") {
		whole, err := r.Run([]Policy{p}, Options{WithoutOracle: true})
		if err != nil {
			t.Fatal(err)
		}
		costs := whole[0].Score.Total
		for share, ended := range map[float64]bool{0.8: true, 0.9: true, 1.000001: false, 1.01: false} {
			t.Run(fmt.Sprint(p.Name, " ", share), func(t *testing.T) {
				got, err := r.Run([]Policy{p}, Options{WithoutOracle: true, Below: share * costs})
				if err != nil || got[0].Ended != ended {
					t.Errorf("ended %v, want %v, %v", got[0].Ended, ended, err)
				}
			})
		}
	}
}

// TestBelowForesees: a run is ended before it has cost as much, by what is still to
// come.
func TestBelowForesees(t *testing.T) {
	r, p := pricedReplay(t), named(t, "hpa:60")[0]
	whole, err := r.Run([]Policy{p}, Options{WithoutOracle: true})
	if err != nil {
		t.Fatal(err)
	}
	below, seen := 0.8*whole[0].Score.Total, 0
	if _, err := r.Run([]Policy{p}, Options{WithoutOracle: true, Below: below, Each: func(Moment) { seen++ }}); err != nil {
		t.Fatal(err)
	}
	if reached := decisionsUntil(t, r, p, below); seen+looks > reached {
		t.Errorf("it is ended after %d decisions, and the cost is reached after %d", seen, reached)
	}
}

// decisionsUntil is after how many decisions a run has cost so much.
func decisionsUntil(t *testing.T, r *Replay, p Policy, costs float64) (n int) {
	t.Helper()
	moments, _, err := r.Moments(p)
	if err != nil {
		t.Fatal(err)
	}
	for m := range moments {
		if r.plant.Prices.total(*m.Score).hours() >= costs {
			break
		}
		n++
	}
	return n
}
