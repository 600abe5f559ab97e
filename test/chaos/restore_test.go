//go:build chaos

package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/tidemark/tidemark/test/chaos/trail"
)

// restoreEtcd keeps a copy of etcd, lets the world go on, and brings etcd back to
// the copy. Everybody who knows something newer is started again, as Kubernetes
// demands after a restore: their watches would wait for revisions that are over.
func (c disturbed) restoreEtcd(r *rand.Rand) error {
	saved := filepath.Join(c.folder, "etcd-saved")
	present := filepath.Join(c.folder, "cluster", "etcd")
	if err := c.during("etcd", 0, func() error { return c.order("stop", "etcd") }, func() error {
		_ = os.RemoveAll(saved)
		if err := os.CopyFS(saved, os.DirFS(present)); err != nil {
			return fmt.Errorf("saving etcd: %w", err)
		}
		return c.order("start", "etcd")
	}); err != nil {
		return err
	}
	time.Sleep(between(r, 6, 10))
	c.world.Lock()
	defer c.world.Unlock()
	return c.during("etcd", 0, func() error {
		if err := c.order("stop", "kube-apiserver"); err != nil {
			return err
		}
		c.storage.leave()
		if err := c.order("stop", "etcd"); err != nil {
			return err
		}
		if err := os.RemoveAll(present); err != nil {
			return err
		}
		if err := os.Rename(saved, present); err != nil {
			return err
		}
		c.storage.forgot()
		for i := range c.workloads {
			if w := &c.workloads[i]; w.by == byAdapter { // it says again what it said then
				c.note(trail.Event{Source: &trail.Source{Object: w.String()}})
			}
		}
		return c.order("start", "etcd")
	}, c.afterRestore)
}

func (c *campaign) afterRestore() error {
	if err := c.storage.follow(); err != nil {
		return err
	}
	for _, one := range c.controllers {
		one.signal(syscall.SIGKILL)
	}
	if err := c.order("start", "kube-apiserver"); err != nil {
		return err
	}
	var group sync.WaitGroup
	failed := make(chan error, 10)
	for _, name := range []string{"kube-controller-manager", "kube-scheduler", "kwok", "metrics-server", "metrics-adapter", "demand"} {
		group.Go(func() {
			if err := c.order("restart", name); err != nil {
				failed <- err
			}
		})
	}
	group.Wait()
	close(failed)
	for err := range failed {
		return err
	}
	// What was asked for since the copy is asked for again.
	for i := range c.workloads {
		w := &c.workloads[i]
		if err := insist(func() error { return c.create(context.Background(), w) }); err != nil {
			return err
		}
		if w.by != byPrometheus {
			if err := insist(func() error { return c.demand(context.Background(), w, restingValue, "") }); err != nil {
				return err
			}
		}
	}
	return nil
}
