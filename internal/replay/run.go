package replay

import (
	"io"

	"github.com/tidemark/tidemark/internal/replay/progress"
	"github.com/tidemark/tidemark/internal/replay/sim"
)

// Result is how a policy did.
type Result struct {
	// Workload is set in a fleet.
	Workload string
	Policy   string
	Score    Score
	// Timeline is every decision, where that was asked for.
	Timeline []Moment
	// Course is the run to be drawn, where that was asked for.
	Course *Course
	// shape is the run in a line of text.
	shape shape
}

// Options of a run.
type Options struct {
	Timeline, Course bool
	// WithoutOracle leaves the oracle out, which takes as long as another policy.
	WithoutOracle bool
	// Progress is where a run that takes long says how far it is.
	Progress io.Writer
}

// Run replays each policy. The oracle is replayed as well, where nobody wants to do
// without it, since every score is compared with it.
func (r *Replay) Run(policies []Policy, o Options) ([]Result, error) {
	runs := len(policies)
	if r.plant.Measured {
		runs += len(downWindows) * targets
	}
	bar := progress.Start(o.Progress, "decisions", r.decisions(runs))
	defer bar.Stop()
	if r.plant.Measured {
		if _, _, err := r.best(everyWindow, bar); err != nil {
			return nil, err
		}
	}
	var cost sim.Work
	if !o.WithoutOracle {
		cost = r.oracle()
	}
	results := make([]Result, len(policies))
	err := Each(len(policies), func(i int) (err error) {
		results[i], err = r.one(policies[i], o, bar)
		results[i].Score.OracleCoreHours = hours(cost, perCore)
		return err
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// one replays one policy.
func (r *Replay) one(p Policy, o Options, bar *progress.Bar) (Result, error) {
	s, c, err := r.start(p)
	if err != nil {
		return Result{}, err
	}
	out := Result{Policy: p.Name, shape: newShape(s.Demand.Start(), s.Demand.Length())}
	if o.Course {
		out.Course = newCourse(s.Demand.Start(), s.Demand.Length())
	}
	score := sim.Run(s, c, func(m sim.Moment) bool {
		bar.Add(1)
		out.shape.add(m)
		if o.Course {
			out.Course.add(m)
		}
		if o.Timeline {
			out.Timeline = append(out.Timeline, momentOf(m))
		}
		return true
	})
	out.Score, err = r.scoreOf(score)
	return out, err
}

// decisions is how many decisions so many policies will make, or nearly so.
func (r *Replay) decisions(policies int) int64 {
	return int64(policies) * int64(r.plant.Demand.Length()/r.plant.Sync+1)
}
