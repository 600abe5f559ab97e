package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
)

// asGood is the share of a cost within which two policies are as good as each
// other, and two numbers of the score sheet the same to a reader.
const asGood = 0.03

// verdictOf says in a sentence or two which policy does best. All that a policy
// costs counts: the core-hours that are billed, lost and late work, and changes.
func verdictOf(r Report) string {
	if r.Verdict != "" {
		return r.Verdict
	}
	var all []replay.Result
	for _, result := range r.Results {
		if result.Policy != oracle {
			all = append(all, result)
		}
	}
	if len(all) == 0 {
		return ""
	}
	if len(all) == 1 {
		return alone(&all[0])
	}
	slices.SortStableFunc(all, func(a, b replay.Result) int { return cmp.Compare(a.Score.Total, b.Score.Total) })
	best, next := &all[0], &all[1]
	comparison := fmt.Sprintf("%s, %s", fewer(best.Score.BilledCoreHours, next.Score.BilledCoreHours, "core-hours billed"), losses(&best.Score, &next.Score))
	money := saved(best, next)
	if best.Score.Total >= next.Score.Total*(1-asGood) {
		return fmt.Sprintf("%s and %s are as good as each other: all in all they cost %.0f and %.0f core-hours. The first has %s.%s",
			best.Policy, next.Policy, best.Score.Total, next.Score.Total, comparison, money)
	}
	return fmt.Sprintf("%s does best: all in all it costs %.0f core-hours, and %s, which comes next, %.0f. It has %s.%s",
		best.Policy, best.Score.Total, next.Policy, next.Score.Total, comparison, money)
}

// alone says what one policy did, beside nobody.
func alone(r *replay.Result) string {
	out := fmt.Sprintf("%s had %.0f core-hours billed", r.Policy, r.Score.BilledCoreHours)
	if r.Score.OracleCoreHours > 0 {
		out += fmt.Sprintf(", %.2f times what knowing the future would need", r.Score.CoreHours/r.Score.OracleCoreHours)
	}
	out += fmt.Sprintf("; %s of the work was not served and %s was late.", percent(r.Score.UnservedPercent), percent(r.Score.Late))
	if r.Score.Money > 0 {
		out += fmt.Sprintf(" It costs %.2f%s.", r.Score.Money, monthly(r, r.Score.Money))
	}
	return out + " Another --policy beside it would show whether that is good."
}

// fewer compares two amounts.
func fewer(own, other float64, of string) string {
	switch share := (other - own) / max(other, 1e-9); {
	case share >= asGood:
		return fmt.Sprintf("%.0f %% fewer %s", 100*share, of)
	case share <= -asGood:
		return fmt.Sprintf("%.0f %% more %s", -100*share, of)
	}
	return "about as many " + of
}

// losses compares the work that was not done, or late.
func losses(own, other *replay.Score) string {
	out := share("of the work unserved", own.UnservedPercent, other.UnservedPercent)
	if own.Late > 0 || other.Late > 0 {
		out += ", and " + share("of it late", own.Late, other.Late)
	}
	return out
}

// share compares two shares. What reads the same is the same to a reader.
func share(of string, own, other float64) string {
	if percent(own) == percent(other) {
		return fmt.Sprintf("as much %s, %s", of, percent(own))
	}
	return fmt.Sprintf("%s %s where the other has %s", percent(own), of, percent(other))
}

func percent(v float64) string { return fmt.Sprintf("%.2f %%", v) }

// saved says what the difference is in money, where there are prices.
func saved(best, next *replay.Result) string {
	if best.Score.Money == 0 && next.Score.Money == 0 {
		return ""
	}
	less := next.Score.Money - best.Score.Money
	verb := "saves"
	if less < 0 {
		less, verb = -less, "costs"
	}
	out := fmt.Sprintf(" That %s %.2f in money%s", verb, less, monthly(best, less))
	if verb == "costs" {
		out += " more"
	}
	return out + "."
}

// monthly is a sum over the time that was replayed as one of thirty days.
func monthly(r *replay.Result, sum float64) string {
	if r.Course == nil || len(r.Course.Demand.Min) == 0 {
		return ""
	}
	length := r.Course.Step * time.Duration(len(r.Course.Demand.Min))
	if length < 24*time.Hour {
		// A month of an hour like this one is no month that anyone will see.
		return ""
	}
	return fmt.Sprintf(", about %.0f a month", sum*float64(30*24*time.Hour)/float64(length))
}
