package allowance

import (
	"context"
	"errors"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Allowance is what a namespace allows its pods.
type Allowance struct {
	LimitRanges []corev1.LimitRange
	Quotas      []corev1.ResourceQuota
	// Pods are those that are seen there, where there are quotas.
	Pods []corev1.Pod
}

// Cached reads allowances from watches that are always running, and never waits
// for them.
type Cached struct {
	all cache.Cache

	mu     sync.Mutex
	synced []func() bool
}

// NewCached returns allowances of which none is known until Watch was called.
func NewCached(all cache.Cache) *Cached { return &Cached{all: all} }

// Watch begins to watch. The cache must have started: it waits at its start for all
// that is watched by then, and would wait for a right that is missing.
func (c *Cached) Watch(ctx context.Context) error {
	var synced []func() bool
	for _, kind := range []client.Object{&corev1.LimitRange{}, &corev1.ResourceQuota{}} {
		informer, err := c.all.GetInformer(ctx, kind, cache.BlockUntilSynced(false))
		if err != nil {
			return fmt.Errorf("watching what namespaces allow: %w", err)
		}
		synced = append(synced, informer.HasSynced)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.synced = synced
	return nil
}

// ErrUnknown says that the watches have not come yet, or never will.
var ErrUnknown = errors.New("what the namespace allows is not known yet")

func (c *Cached) known() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, synced := range c.synced {
		if !synced() {
			return false
		}
	}
	return c.synced != nil
}

// Of returns what the watches have.
func (c *Cached) Of(ctx context.Context, namespace string) (Allowance, error) {
	if !c.known() {
		return Allowance{}, ErrUnknown
	}
	var ranges corev1.LimitRangeList
	var quotas corev1.ResourceQuotaList
	// Lists are only read.
	in := []client.ListOption{client.InNamespace(namespace), client.UnsafeDisableDeepCopyOption(true)}
	if err := errors.Join(c.all.List(ctx, &ranges, in...), c.all.List(ctx, &quotas, in...)); err != nil {
		return Allowance{}, err
	}
	var pods corev1.PodList
	if len(quotas.Items) > 0 {
		if err := c.all.List(ctx, &pods, in...); err != nil {
			return Allowance{}, err
		}
	}
	return Allowance{LimitRanges: ranges.Items, Quotas: quotas.Items, Pods: pods.Items}, nil
}
