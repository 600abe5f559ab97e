package replayed

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/internal/ui/decided"
	"github.com/tidemark/tidemark/internal/ui/feed"
)

// Run is a policy that is being replayed.
type Run struct {
	Key    feed.Key
	Replay *replay.Replay
	Policy replay.Policy
	// Labels are those of the workload.
	Labels map[string]string

	history feed.History
	mu      sync.Mutex
	next    func() (sim.Moment, bool)
	stop    func()
	// due is when the next decision is made, one every so often.
	due   time.Time
	every time.Duration
	row   feed.Row
}

// Start begins a run.
func (r *Run) Start() error {
	moments, every, err := r.Replay.Moments(r.Policy)
	if err != nil {
		return err
	}
	r.due, _ = r.Replay.Span()
	r.every = every
	r.next, r.stop = iter.Pull(moments)
	return nil
}

// Stop ends a run.
func (r *Run) Stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stop()
}

// Advance makes the decisions until a moment, and reports whether there were any.
func (r *Run) Advance(until time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	var last *sim.Moment
	for !r.due.After(until) {
		m, ok := r.next()
		if !ok {
			break
		}
		last, r.due = &m, m.At.Add(r.every)
		r.history.Add(feed.MomentOf(feed.Seen{At: m.At, Demand: m.Demand, Capacity: m.Capacity, Ready: m.Ready}, &m.Decision))
	}
	if last == nil {
		return false
	}
	r.show(last)
	return true
}

// show makes the row of the last decision, while that is valid.
func (r *Run) show(m *sim.Moment) {
	mode := "Auto"
	if spec := r.Policy.Spec(); spec == nil {
		mode = ""
	} else if spec.Mode != "" {
		mode = string(spec.Mode)
	}
	cpu, memory := r.Replay.HourlyPrices()
	d := m.Decision
	if d.Reason == "" {
		// A yardstick proposes nothing but what it does.
		d.Proposed = d.Want
	}
	r.row = feed.RowOf(r.Key, mode, &d, &r.history, feed.Prices{CPU: cpu, Memory: memory})
	r.row.Labels = r.Labels
	if d.Reason == "" {
		r.row.Headline, r.row.Needs, r.row.Why = explain.Move(d.From, d.Want), []feed.Need{}, ""
	}
}

// reached is how far the run has come.
func (r *Run) reached() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.due
}

// Row is the run in the table of the fleet.
func (r *Run) Row() feed.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.row
}

// Lanes shows the run over a time.
func (r *Run) Lanes(w feed.Window) feed.Lanes { return r.history.Lanes(w) }

// Decision repeats the run up to a moment, but not beyond what is known of it.
func (r *Run) Decision(at time.Time) (feed.Decision, error) {
	last, _ := r.history.Last()
	if last.At.IsZero() {
		return feed.Decision{}, feed.ErrNoDecision
	}
	if at.IsZero() || at.After(last.At) {
		at = last.At
	}
	call, _, err := r.Replay.Call(context.Background(), r.Policy, at)
	if err != nil {
		return feed.Decision{}, err
	}
	return decided.Of(r.Key, call), nil
}
