package elastic

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// TestCapped: a ceiling is remembered until a pod uses more, or a day has passed.
// Pods may have a fifth more than it, so that they can.
func TestCapped(t *testing.T) {
	var past Past
	capped := Rules{Usual: 800, Min: 500, Max: 960, Ceiling: 800}
	for _, step := range []struct {
		name        string
		after       time.Duration
		found, used scale.Amount
		want        Rules
		is          bool
	}{
		{"nothing is known", 0, 0, 900, rules, false},
		{"it is found", time.Minute, 800, 790, capped, true},
		{"it is not told again", 2 * time.Minute, 0, 500, capped, true},
		{"two percent are measured", 3 * time.Minute, 0, 816, capped, true},
		{"a pod uses more", 4 * time.Minute, 0, 817, rules, false},
		{"it is found again", 5 * time.Minute, 800, 790, capped, true},
		{"the next day", 24*time.Hour + 5*time.Minute, 0, 790, rules, false},
		{"one that is no bound", 25 * time.Hour, 4000, 4000, rules, false},
	} {
		got, is := past.Capped(&rules, noon.Add(step.after), step.found, step.used)
		if *got != step.want || is != step.is {
			t.Errorf("%s: got %+v, %v; want %+v, %v", step.name, *got, is, step.want, step.is)
		}
	}
	if got := capped.Count(8, 9000, false); got != 12 {
		t.Errorf("9 cores in pods that use 800m: got %d, want 12", got)
	}
}
