package generate

import "testing"

func FuzzParse(f *testing.F) {
	for _, line := range []string{"daily?days=28&seed=3", "step?hours=1&step=30s&mean=2500m&start=2026-03-01T00:00:00Z", "?", "ramp?days=-1"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got, err := Parse(line)
		if err != nil {
			return
		}
		for i, p := range got.Points {
			if p.Value < 0 || (i > 0 && !p.At.After(got.Points[i-1].At)) {
				t.Fatalf("%q: point %d is %v", line, i, p)
			}
		}
	})
}
