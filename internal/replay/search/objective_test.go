package search

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidemark/tidemark/internal/replay"
)

func measured(cost, unserved float64, changes int64) Measured {
	return Measured{replay.Score{BilledCoreHours: cost, UnservedPercent: unserved, Changes: changes, OracleCoreHours: 50}, 10}
}

// TestObjectiveValues: cost 100 with an oracle of 50, 0.5 % unserved, 20
// changes in 10 hours.
func TestObjectiveValues(t *testing.T) {
	for text, want := range map[string]float64{
		"cost":                       100,
		"cost+1000*unserved":         600,
		" 2 * cost + changes ":       220,
		"balanced":                   2 + 1 + 0.2,
		"churn where cost<=5":        2,
		"Cost where unserved >= 0.1": 100,
	} {
		t.Run(text, func(t *testing.T) {
			o := objective(t, text)
			if got := o.Value(measured(100, 0.5, 20)); got < want-1e-9 || got > want+1e-9 {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
		})
	}
}

// TestBetter: who meets the conditions wins, then who misses them by less, then
// who is cheaper.
func TestBetter(t *testing.T) {
	o := objective(t, "cost where unserved<=0.01%, changes<=10")
	order := []Measured{measured(50, 0, 10), measured(60, 0.01, 0), measured(10, 0.02, 0), measured(5, 0.02, 20), measured(1, 90, 0)}
	for i, a := range order {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			for j, b := range order {
				if got := o.Better(a, b); got != (i < j) {
					t.Errorf("%d before %d: %v", i, j, got)
				}
			}
		})
	}
	if got := strings.Join(o.Missed(order[3]), "; "); got != "unserved<=0.01%; changes<=10" {
		t.Errorf("missed: %s", got)
	}
}

func TestObjectivesRefused(t *testing.T) {
	for text, says := range map[string]string{
		"":                       `"" is not a number of a score: there are changes, churn, cost,`,
		"speed":                  `"speed" is not a number of a score`,
		"-1*cost":                `"-1" is not a weight`,
		"x*cost":                 `"x" is not a weight`,
		"NaN*cost":               `"NaN" is not a weight`,
		"cost where":             "is not a number of a score",
		"cost where unserved":    `"unserved" is not a condition`,
		"cost where unserved<=x": "the bound of unserved<=x",
		"cost where a<=1":        `"a" is not a number of a score`,
	} {
		t.Run(text, func(t *testing.T) {
			if _, err := ParseObjective(text); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%q: got %v, want %q", text, err, says)
			}
		})
	}
}

func FuzzParseObjective(f *testing.F) {
	for _, text := range []string{"balanced", "cost where unserved<=0.01%", "cost+1000*unserved", "1e308*cost + cost"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ParseObjective(text)
		if err != nil {
			return
		}
		a, b := measured(1, 2, 3), measured(3, 2, 1)
		if o.Better(a, b) && o.Better(b, a) || o.Better(a, a) {
			t.Fatalf("%q has no order", text)
		}
	})
}
