package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/replay"
)

// Trial is a candidate that was replayed.
type Trial struct {
	// Settings are the values that differ from the policy as it is, by name.
	Settings map[string]string
	Spec     v1alpha1.WorkloadAutoscalerSpec
	// Score is that of the first part of the recording, HeldOut that of the
	// part that was not looked at. Only those that are reported have one.
	Score   Measured
	HeldOut *Measured

	candidate candidate
}

// Options of a search.
type Options struct {
	Objective Objective
	Seed      uint64
	// Evaluations is the most candidates to replay, before the best is made
	// simpler.
	Evaluations int
	// HoldOut is the share of the recording, at its end, that the search does
	// not see and what it reports is checked on; 0 is none of it.
	HoldOut float64
	// Warns, where it is set, returns what is to be said against a spec, without a
	// replay. A candidate that brings up anything new is not tried.
	Warns func(v1alpha1.WorkloadAutoscalerSpec) []string
	// Done, where it is set, is told how many were replayed so far, and Tried each of
	// them, in their order.
	Done  func(n int)
	Tried func(Trial)
}

// Result is what a search found.
type Result struct {
	// Base is the policy as it is, Best the best by the objective, and Front
	// are those that nothing else beats in cost, unserved work and changes, as
	// far as they drop no more than a percent, or than Base.
	Base, Best Trial
	Front      []Trial
	// Evaluations is how many candidates were replayed, Refused how many were
	// no valid policy, and Warned how many were warned of.
	Evaluations, Refused, Warned int
}

// batch is how many candidates are chosen before their scores are known. It
// does not depend on the machine, so neither does the result.
const batch = 8

// frontSize is how many trials of the front are reported.
const frontSize = 12

// search is a search under way.
type search struct {
	space   Space
	replay  *replay.Replay
	options Options
	dice    *rand.Rand
	seen    map[string]bool
	trials  []Trial
	best    int
	// known is what is to be said against the policy as it is.
	known   []string
	refused int
	warned  int
}

// Search looks for better numbers until it has replayed enough candidates or
// the context ends. The policy as it is is always the first of them.
func Search(ctx context.Context, space Space, r *replay.Replay, o Options) (Result, error) {
	if o.HoldOut == 0 {
		return searchAll(ctx, space, r, o)
	}
	first, last, err := r.Split(o.HoldOut)
	if err != nil {
		return Result{}, err
	}
	found, err := searchAll(ctx, space, first, o)
	if err != nil {
		return Result{}, err
	}
	return found, found.check(last)
}

func searchAll(ctx context.Context, space Space, r *replay.Replay, o Options) (Result, error) {
	s := &search{space: space, replay: r, options: o, dice: rand.New(rand.NewPCG(o.Seed, 0x7469646d61726b)), seen: map[string]bool{}}
	base := make(candidate, len(space.knobs))
	s.seen[base.key()] = true
	if o.Warns != nil {
		s.known = o.Warns(space.spec(base))
	}
	if err := s.evaluate(ctx, []candidate{base}); err != nil {
		return Result{}, err
	}
	for ctx.Err() == nil && len(s.trials) < o.Evaluations {
		next := s.propose(min(batch, o.Evaluations-len(s.trials)))
		if len(next) == 0 {
			break // Everything there is has been tried.
		}
		if err := s.evaluate(ctx, next); err != nil {
			return Result{}, err
		}
	}
	if err := s.simplify(); err != nil {
		return Result{}, err
	}
	return Result{
		Base: s.trials[0], Best: s.trials[s.best], Front: thinned(tolerable(front(s.trials), s.trials[0].Score), frontSize),
		Evaluations: len(s.trials), Refused: s.refused, Warned: s.warned,
	}, nil
}

