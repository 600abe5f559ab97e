package controller

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/observe"
	"github.com/tidemark/tidemark/scale"
)

// filler is a Backfiller with a past of seven days in four pieces. Some steps
// fail, each takes so long.
type filler struct {
	mu       sync.Mutex
	failures int
	takes    time.Duration
	begun    int
	steps    int
	read     []int
}

type fillOf struct {
	*filler
	learner *learner.Learner
	next    int
}

func (f *filler) Backfill(_ observe.Request, plan learner.Plan) (Fill, error) {
	f.begun++
	l, err := learner.New(plan)
	return &fillOf{filler: f, learner: l}, err
}

func (f *fillOf) Step(ctx context.Context) error {
	select {
	case <-time.After(f.takes):
	case <-ctx.Done():
		return ctx.Err()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.steps++; f.steps == 2 && f.failures > 0 {
		f.failures--
		f.steps--
		return errors.New("no answer")
	}
	for i := range 7 * 6 * 60 {
		at := noon.Add(-7*24*time.Hour + time.Duration(f.next*7*6*60+i)*time.Minute)
		f.learner.History.Observe(scale.Observation{At: at, Target: scale.Target{SpecReplicas: 9, StatusReplicas: 9}})
	}
	f.read = append(f.read, f.next)
	f.next++
	return nil
}

func (f *fillOf) Progress() (read, of int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next, 4
}

func (f *fillOf) History() *history.History { return f.learner.History }

// TestBackfill: the past is read in the background, goes on after a failure where
// it stopped, and is told in the condition HistoryFilled: Backfilling,
// BackfillFailed, Backfilled. No round waits for it.
func TestBackfill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, object(t, "web", learningPolicy))
		r, f := w.controller(), &filler{failures: 1, takes: 4 * time.Minute}
		r.histories.Backfiller = f
		round := func(want string) {
			t.Helper()
			began := time.Now()
			w.mustRound(r)
			if took := time.Since(began); took > 0 {
				t.Errorf("the round took %s", took)
			}
			if got := condition(w.web(), explain.HistoryFilled); got != want {
				t.Errorf("HistoryFilled is %q, want %q", got, want)
			}
		}
		round("False Backfilling: 0 of 4 pieces of the past were read")
		time.Sleep(9 * time.Minute) // one piece, and a failure
		w.after(30 * time.Second)
		round("False BackfillFailed: 1 of 4 pieces of the past were read, and the next is tried again: no answer")
		w.after(fillAgain)
		round("False BackfillFailed: 1 of 4 pieces of the past were read, and the next is tried again: no answer")
		time.Sleep(6 * time.Minute)
		w.after(30 * time.Second)
		round("False Backfilling: 2 of 4 pieces of the past were read")
		time.Sleep(8 * time.Minute)
		w.after(30 * time.Second)
		round("True Backfilled: the past was read")
		if got := f.read; len(got) != 4 || f.begun != 1 {
			t.Errorf("the pieces %v were read in %d fills, want each once", got, f.begun)
		}
		got := r.histories.of(keyOf("web")).learner.History
		if n, known := got.Slots.Value(noon.Add(time.Hour)); !known || n != 9 {
			t.Errorf("in an hour there were %d pods, %t; want the 9 of a week ago", n, known)
		}
		if got.Newest().Before(noon) {
			t.Error("what was learned during the fill is lost")
		}
		w.after(30 * time.Second)
		round("True Backfilled: the past was read")
	})
}

// TestAFillThatWasBroken: a controller that starts while the past is not read to
// its end begins again, and one that finds it read does not.
func TestAFillThatWasBroken(t *testing.T) {
	for name, tt := range map[string]struct {
		takes, waits time.Duration
		begins       int
	}{
		"in the middle": {4 * time.Minute, 6 * time.Minute, 1},
		"at its end":    {time.Minute, 6 * time.Minute, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, object(t, "web", learningPolicy))
				first := w.controller()
				first.histories.Backfiller = &filler{takes: tt.takes}
				w.mustRound(first)
				time.Sleep(tt.waits)
				w.hours(first, 1)
				if w.stored() == nil {
					t.Fatal("the history was not written")
				}
				second, f := w.controller(), &filler{takes: time.Second}
				second.histories.Backfiller = f
				w.after(time.Minute)
				w.mustRound(second)
				if f.begun != tt.begins {
					t.Errorf("the next controller begins %d fills, want %d", f.begun, tt.begins)
				}
				time.Sleep(5 * time.Hour)
				w.after(time.Minute)
				w.mustRound(second)
				if got := condition(w.web(), explain.HistoryFilled); !strings.HasPrefix(got, "True Backfilled") {
					t.Errorf("in the end HistoryFilled is %q", got)
				}
			})
		})
	}
}
