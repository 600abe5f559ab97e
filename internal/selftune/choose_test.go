package selftune

import (
	"testing"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// TestChoose: a setting has to be cheaper than the present one by two percent in
// both halves.
func TestChoose(t *testing.T) {
	now, hpa80, hpa90 := scale.Setting{}, scale.Setting{Target: 80}, scale.Setting{Target: 90}
	for name, c := range map[string]struct {
		now        scale.Setting
		candidates []scale.Candidate
		want       scale.Setting
	}{
		"cheaper in both":          {now, []scale.Candidate{costs(now, 1000, 2000), costs(hpa90, 980, 1960)}, hpa90},
		"by less than the margin":  {now, []scale.Candidate{costs(now, 1000, 2000), costs(hpa90, 981, 1000)}, now},
		"cheaper in one half":      {now, []scale.Candidate{costs(now, 1000, 2000), costs(hpa90, 100, 1999)}, now},
		"the cheapest of several":  {now, []scale.Candidate{costs(now, 1000, 2000), costs(hpa90, 980, 1900), costs(hpa80, 900, 1900)}, hpa80},
		"back by the same rule":    {hpa80, []scale.Candidate{costs(now, 970, 1940), costs(hpa80, 1000, 2000)}, now},
		"the present is not known": {hpa80, []scale.Candidate{costs(now, 1, 1)}, hpa80},
		"nothing costs anything":   {now, []scale.Candidate{costs(now, 0, 0), costs(hpa80, 0, 0)}, now},
		"no candidates":            {hpa90, nil, hpa90},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Choose(c.now, c.candidates); got != c.want {
				t.Errorf("chose %s, want %s", got, c.want)
			}
		})
	}
}

// TestTheFamilyFits: what is found can be remembered, and the zero setting, which
// everyone begins with, is a candidate.
func TestTheFamilyFits(t *testing.T) {
	if len(Family) > scale.MaxCandidates || Family[0] != (scale.Setting{}) {
		t.Errorf("the family is %v", Family)
	}
}

func TestNext(t *testing.T) {
	at := func(text string) time.Time {
		out, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for after, want := range map[string]string{
		"2026-01-05T01:59:59Z": "2026-01-05T02:00:00Z", "2026-01-05T02:00:00Z": "2026-01-06T02:00:00Z",
		"2026-01-05T23:00:00Z": "2026-01-06T02:00:00Z", "2026-01-05T03:00:00+02:00": "2026-01-05T02:00:00Z",
	} {
		t.Run(after, func(t *testing.T) {
			if got := Next(at(after), UsualAt); !got.Equal(at(want)) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func costs(s scale.Setting, first, second scale.Amount) scale.Candidate {
	return scale.Candidate{Setting: s, First: first, Second: second}
}