// evaluate replays candidates, several at once, and keeps them in their order.
// Those that are no valid policy are counted and forgotten. When the context
// ends, what has not begun is left out.
func (s *search) evaluate(ctx context.Context, candidates []candidate) error {
	found := make([]*Trial, len(candidates))
	var refused atomic.Int64
	err := replay.Each(len(candidates), func(i int) error {
		if ctx.Err() != nil && len(s.trials) > 0 {
			return nil
		}
		c := candidates[i]
		spec := s.space.spec(c)
		p, err := replay.FromSpec("", spec)
		if err != nil {
			refused.Add(1)
			return nil
		}
		score, err := s.replay.Score(p)
		found[i] = &Trial{Settings: s.space.settings(c), Spec: spec, Score: Measured{score, s.replay.Hours()}, candidate: c}
		return err
	})
	if err != nil {
		return err
	}
	s.refused += int(refused.Load())
	for _, t := range found {
		if t == nil {
			continue
		}
		s.trials = append(s.trials, *t)
		if s.options.Tried != nil {
			s.options.Tried(*t)
		}
		if s.options.Objective.Better(t.Score, s.trials[s.best].Score) {
			s.best = len(s.trials) - 1
		}
	}
	if s.options.Done != nil {
		s.options.Done(len(s.trials))
	}
	return nil
}

// simplify takes back what the best one changes to no effect, so that nobody has
// to wonder why a number is as it is. It goes beyond the number of evaluations
// by at most one for each knob.
func (s *search) simplify() error {
	for i := range s.space.knobs {
		c := s.trials[s.best].candidate.clone()
		if c[i] == 0 {
			continue
		}
		if c[i] = 0; s.isWarnedOf(c) {
			continue
		}
		before := len(s.trials)
		if err := s.evaluate(context.Background(), []candidate{c}); err != nil {
			return err
		}
		if len(s.trials) > before && !s.options.Objective.Better(s.trials[s.best].Score, s.trials[before].Score) {
			s.best = before
		}
	}
	return nil
}

// exploring is how many trials are spent on looking around, before the rest
// goes to the neighbors of what was good.
func (s *search) exploring() int { return min(s.options.Evaluations/4, 10*len(s.space.knobs)) }

// propose chooses new candidates: at first anywhere, later near the best one or
// near any of the front.
func (s *search) propose(n int) []candidate {
	var out []candidate
	good := front(s.trials)
	for tries := 0; len(out) < n && tries < 200*n; tries++ {
		var c candidate
		switch {
		case len(s.trials) <= s.exploring():
			c = s.mutated(s.trials[0].candidate, 1+s.dice.IntN(max(len(s.space.knobs)/2, 1)))
		case s.dice.IntN(3) > 0:
			c = s.mutated(s.trials[s.best].candidate, 1+s.dice.IntN(2))
		default:
			c = s.mutated(good[s.dice.IntN(len(good))].candidate, 1+s.dice.IntN(3))
		}
		if key := c.key(); !s.seen[key] {
			s.seen[key] = true
			if !s.isWarnedOf(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// isWarnedOf tells whether something new is to be said against a candidate.
func (s *search) isWarnedOf(c candidate) bool {
	if s.options.Warns == nil {
		return false
	}
	isNew := func(what string) bool { return !slices.Contains(s.known, what) }
	if !slices.ContainsFunc(s.options.Warns(s.space.spec(c)), isNew) {
		return false
	}
	s.warned++
	return true
}

// mutated is a candidate with some knobs turned: half of the time to a
// neighboring value, otherwise to any.
func (s *search) mutated(from candidate, knobs int) candidate {
	out := from.clone()
	for range knobs {
		if len(out) == 0 {
			break
		}
		i := s.dice.IntN(len(out))
		values := len(s.space.knobs[i].values)
		if step := 2*s.dice.IntN(2) - 1; s.dice.IntN(2) == 0 && out[i]+step >= 0 && out[i]+step < values {
			out[i] += step
		} else {
			out[i] = s.dice.IntN(values)
		}
	}
	return out
}
