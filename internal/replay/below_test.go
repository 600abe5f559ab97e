package replay

import "testing"

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
