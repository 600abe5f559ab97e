package replay

import (
	"io"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tidemark/tidemark/sim"
)

// Result is how a policy did.
type Result struct {
	Policy string
	Score  Score
	// Timeline is every decision, where that was asked for.
	Timeline []Moment
	// shape is the run in a line of text.
	shape shape
}

// Options of a run.
type Options struct {
	Timeline bool
	// Progress is where a run that takes long says how far it is.
	Progress io.Writer
}

// Run replays each policy, as many at once as there are processors. The oracle
// is replayed as well, since every score is compared with it.
func (r *Replay) Run(policies []Policy, o Options) ([]Result, error) {
	var done atomic.Int64
	stop := watch(o.Progress, &done, r.decisions(policies))
	defer stop()
	cost := sim.Run(r.settings(), sim.Oracle{}, nil).Cores
	results, faults := make([]Result, len(policies)), make([]error, len(policies))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i := range policies {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			results[i], faults[i] = r.one(policies[i], o.Timeline, &done)
			results[i].Score.OracleCoreHours = hours(cost, perCore)
		})
	}
	all.Wait()
	for _, err := range faults {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// one replays one policy.
func (r *Replay) one(p Policy, timeline bool, done *atomic.Int64) (Result, error) {
	s := r.settings()
	c, err := p.controller(&s)
	if err != nil {
		return Result{}, err
	}
	out := Result{Policy: p.Name, shape: newShape(s.Demand.Start(), s.Demand.Length())}
	score := sim.Run(s, c, func(m sim.Moment) bool {
		done.Add(1)
		out.shape.add(m)
		if timeline {
			out.Timeline = append(out.Timeline, momentOf(m))
		}
		return true
	})
	out.Score = scoreOf(score)
	return out, nil
}

// decisions is how many decisions the policies will make, or nearly so.
func (r *Replay) decisions(policies []Policy) int64 {
	return int64(len(policies)) * int64(r.demand.Length()/r.plant.Sync+1)
}
