package advise

import "fmt"

// worthwhile is the share of the cost from which on a change is worth the while of
// whoever makes it, asWell that within which two are as good as each other.
const worthwhile, asWell = 0.05, 0.03

// conclude says what to do.
func (a *Advice) conclude(is present) {
	now, then := &a.Now, &a.Recommended
	a.Saves = Savings{
		CoreHours: now.Score.BilledCoreHours - then.Score.BilledCoreHours, GiBHours: now.Score.GiBHours - then.Score.GiBHours,
		Money: now.Score.Money - then.Score.Money, Cost: now.Cost - then.Cost, Share: (now.Cost - then.Cost) / max(now.Cost, 1e-9),
	}
	hpa := (now.Cost - a.BestHPA.Cost) / max(now.Cost, 1e-9)
	switch {
	case is.spec != nil && !is.byCPU:
		a.Verdict = Keep
		a.Says = fmt.Sprintf("Keep what decides (%s): the usage of cpu cannot show whether another would do.", a.Scaled)
		return
	case hpa >= worthwhile && a.BestHPA.Cost <= then.Cost*(1+asWell) && (is.spec != nil || a.BestHPA.Cost <= then.Cost):
		a.Verdict = Tune
		a.Says = fmt.Sprintf("An HPA with a target of %d %% is as good as anything: %s.", a.BestHPA.Target, difference(now, &a.BestHPA))
	case a.Saves.Share >= worthwhile:
		a.Verdict = Adopt
		a.Says = fmt.Sprintf("Worth adopting: %s.", difference(now, then))
	default:
		a.Verdict = Keep
		a.Says = fmt.Sprintf("Nothing to gain: what runs now costs %.0f core-hours in all, the recommended policy %.0f.", now.Cost, then.Cost)
	}
	if a.Sure == Low {
		a.Says = "Perhaps, since " + a.Doubts[0] + ". " + a.Says
	}
}

// difference says what changes, in core-hours that are billed and in work that is
// lost or late.
func difference(now, then *Outcome) string {
	from, to := now.Score.BilledCoreHours, then.Score.BilledCoreHours
	return fmt.Sprintf("%s core-hours (%.0f -> %.0f), unserved work %.2f %% -> %.2f %%, late %.2f %% -> %.2f %%",
		change(from, to), from, to, now.Score.UnservedPercent, then.Score.UnservedPercent, now.Score.Late, then.Score.Late)
}

// change is how much less, or more, one is than another.
func change(from, to float64) string {
	switch percent := 100 * (from - to) / max(from, 1e-9); {
	case percent >= 0.5:
		return fmt.Sprintf("%.0f %% fewer", percent)
	case percent <= -0.5:
		return fmt.Sprintf("%.0f %% more", -percent)
	}
	return "as many"
}
