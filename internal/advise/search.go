package advise

import (
	"fmt"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
)

// The targets that are tried.
var quickTargets = []int32{50, 65, 80, 95, 110}

const leastTarget, mostTarget, firstTarget, coarse = 40, 150, 80, 20

// search looks for the best target of an HPA within bounds.
type search struct {
	*trial
	within v1alpha1.ReplicaSpec
	tried  map[int32]bool
	best   Outcome
}

// better replays a target that was not tried, and tells whether it is the best so
// far.
func (s *search) better(target int32) (bool, error) {
	if target < leastTarget || target > mostTarget || s.tried[target] {
		return false, nil
	}
	s.tried[target] = true
	p, err := s.policy(target)
	if err != nil {
		return false, err
	}
	results, err := s.runs.Run([]replay.Policy{p}, replay.Options{WithoutOracle: true})
	if err != nil || s.best.Target != 0 && results[0].Score.Total >= s.best.Cost {
		return false, err
	}
	s.best = Outcome{Policy: p.Name, Target: target, Score: results[0].Score, Cost: results[0].Score.Total}
	return true, nil
}

func (s *search) policy(target int32) (replay.Policy, error) {
	spec := replay.HPA(target)
	spec.Replicas = s.within
	return replay.FromSpec(fmt.Sprintf("hpa:%d", target), spec)
}

// drawn is the best, replayed once more where runs are to be drawn.
func (s *search) drawn() (Outcome, error) {
	if !s.options.Course {
		return s.best, nil
	}
	p, err := s.policy(s.best.Target)
	if err != nil {
		return s.best, err
	}
	out, _, err := s.run(p)
	out.Target = s.best.Target
	return out, err
}
