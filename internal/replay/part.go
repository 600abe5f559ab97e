package replay

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Between is a replay of the part of the demand from one moment until before
// another, as far as there is any. Every policy begins it without a memory.
func (r *Replay) Between(from, until time.Time) (*Replay, error) {
	start, end := r.Span()
	if from.Before(start) {
		from = start
	}
	if until.After(end) {
		until = end
	}
	// The longest start-up and a few decisions are the least that says anything.
	if least := r.plant.StartUp + r.plant.Jitter + 4*r.plant.Sync; until.Sub(from) < least {
		return nil, fmt.Errorf("of the demand %s are known: a replay needs at least %s", max(until.Sub(from), 0).Round(time.Second), least)
	}
	out := &Replay{plant: r.plant}
	out.plant.Measured = false
	out.plant.Demand = r.plant.Demand.Between(from, until)
	out.plant.Events = slices.DeleteFunc(slices.Clone(r.plant.Events), func(e sim.Event) bool { return e.At.Before(from) || !e.At.Before(until) })
	if from.After(start) {
		out.plant.WarmUp = 0
	}
	if out.plant.WarmUp >= until.Sub(from) {
		out.plant.WarmUp = 0
	}
	return out, nil
}

// BestHPA is the HPA that would have cost least in hindsight, among all targets
// that are tried, and the policy that it is. Where the context ends, who asks again goes
// on from there.
func (r *Replay) BestHPA(ctx context.Context) (BestHPA, Policy, error) {
	best, _, err := r.best(ctx, usualOnly, nil)
	if err != nil {
		return best, Policy{}, err
	}
	best.DownWindowSeconds = 0 // It was not chosen.
	p, err := FromSpec(fmt.Sprintf("hpa:%d", best.Target), HPA(best.Target))
	return best, p, err
}

// Watched replays a policy and shows each decision to see, which ends the replay
// by reporting false. It reports false as well where that happened: then there is
// no score.
func (r *Replay) Watched(p Policy, see func(sim.Moment) bool) (score Score, whole bool, err error) {
	s, c, err := r.start(p)
	if err != nil {
		return Score{}, false, err
	}
	whole = true
	ran := sim.Run(s, c, func(m sim.Moment) bool {
		whole = see(m)
		return whole
	})
	if !whole {
		return Score{}, false, nil
	}
	out, err := r.scoreOf(ran)
	out.OracleCoreHours = hours(r.oracle(), perCore)
	return out, true, err
}

// Number is a number of a score sheet as a table prints it.
type Number struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	// Shown is not set where the plant has no such problem, and zero says nothing.
	Shown bool `json:"shown"`
}

// Numbers are the numbers of a result, in the order of a table, but for those of the
// measure.
func (r Result) Numbers() []Number {
	var out []Number
	for _, c := range tableColumns[1:] {
		if c.title == "T" {
			break
		}
		out = append(out, Number{Title: c.title, Text: c.cell(r), Shown: c.shown == nil || c.shown(r.Score)})
	}
	return out
}
