package search

import (
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/tidemark/tidemark/internal/replay"
)

// check scores what is reported on the part that was held out.
func (r *Result) check(last *replay.Replay) error {
	trials := []*Trial{&r.Base, &r.Best}
	for i := range r.Front {
		trials = append(trials, &r.Front[i])
	}
	faults := make([]error, len(trials))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for i, t := range trials {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			p, err := replay.FromSpec("", t.Spec)
			if err != nil {
				faults[i] = err
				return
			}
			score, err := last.Score(p)
			t.HeldOut, faults[i] = &Measured{score, last.Hours()}, err
		})
	}
	all.Wait()
	for _, err := range faults {
		if err != nil {
			return fmt.Errorf("checking on the held-out part: %w", err)
		}
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
