package checker

import (
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// inAWindow and window bound the requests that write about one object: some a
// round, and retries that come ever later.
const (
	window    = 5 * time.Second
	inAWindow = 100
)

// Failed writes come later and later: each gap is twice the one before, from first to
// two thirds of the period. Rounds for other reasons may come between, so half of
// that is enough, and only many in a row show it.
const (
	first  = 50 * time.Millisecond
	inARow = 8
)

// judgeRetries looks at what each controller writes about each object.
func (c *Checker) judgeRetries() {
	for name, writes := range c.writes() {
		by := map[string][]*trail.Request{}
		for _, r := range writes {
			if ours(r.Resource) {
				by[r.Who] = append(by[r.Who], r)
			}
		}
		for _, who := range slices.Sorted(maps.Keys(by)) {
			c.judged[Retries]++
			slices.SortStableFunc(by[who], func(a, b *trail.Request) int { return a.Began.Compare(b.Began) })
			c.judgeHowMany(by[who])
			c.judgeGaps(by[who], c.object(name).shortest())
		}
	}
}

// judgeHowMany bounds the writes of a controller about an object.
func (c *Checker) judgeHowMany(all []*trail.Request) {
	for from, to := 0, 0; to < len(all); to++ {
		for all[to].Began.Sub(all[from].Began) > window {
			from++
		}
		if to-from+1 > inAWindow {
			c.violated(Retries, all[to].Object, all[to].Began, "%s wrote %d times within %s", all[to].Who, to-from+1, window)
			return
		}
	}
}

// judgeGaps looks at counts that were to be written again and again: there is one such
// write in a round, and a round that fails is repeated later and later.
func (c *Checker) judgeGaps(all []*trail.Request, period time.Duration) {
	var row []*trail.Request
	for _, r := range all {
		if r.Resource != scales || r.Replicas == nil {
			continue
		}
		if len(row) > 0 && *row[0].Replicas != *r.Replicas {
			row = nil
		}
		if r.Code < http.StatusBadRequest {
			row = nil
			continue
		}
		row = append(row, r)
		if took := r.Began.Sub(row[0].Began); len(row) >= inARow && took < spaced(len(row), period)/2 {
			c.violated(Retries, r.Object, r.Began, "%s failed to write %d replicas %d times within %s", r.Who, *r.Replicas, len(row), took)
			return
		}
	}
}

// spaced is how long so many tries take, if each comes later than the one before.
func spaced(tries int, period time.Duration) (long time.Duration) {
	for gap := first; tries > 1; tries-- {
		if period > 0 {
			gap = min(gap, period*2/3)
		}
		long += gap
		gap *= 2
	}
	return long
}

// shortest is the shortest period that an object has had.
func (o *object) shortest() (period time.Duration) {
	for i := range o.statuses {
		if p := o.statuses[i].period; p > 0 && (period == 0 || p < period) {
			period = p
		}
	}
	return period
}
