package plot

import (
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	for name, c := range map[string]struct {
		low, high, least float64
		unit             Unit
		want             string
	}{
		"cores count in tens":               {0, 40, 40.0 / 6, Cores, "0 10 20 30 40"},
		"parts of a core are in millicores": {0, 1, 1.0 / 6, Cores, "0 200m 400m 600m 800m 1"},
		"memory counts in powers of two":    {0, 160, 160.0 / 6, GiB, "0 32Gi 64Gi 96Gi 128Gi 160Gi"},
		"parts of a gibibyte are in Mi":     {0, 1, 1.0 / 5, GiB, "0 256Mi 512Mi 768Mi 1Gi"},
		"small counts go up by one":         {0, 6, 1, Plain, "0 1 2 3 4 5 6"},
		"an exact step is kept":             {0, 50, 10, Plain, "0 10 20 30 40 50"},
		"numbers below zero":                {-5, 5, 10.0 / 5, Plain, "-4 -2 0 2 4"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, v := range ticks(c.low, c.high, niceStep(c.least, c.unit)) {
				got = append(got, c.unit.label(v))
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%s: got %s, want %s", name, text, c.want)
			}
		})
	}
}
