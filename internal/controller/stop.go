package controller

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// flushTime and flushWorkers bound the writing of histories at the end.
const (
	flushTime    = 20 * time.Second
	flushWorkers = 16
)

// Start waits for the controller to stop and then writes what was learned since
// the last time. It belongs to the leader: nobody else has learned anything.
func (r *Reconciler) Start(ctx context.Context) error {
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
	all := make(map[client.ObjectKey]*kept, len(h.all))
	for key, k := range h.all {
		all[key] = k
	}
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
