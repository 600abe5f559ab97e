package replay

import (
	"context"
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
	// Ended is set where the run cost too much to be looked at to its end. It has no
	// score.
	Ended bool
	// shape is the run in a line of text.
	shape shape
}

// Options of a run.
type Options struct {
	Timeline, Course bool
	// Each is told every decision.
	Each func(Moment)
	// Below ends a run that costs as much, by T, or more, where it is not 0: whoever
	// looks for the cheapest does not want it.
	Below float64
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
		if _, _, err := r.best(context.Background(), everyWindow, bar); err != nil {
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

// looks is after how many decisions it is looked at what a run has cost: an hour of
// the usual ones. It only grows.
const looks = 240

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
	scored := s.Demand.Start().Add(s.WarmUp)
	var comes sim.Work
	if o.Below > 0 {
		comes = s.Demand.WorkFrom(scored)
	}
	score := sim.Run(s, c, func(m sim.Moment) bool {
		bar.Add(1)
		if o.Below > 0 && m.Score.Decisions%looks == 0 && !m.At.Before(scored) && r.plant.Prices.least(*m.Score, comes).hours() >= o.Below {
			out.Ended = true
			return false
		}
		out.shape.add(m)
		if o.Course {
			out.Course.add(m)
		}
		if o.Timeline {
			out.Timeline = append(out.Timeline, momentOf(m))
		}
		if o.Each != nil {
			o.Each(momentOf(m))
		}
		return true
	})
	if out.Ended {
		return out, nil
	}
	out.Score, err = r.scoreOf(score)
	return out, err
}

// decisions is how many decisions so many policies will make, or nearly so.
func (r *Replay) decisions(policies int) int64 {
	return int64(policies) * int64(r.plant.Demand.Length()/r.plant.Sync+1)
}
