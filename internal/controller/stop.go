package controller

import (
	"context"
	"errors"
	"maps"
	"time"

	"golang.org/x/sync/errgroup"
)

// flushTime and flushWorkers bound the writing of histories at the end.
const (
	flushTime    = 20 * time.Second
	flushWorkers = 16
)

// Start reads what was learned, waits for the controller to stop and then writes
// what was learned since the last time. It belongs to the leader: nobody else has learned anything.
func (r *Reconciler) Start(ctx context.Context) error {
	r.histories.prefetch(ctx)
	<-ctx.Done()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer cancel()
	return r.histories.flush(ctx)
}

// NeedLeaderElection ties Start to the leader.
func (r *Reconciler) NeedLeaderElection() bool { return true }

// flush writes every history that changed.
func (h *histories) flush(ctx context.Context) error {
	h.mu.Lock()
	all := maps.Clone(h.all)
	h.mu.Unlock()
	var group errgroup.Group
	group.SetLimit(flushWorkers)
	failed := make(chan error, len(all))
	for key, k := range all {
		group.Go(func() error {
			failed <- h.write(ctx, key, k)
			return nil
		})
	}
	// The workers report through the channel, so that one failure stops nobody.
	_ = group.Wait()
	close(failed)
	var errs []error
	for err := range failed {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
