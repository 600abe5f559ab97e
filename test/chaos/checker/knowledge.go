package checker

import (
	"bytes"
	"time"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/scale"
)

// forgotten says which part of a history a later version of it has lost; empty where
// none. What fades by the day may be less, but not gone. Where the clock may have been
// wrong, moments say nothing, nor what is begun anew where it was begun in the future.
func forgotten(older, newer *history.History, sure bool) string {
	for _, part := range []struct {
		what string
		lost bool
	}{
		{"counts", lostCounts(older.Slots, newer.Slots)},
		{"when it learned last", sure && older.Newest().After(newer.Newest())},
		{"usage", lostUsage(older.Usage, newer.Usage)},
		{"looks", lastLook(older.Growth).After(lastLook(newer.Growth))},
		{"growth", older.Growth.Reactions() > few && newer.Growth.Reactions() < older.Growth.Reactions()/2},
		{"demand", older.Demand.Known() && !newer.Demand.Known()},
		{"starts", older.StartUp.Count() > newer.StartUp.Count()},
		{"resizes", older.Resizes.Count() > newer.Resizes.Count()},
		{"peaks", sure && lostPeaks(older, newer)},
	} {
		if part.lost {
			return part.what
		}
	}
	return ""
}

// few reactions may fade to none by rounding. Half of many takes two weeks.
const few = 3

// lostCounts tells whether counts are gone. Those that were learned under other
// settings rightly are.
func lostCounts(older, newer *history.Slots) bool {
	both, err := history.New(newer.Settings())
	if err != nil || both.Slots.Merge(newer) != nil {
		return false
	}
	known := both.Encode()
	return both.Slots.Merge(older) == nil && !bytes.Equal(known, both.Encode())
}

// lostUsage tells whether a container is gone, or samples of it. Where there are as
// many as may be, an old one leaves for a new one.
func lostUsage(older, newer *history.Usage) bool {
	for _, name := range older.Containers() {
		for _, r := range scale.EveryResource {
			before, knew := older.Span(name, r)
			now, knows := newer.Span(name, r)
			switch {
			case !knew:
			case !knows:
				return len(newer.Containers()) < history.MaxContainers
			case now.Samples < before.Samples || now.Last.Before(before.Last):
				return true
			}
		}
	}
	return false
}

// lastLook is when the size was last seen; the zero time where it never was.
func lastLook(g *history.Growth) (at time.Time) {
	for {
		_, next, ok := g.After(at)
		if !ok {
			return at
		}
		at = next
	}
}

// lostPeaks tells whether a container was busier than is known by now, under the same
// target. That fades once a day; what was seen under another one is rightly gone.
func lostPeaks(older, newer *history.History) bool {
	at := newer.Newest()
	all := history.EstimatorSettings{MinSamples: 1}
	for i := range all.Percentile {
		all.Percentile[i] = scale.Parts
	}
	for _, name := range older.Usage.Containers() {
		for _, r := range scale.EveryResource {
			before, knew := older.Peaks.Of(at, name, r, all)
			now, knows := newer.Peaks.Of(at, name, r, all)
			if knew && knows && before.Under == now.Under && before.Days == 0 && now.Percent < before.Percent {
				return true
			}
		}
	}
	return false
}
