package whatif

import (
	"context"
	"errors"
	"maps"

	"github.com/tidemark/tidemark/internal/replay/linted"
	"github.com/tidemark/tidemark/internal/replay/search"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Point is a policy that a search tried.
type Point struct {
	// Settings are the values that differ from the policy as it is, by name.
	Settings map[string]string `json:"settings"`
	// Cost is in billed core-hours, Unserved in percent.
	Cost     float64 `json:"cost"`
	Money    float64 `json:"money,omitempty"`
	Unserved float64 `json:"unserved"`
	Changes  int64   `json:"changes"`
	YAML     string  `json:"yaml"`
}

// Tuned is what a search found.
type Tuned struct {
	Objective string `json:"objective"`
	// Evaluations is how many candidates were replayed, Refused how many were no valid
	// policy, and Warned how many lint warns of.
	Evaluations int `json:"evaluations"`
	Refused     int `json:"refused"`
	Warned      int `json:"warned"`
	// Base is the policy as it is, Best the best by the objective, and Front are those
	// that nothing else beats, each with how it did on the part that the search did not
	// see.
	Base     Held     `json:"base"`
	Best     Held     `json:"best"`
	Front    []Held   `json:"front"`
	Warnings []string `json:"warnings"`
}

// Held is a policy that was found, and how it did on the part that was held out.
type Held struct {
	Point
	HeldOut *Point `json:"heldOut,omitempty"`
}

// How much a search does: usualEvaluations where nobody says, and no more than
// mostEvaluations. holdOut is the share of the demand that it does not see.
const (
	usualEvaluations = 60
	mostEvaluations  = 400
	holdOut          = 0.25
)

// Tune searches for better numbers of an edited object over the last week.
func (b *Bench) Tune(ctx context.Context, e feed.Edit, tell func(any) error) error {
	p, err := b.prepare(ctx, e)
	if err != nil {
		return err
	}
	r := p.parts[0].replay
	edited, said := read(e.YAML, r)
	if err := tell(told{Checked: &said}); err != nil || !said.Valid {
		return err
	}
	objective, err := search.ParseObjective("balanced")
	if err != nil {
		return err
	}
	if e.Evaluations <= 0 {
		e.Evaluations = usualEvaluations
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	found, err := search.Search(ctx, search.SpaceOf(*edited.Spec(), r.Peak()), r, search.Options{
		Objective: objective, Seed: 1, Evaluations: min(e.Evaluations, mostEvaluations), HoldOut: holdOut, Warns: linted.Warnings(r.Settings()),
		Tried: func(t search.Trial) {
			if err := tell(told{Point: pointOf(e.Key, t, t.Score)}); err != nil {
				stop(err)
			}
		},
	})
	if err := errors.Join(err, context.Cause(ctx)); err != nil {
		return err
	}
	out := Tuned{
		Objective: objective.Text, Evaluations: found.Evaluations, Refused: found.Refused, Warned: found.Warned,
		Base: heldOf(e.Key, found.Base), Best: heldOf(e.Key, found.Best), Front: []Held{}, Warnings: append([]string{}, found.Warnings(objective)...),
	}
	for _, t := range found.Front {
		out.Front = append(out.Front, heldOf(e.Key, t))
	}
	return tell(told{Tuned: &out})
}

func pointOf(key feed.Key, t search.Trial, of search.Measured) *Point {
	settings := map[string]string{}
	maps.Copy(settings, t.Settings)
	s := of.Score
	return &Point{Settings: settings, Cost: s.BilledCoreHours, Money: s.Money, Unserved: s.UnservedPercent, Changes: s.Changes, YAML: written(key, t.Spec)}
}

func heldOf(key feed.Key, t search.Trial) Held {
	out := Held{Point: *pointOf(key, t, t.Score)}
	if t.HeldOut != nil {
		out.HeldOut = pointOf(key, t, *t.HeldOut)
	}
	return out
}

var _ feed.Tries = (*Bench)(nil)
