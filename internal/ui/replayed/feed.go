package replayed

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/learned"
	"github.com/tidemark/tidemark/internal/ui/migrate"
	"github.com/tidemark/tidemark/internal/ui/whatif"
)

// Namespace is where the policies of a replay are.
const Namespace = "replay"

// Feed is a replay of some policies.
type Feed struct {
	Runs
	title string
	end   time.Time
}

// New starts a replay of policies. It goes on by itself until Stop.
func New(title string, r *replay.Replay, policies []replay.Policy) (*Feed, error) {
	f := &Feed{title: title}
	_, f.end = r.Span()
	for _, p := range policies {
		run := &Run{Key: feed.Key{Namespace: Namespace, Name: p.Name}, Replay: r, Policy: p}
		if err := f.Add(run); err != nil {
			return nil, err
		}
	}
	go f.play(r)
	return f, nil
}

// play replays a day at a time, so that something is seen at once.
func (f *Feed) play(r *replay.Replay) {
	start, end := r.Span()
	for at := start.Add(24 * time.Hour); !f.Stopped(); at = at.Add(24 * time.Hour) {
		f.Advance(at)
		if !at.Before(end) {
			return
		}
	}
}

// About says what is replayed.
func (f *Feed) About() feed.About {
	return feed.About{Source: "replay", Title: f.title, Now: f.end.UnixMilli()}
}

var (
	_ feed.Feed     = (*Feed)(nil)
	_ feed.Tries    = (*Feed)(nil)
	_ feed.Learns   = (*Feed)(nil)
	_ feed.Migrates = (*Feed)(nil)
)

// Runs are runs that go on together.
type Runs struct {
	// Bench tries other policies on their demand.
	whatif.Bench
	// Desk shows how objects of others are converted: a replay has none of its own, so
	// they are examples.
	*migrate.Desk

	runs []*Run

	mu      sync.Mutex
	changed chan struct{}
	stopped bool
}

// Add starts a run beside the others.
func (rs *Runs) Add(r *Run) error {
	if err := r.Start(); err != nil {
		return err
	}
	rs.Subject = rs.subject
	if rs.Desk == nil {
		rs.Desk = migrate.Examples()
	}
	rs.runs = append(rs.runs, r)
	slices.SortFunc(rs.runs, func(a, b *Run) int { return a.Key.Compare(b.Key) })
	return nil
}

// Advance lets all runs go on until a moment.
func (rs *Runs) Advance(until time.Time) {
	some := make([]bool, len(rs.runs))
	// No run fails: it has been started.
	_ = replay.Each(len(rs.runs), func(i int) error {
		some[i] = rs.runs[i].Advance(until)
		return nil
	})
	if slices.Contains(some, true) {
		rs.Tell()
	}
}

// Tell says that there is something new.
func (rs *Runs) Tell() {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.changed != nil {
		close(rs.changed)
		rs.changed = nil
	}
}

// Changed is closed once there is something new.
func (rs *Runs) Changed() <-chan struct{} {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.changed == nil {
		rs.changed = make(chan struct{})
	}
	return rs.changed
}

// Stop ends all runs.
func (rs *Runs) Stop() {
	rs.mu.Lock()
	rs.stopped = true
	rs.mu.Unlock()
	for _, r := range rs.runs {
		r.Stop()
	}
}

// Stopped tells whether that has been done.
func (rs *Runs) Stopped() bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return rs.stopped
}

// Fleet lists the runs that have decided something.
func (rs *Runs) Fleet() []feed.Row {
	out := make([]feed.Row, 0, len(rs.runs))
	for _, r := range rs.runs {
		if row := r.Row(); row.Name != "" {
			out = append(out, row)
		}
	}
	return out
}

func (rs *Runs) run(k feed.Key) (*Run, error) {
	for _, r := range rs.runs {
		if r.Key == k {
			return r, nil
		}
	}
	return nil, feed.ErrUnknown
}

// subject is a run to try other policies on, as far as it has come.
func (rs *Runs) subject(_ context.Context, k feed.Key) (whatif.Subject, error) {
	r, err := rs.run(k)
	if err != nil {
		return whatif.Subject{}, err
	}
	return whatif.Subject{Key: k, Policy: r.Policy, Replay: r.Replay, Until: r.reached()}, nil
}

// Learned is what a run has learned so far.
func (rs *Runs) Learned(ctx context.Context, k feed.Key) (feed.Learned, error) {
	r, err := rs.run(k)
	if err != nil {
		return feed.Learned{}, err
	}
	return learned.Of(ctx, r.Policy, r.Replay, r.reached())
}

// Lanes shows a run over a time.
func (rs *Runs) Lanes(_ context.Context, k feed.Key, w feed.Window) (feed.Lanes, error) {
	r, err := rs.run(k)
	if err != nil {
		return feed.Lanes{}, err
	}
	return r.Lanes(w), nil
}

// Decision is the last one until a moment.
func (rs *Runs) Decision(k feed.Key, at time.Time) (feed.Decision, error) {
	r, err := rs.run(k)
	if err != nil {
		return feed.Decision{}, err
	}
	return r.Decision(at)
}
