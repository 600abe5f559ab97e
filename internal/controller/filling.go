package controller

import (
	"context"
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/fair"
	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/observe"
)

// Backfiller knows of another system that knows the past of workloads.
type Backfiller interface {
	// Backfill begins to read the past of a workload before the request's moment.
	// Without such a system there is none.
	Backfill(req observe.Request, plan learner.Plan) (Fill, error)
}

// Fill is the past of one workload, which is read in pieces. It is used by one
// goroutine at a time.
type Fill interface {
	// Step reads the next piece. After a failure it is called again.
	Step(ctx context.Context) error
	// Progress is how many pieces were read, and of how many.
	Progress() (read, of int)
	// History is what was learned from them.
	History() *history.History
}

const (
	// fillsAtOnce is how many pieces are read at a time, one for each namespace. A
	// controller that starts with many new objects must not take the other system
	// down, and who waits for it must not keep others from it.
	fillsAtOnce = 2
	// stepTime bounds the reading of one piece.
	stepTime = 5 * time.Minute
	// fillAgain is how long a piece that failed waits, and fillAnew how old a fill
	// gets: what was learned meanwhile is left out of the past.
	fillAgain = time.Minute
	fillAnew  = 6 * time.Hour
)

func newFillPool() *fair.Pool { return &fair.Pool{AtOnce: fillsAtOnce, PerTenant: 1} }

// filling is a fill under way. Its pieces are read in the background, and no look
// waits for them.
type filling struct {
	fill  Fill
	begun time.Time

	mu       sync.Mutex
	running  bool
	read, of int
	failure  error
	retryAt  time.Time
}

// fill has the past of a new history read, where somebody knows it, and takes it
// over once that is done. It returns the condition that says so; nil where there
// is nothing to say. The workload is scaled without that knowledge as well.
func (h *histories) fill(ctx context.Context, req observe.Request, k *kept) (*explain.Condition, error) {
	if h.Backfiller == nil || k.filled {
		return nil, nil
	}
	now := h.Clock.Now()
	if k.filling == nil || now.Sub(k.filling.begun) > fillAnew {
		begun, err := h.Backfiller.Backfill(req, k.learner.Plan)
		if err != nil {
			c := explain.Filling(0, 1, err.Error())
			return &c, nil
		}
		if begun == nil {
			k.filled = true
			return nil, nil
		}
		read, of := begun.Progress()
		k.filling = &filling{fill: begun, begun: now, read: read, of: of}
	}
	f := k.filling
	if c, done := f.state(); !done {
		if f.due(now) {
			h.step(context.WithoutCancel(ctx), req.Object.Namespace, f)
		}
		return &c, nil
	}
	if err := k.learner.History.Adopt(f.fill.History()); err != nil {
		return nil, fmt.Errorf("taking over the past: %w", err)
	}
	read, of := f.fill.Progress()
	k.filling, k.filled = nil, true
	c := explain.Filling(read, of, "")
	return &c, nil
}

// state is the condition, and whether all was read.
func (f *filling) state() (explain.Condition, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	failure := ""
	if f.failure != nil {
		failure = f.failure.Error()
	}
	return explain.Filling(f.read, f.of, failure), !f.running && f.read >= f.of
}

// due tells whether the next piece is to be read, and notes that it is.
func (f *filling) due(now time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.running || now.Before(f.retryAt) {
		return false
	}
	f.running = true
	return true
}

// step reads the next piece when it is the namespace's turn, and then the one
// after it.
func (h *histories) step(ctx context.Context, namespace string, f *filling) {
	h.fills.Go(fair.Task{Tenant: namespace, Run: func() {
		bounded, cancel := context.WithTimeout(ctx, stepTime)
		defer cancel()
		err := f.fill.Step(bounded)
		if err != nil {
			log.FromContext(ctx).Error(err, "A piece of the past could not be read, and is tried again", "after", fillAgain)
		}
		if f.stepped(err, h.Clock.Now()) {
			h.step(ctx, namespace, f)
		}
	}})
}

// stepped notes how a step ended, and tells whether another follows at once.
func (f *filling) stepped(err error, now time.Time) bool {
	read, of := f.fill.Progress()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failure, f.read, f.of = err, read, of
	if err != nil {
		f.retryAt = now.Add(fillAgain)
	}
	f.running = err == nil && read < of
	return f.running
}

// unfilled tells whether a controller before this one began to read the past,
// and did not come to its end.
func unfilled(obj *v1alpha1.WorkloadAutoscaler) bool {
	return meta.IsStatusConditionFalse(obj.Status.Conditions, explain.HistoryFilled)
}

// NoteFilling notes how far the past was read. Where nobody reads it any more,
// what was said of it goes.
func (r *report) NoteFilling(c *explain.Condition) { r.noteHistory(explain.HistoryFilled, c) }
