package search

import (
	"cmp"
	"slices"
)

// dominates tells whether a score is nowhere worse than another and somewhere
// better, in cost, unserved work and changes.
func dominates(a, b Measured) bool {
	if a.BilledCoreHours > b.BilledCoreHours || a.UnservedPercent > b.UnservedPercent || a.Changes > b.Changes {
		return false
	}
	return a.BilledCoreHours < b.BilledCoreHours || a.UnservedPercent < b.UnservedPercent || a.Changes < b.Changes
}

// front are the trials that no other dominates, the cheapest first. Of those
// with the same score the one that changes least is kept.
func front(all []Trial) []Trial {
	var out []Trial
	for i, t := range all {
		beaten := false
		for j, other := range all {
			beaten = beaten || dominates(other.Score, t.Score) || (equalScores(other.Score, t.Score) && simpler(other, t, j < i))
		}
		if !beaten {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b Trial) int {
		return cmp.Or(cmp.Compare(a.Score.BilledCoreHours, b.Score.BilledCoreHours), cmp.Compare(a.Score.UnservedPercent, b.Score.UnservedPercent))
	})
	return out
}

// simpler tells whether a trial changes less than another, or came before it.
func simpler(a, b Trial, before bool) bool {
	if len(a.Settings) != len(b.Settings) {
		return len(a.Settings) < len(b.Settings)
	}
	return before
}

// tolerable leaves out trials that save money by not doing the work: nobody
// would adopt one that drops more than one percent, unless the policy as it is
// drops more.
func tolerable(trials []Trial, base Measured) []Trial {
	most := max(1, base.UnservedPercent)
	return slices.DeleteFunc(trials, func(t Trial) bool { return t.Score.UnservedPercent > most })
}

func equalScores(a, b Measured) bool {
	return a.BilledCoreHours == b.BilledCoreHours && a.UnservedPercent == b.UnservedPercent && a.Changes == b.Changes
}

// thinned keeps at most so many trials, evenly over the front, both ends among
// them.
func thinned(trials []Trial, most int) []Trial {
	if len(trials) <= most {
		return trials
	}
	out := make([]Trial, 0, most)
	for i := range most {
		out = append(out, trials[i*(len(trials)-1)/(most-1)])
	}
	return out
}
