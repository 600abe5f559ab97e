package shortfall

import (
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// takingBack is how long it may take to take a boost back.
const takingBack = creating

// boosts looks for pods that have their start-up boost although it is over.
func (l *Look) boosts(r *scale.Shortfall) {
	gap := scale.Gap{Kind: scale.GapBoost, Reason: scale.StartupBoost,
		Why: "their boost is over, and taking it back does not succeed or is not allowed now: the controller's log says why, and it is tried again"}
	for i := range l.Obs.Pods {
		p := &l.Obs.Pods[i]
		if p.Ended() {
			continue
		}
		gap.Of++
		if p.Boosted && l.Obs.At.Sub(p.BoostEnds) > takingBack {
			add(&gap, p.Name, p.BoostEnds)
		}
	}
	if gap.Count > 0 {
		slices.Sort(gap.Pods)
		r.Gaps = append(r.Gaps, gap)
	}
}

// besideBoost is what a container of a boosted pod has, but for its boost.
func besideBoost(c *scale.PodContainer, res scale.Resource) (scale.Amount, bool) {
	if res == scale.CPU {
		return c.Requests.Get(res)
	}
	return c.Has(res)
}
