package advise

import (
	"fmt"
	"sort"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
)

// The targets that are looked at: in all, and in a hurry only 50, 65, 80, 95 and 110.
const (
	leastTarget, mostTarget, firstTarget, coarse = 40, 150, 80, 20
	quickLeast, quickMost, quickStep             = 50, 110, 15
)

// bestHPA looks for the target that costs least, in hindsight.
func (t *trial) bestHPA(within v1alpha1.ReplicaSpec) (Outcome, error) {
	s := search{trial: t, within: within, least: leastTarget, most: mostTarget, tried: map[int32]bool{}}
	if t.options.Quick {
		s.least, s.most = quickLeast, quickMost
		if err := s.climb(firstTarget, quickStep); err != nil {
			return s.best, err
		}
		return s.drawn()
	}
	first, steps := int32(firstTarget), []int32{coarse, coarse / 2, coarse / 4}
	// The last week says about where it is, and the whole past where exactly.
	if lately, ok := t.lately(); ok {
		pilot := search{trial: lately, within: within, least: leastTarget, most: mostTarget, tried: map[int32]bool{}}
		if err := pilot.climb(first, steps...); err != nil {
			return s.best, err
		}
		first, steps = pilot.best.Target, steps[len(steps)-1:]
	}
	if err := s.climb(first, steps...); err != nil {
		return s.best, err
	}
	return s.drawn()
}

// lately is the trial on the last week alone, which takes a part of the time. There
// is none where that is not much less, or where that week is hardly known.
func (t *trial) lately() (*trial, bool) {
	points := t.demand.Points
	since := points[len(points)-1].At.Add(-week)
	if span(t.demand) <= 2*week {
		return nil, false
	}
	recent := t.demand
	recent.Points = points[sort.Search(len(points), func(i int) bool { return points[i].At.After(since) }):]
	runs, err := replay.New(recent, t.plant)
	return &trial{demand: recent, plant: t.plant, runs: runs, options: t.options}, err == nil
}

// search looks for the best target of an HPA within bounds.
type search struct {
	*trial
	within v1alpha1.ReplicaSpec
	// least and most are the first and the last target that is looked at.
	least, most int32
	tried       map[int32]bool
	best        Outcome
}

// climb looks for the best target from a first one on. What an HPA costs falls with
// the target as long as idle cores are saved, and rises when work is lost; so the
// cheaper side is followed, and then looked at more closely.
func (s *search) climb(first int32, steps ...int32) error {
	if _, err := s.better(first); err != nil {
		return err
	}
	for _, step := range steps {
		for _, way := range []int32{step, -step} {
			for more := true; more; {
				var err error
				if more, err = s.better(s.best.Target + way); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// better replays a target that was not tried, and tells whether it is the best so
// far.
func (s *search) better(target int32) (bool, error) {
	if target < s.least || target > s.most || s.tried[target] {
		return false, nil
	}
	s.tried[target] = true
	p, err := s.policy(target)
	if err != nil {
		return false, err
	}
	results, err := s.runs.Run([]replay.Policy{p}, replay.Options{WithoutOracle: true, Below: s.best.Cost})
	if err != nil || results[0].Ended || s.best.Target != 0 && results[0].Score.Total >= s.best.Cost {
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
	out, err := s.run(p, nil)
	out.Target = s.best.Target
	return out, err
}
