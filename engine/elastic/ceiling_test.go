package elastic

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// look is a look at ten pods, or as many as are said, some minutes after noon.
func look(minute float64, found, perPod, total scale.Amount, serving int32) Use {
	return Use{At: noon.Add(time.Duration(minute * float64(time.Minute))), Found: found, PerPod: perPod, Total: total, Serving: serving, Within: time.Minute}
}

// TestCeilingIsTried: what looks like a ceiling is tried with a tenth more pods.
func TestCeilingIsTried(t *testing.T) {
	for name, tc := range map[string]struct {
		looks []Use
		pods  int32
		sure  bool
	}{
		"nothing is found":               {looks: []Use{look(0, 0, 900, 9000, 10)}},
		"less is used now":               {looks: []Use{look(0, 800, 700, 7000, 10)}},
		"it is found":                    {looks: []Use{look(0, 800, 790, 7900, 10)}, pods: 11},
		"the pod is not there yet":       {looks: []Use{look(0, 800, 790, 7900, 10), look(2, 800, 790, 7900, 10)}, pods: 11},
		"its usage does not show yet":    {looks: []Use{look(0, 800, 790, 7900, 10), look(2, 800, 790, 7900, 11), look(2.5, 800, 790, 8700, 11)}, pods: 11},
		"work was waiting":               {looks: []Use{look(0, 800, 800, 8000, 10), look(2, 800, 800, 8000, 11), look(3, 800, 800, 8800, 11)}, sure: true},
		"none was":                       {looks: []Use{look(0, 800, 800, 8000, 10), look(2, 800, 800, 8000, 11), look(3, 800, 730, 8030, 11)}},
		"the pod does not come":          {looks: []Use{look(0, 800, 800, 8000, 10), look(10, 800, 800, 8000, 10)}},
		"a pod uses more":                {looks: []Use{look(0, 800, 800, 8000, 10), look(1, 800, 817, 8100, 10)}},
		"one of one pod":                 {looks: []Use{look(0, 800, 800, 800, 1)}, pods: 2},
		"a second trial waits":           {looks: []Use{look(0, 800, 800, 8000, 10), look(10, 800, 800, 8000, 10), look(14.9, 800, 800, 8000, 10)}},
		"for five minutes":               {looks: []Use{look(0, 800, 800, 8000, 10), look(10, 800, 800, 8000, 10), look(15, 0, 800, 8000, 10)}, pods: 11},
		"a third for ten":                {looks: []Use{look(0, 800, 800, 8000, 10), look(10, 800, 800, 8000, 10), look(15, 0, 800, 8000, 10), look(25, 0, 800, 8000, 10), look(34, 0, 800, 8000, 10)}},
		"unless less was used meanwhile": {looks: []Use{look(0, 800, 800, 8000, 10), look(10, 800, 800, 8000, 10), look(11, 0, 500, 8000, 10), look(15, 0, 800, 8000, 10), look(25, 0, 800, 8000, 10), look(30, 0, 800, 8000, 10)}, pods: 11},
	} {
		t.Run(name, func(t *testing.T) {
			var c Ceiling
			for _, u := range tc.looks {
				c = c.recalled(u.At)
				c.Look(u)
			}
			if c.Pods != tc.pods || c.Sure() != tc.sure {
				t.Errorf("got %+v, want %d pods, sure %v", c, tc.pods, tc.sure)
			}
		})
	}
}

// TestCeilingCounts: pods have no more than it, usually a fifth less, totals are
// counted on it, and after a day it has to be tried again.
func TestCeilingCounts(t *testing.T) {
	c := Ceiling{Amount: 800, Since: noon}
	capped := c.Capped(&rules)
	if want := (Rules{Usual: 640, Min: 500, Max: 800, Ceiling: 800}); *capped != want {
		t.Errorf("got %+v, want %+v", *capped, want)
	}
	if got := capped.Count(8, 9000, false); got != 15 {
		t.Errorf("9 cores in pods of 640m: got %d, want 15", got)
	}
	if !c.Reached(784) || c.Reached(783) {
		t.Error("784m reach a ceiling of 800m, and no less")
	}
	c.Look(look(24*60, 0, 500, 5000, 10))
	if c.Sure() || c.Likely != 800 {
		t.Errorf("a day later: %+v", c)
	}
	if big := (&Ceiling{Amount: 4000, Since: noon}); big.Capped(&rules) != &rules {
		t.Error("a ceiling above the largest size binds")
	}
}
