package search

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/internal/replay"
)

// check scores what is reported on the part that was held out.
func (r *Result) check(last *replay.Replay) error {
	trials := []*Trial{&r.Base, &r.Best}
	for i := range r.Front {
		trials = append(trials, &r.Front[i])
	}
	err := replay.Each(len(trials), func(i int) error {
		p, err := replay.FromSpec("", trials[i].Spec)
		if err != nil {
			return err
		}
		score, err := last.Score(p)
		trials[i].HeldOut = &Measured{score, last.Hours()}
		return err
	})
	if err != nil {
		return fmt.Errorf("checking on the held-out part: %w", err)
	}
	return nil
}

// Warnings are what to know before the best is adopted.
func (r *Result) Warnings(o Objective) []string {
	var out []string
	if missed := o.Missed(r.Best.Score); len(missed) > 0 {
		out = append(out, fmt.Sprintf("nothing that was tried meets %s: the best comes nearest", strings.Join(missed, " and ")))
	}
	if r.Best.HeldOut == nil {
		return append(out, "nothing was held out, so the settings may fit this recording alone")
	}
	if missed := o.Missed(*r.Best.HeldOut); len(missed) > 0 {
		out = append(out, fmt.Sprintf("the best does not meet %s on the held-out part: it may fit the first part alone", strings.Join(missed, " and ")))
	}
	if o.Better(*r.Base.HeldOut, *r.Best.HeldOut) {
		out = append(out, "on the held-out part the policy as it is does better: keep it, or tune on a longer recording")
	}
	return out
}
