package fleet

import (
	"fmt"
	"os"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/progress"
	"github.com/tidemark/tidemark/internal/shard"
)

// Fleet is what to replay.
type Fleet struct {
	Workloads []Workload
	Shard     shard.Shard
	// Policies returns the policies of a workload, in an order that is the same
	// for all.
	Policies func(Workload) ([]replay.Policy, error)
	Reading  replay.Reading
	Plant    replay.Plant
}

// Size is how many workloads the shard has.
func (f *Fleet) Size() int64 { return int64(len(partOf(f.Shard, f.Workloads))) }

// Run replays each workload of the shard. One that cannot be replayed is a failure
// in the result; it does not end the run.
func (f *Fleet) Run(bar *progress.Bar) Result {
	mine := partOf(f.Shard, f.Workloads)
	parts := make([]Result, len(mine))
	_ = replay.Each(len(mine), func(i int) error {
		w := mine[i]
		rows, notes, err := f.one(w)
		parts[i] = Result{Rows: rows}
		if err != nil {
			parts[i] = Result{Failures: []Failure{{w.Name, err.Error()}}}
		}
		for _, n := range notes {
			parts[i].Warnings = append(parts[i].Warnings, Failure{w.Name, n})
		}
		bar.Add(1)
		return nil
	})
	out := Result{Settings: f.Plant.Facts(), Rows: []Row{}}
	if f.Shard.Of > 1 {
		out.Shard = &f.Shard
	}
	for _, p := range parts {
		out.Rows = append(out.Rows, p.Rows...)
		out.Failures = append(out.Failures, p.Failures...)
		out.Warnings = append(out.Warnings, p.Warnings...)
	}
	out.Totals = totals(out.Rows)
	return out
}

// one replays one workload.
func (f *Fleet) one(w Workload) ([]Row, []string, error) {
	file, err := os.Open(w.Recording)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	read, notes, err := replay.ReadDemand(file, f.Reading)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", w.Recording, err)
	}
	r, err := replay.New(read, f.Plant)
	if err != nil {
		return nil, notes, err
	}
	policies, err := f.Policies(w)
	if err != nil {
		return nil, notes, err
	}
	var rows []Row
	for i, p := range policies {
		for _, warning := range r.Warnings(p) {
			notes = append(notes, p.Name+": "+warning)
		}
		score, err := r.Score(p)
		if err != nil {
			return nil, notes, fmt.Errorf("%s: %w", p.Name, err)
		}
		if m := score.Measure; m != nil && i == 0 {
			notes = append(notes, m.Warnings()...)
		}
		demand := r.DemandCoreHours()
		rows = append(rows, Row{Workload: w.Name, Policy: p.Name, Score: score, DemandCoreHours: demand, UnservedCoreHours: demand * score.UnservedPercent / 100})
	}
	return rows, notes, nil
}
