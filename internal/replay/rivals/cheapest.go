package rivals

import (
	"math"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
)

// What is tuned beforehand is tuned on the first part of a demand, by what it
// would have cost there: the core-hours, lost work fifty times, a start of a pod
// as thirty core-seconds and a resize as a fifth of that.
const (
	priceUnserved = 50.0
	priceStart    = 1.0 / 120
	priceResize   = priceStart / 5
)

// cheapest is the candidate that costs least in the first part of a plant's
// demand; the first of them where that is too short to tell. A candidate that
// keeps the number of pods resizes all of them in each change.
func cheapest(s sim.Settings, part time.Duration, candidates []func(*sim.Settings) sim.Controller) int {
	if part < s.Sync || s.Demand.Points(part) < 2 {
		return 0
	}
	s.Demand, s.WarmUp = s.Demand.Until(s.Demand.Start().Add(part)), 0
	best, least := 0, math.Inf(1)
	for i, start := range candidates {
		own := s
		c := start(&own)
		score := sim.Run(own, c, nil)
		cost := coreHours(score.Cores) + priceUnserved*coreHours(score.Unserved) +
			priceStart*float64(score.PodStarts) + priceResize*float64(score.Changes)*float64(own.Replicas)
		if cost < least {
			best, least = i, cost
		}
	}
	return best
}

// coreHours is a work in core-hours.
func coreHours(w sim.Work) float64 {
	return (float64(w.Hi)*math.Exp2(64) + float64(w.Lo)) / 1000 / float64(time.Hour)
}
