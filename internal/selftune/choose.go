package selftune

import "github.com/tidemark/tidemark/scale"

// Family are the settings that are compared: headroom as it is, headroom that waits
// longer before it changes, and plain HPAs, which are the guard. It is small on
// purpose: the more there are, the likelier one of them only fits the past.
var Family = []scale.Setting{{}, {Wait: 100}, {Target: 70}, {Target: 80}, {Target: 90}, {Target: 100}}

// marginPercent is by how much a setting has to be cheaper than the present one, in
// each half.
const marginPercent = 2

// Choose is the setting to move to: the cheapest of those that are cheaper than the
// present one by the margin in both halves, or else the present one.
func Choose(now scale.Setting, candidates []scale.Candidate) scale.Setting {
	present, known := (&scale.Tuned{Candidates: candidates}).Cost(now)
	if !known {
		return now
	}
	best := present
	for _, c := range candidates {
		if cheaper(c.First, present.First) && cheaper(c.Second, present.Second) && c.First.Add(c.Second) < best.First.Add(best.Second) {
			best = c
		}
	}
	return best.Setting
}

// cheaper tells whether a cost is below another by the margin.
func cheaper(a, than scale.Amount) bool {
	return a >= 0 && a <= than.Share(100-marginPercent, 100) && a < than
}
