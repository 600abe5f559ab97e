package webhook

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/scale"
)

// Allowance is what a namespace allows its pods.
type Allowance struct {
	LimitRanges []corev1.LimitRange
	Quotas      []corev1.ResourceQuota
}

// Allowances tells what a namespace allows. It answers at once, or with an
// error.
type Allowances interface {
	Of(ctx context.Context, namespace string) (Allowance, error)
}

// Refusal is why a pod of the decided size could not be created.
type Refusal struct {
	Reason scale.Reason
	Words  string
}

// refuses returns why the API server would refuse a pod of the decided size, or
// nil. Both pods are the same but for their sizes. What the template's size
// would be refused for as well is not the decision's fault, but then the
// template is no worse.
func (a Allowance) refuses(template, sized *corev1.Pod) *Refusal {
	if words := beyondWhole(&sized.Spec); words != "" {
		return &Refusal{scale.ApplyFailed, words}
	}
	for i := range a.LimitRanges {
		if words := outside(&a.LimitRanges[i], sized); words != "" {
			return &Refusal{scale.LimitRange, words}
		}
	}
	for i := range a.Quotas {
		if words := exceeds(&a.Quotas[i], template, sized); words != "" {
			return &Refusal{scale.Quota, words}
		}
	}
	return nil
}

// Cached reads allowances from watches that are always running, and never waits
// for them.
type Cached struct {
	Reader client.Reader
	synced []func() bool
}

var _ Allowances = (*Cached)(nil)

// NewCached begins to watch.
func NewCached(ctx context.Context, all cache.Cache) (*Cached, error) {
	c := &Cached{Reader: all}
	for _, kind := range []client.Object{&corev1.LimitRange{}, &corev1.ResourceQuota{}} {
		informer, err := all.GetInformer(ctx, kind, cache.BlockUntilSynced(false))
		if err != nil {
			return nil, fmt.Errorf("watching what namespaces allow: %w", err)
		}
		c.synced = append(c.synced, informer.HasSynced)
	}
	return c, nil
}

var errUnknown = errors.New("what the namespace allows is not known yet")

// Of returns what the watches have.
func (c *Cached) Of(ctx context.Context, namespace string) (Allowance, error) {
	for _, synced := range c.synced {
		if !synced() {
			return Allowance{}, errUnknown
		}
	}
	var ranges corev1.LimitRangeList
	var quotas corev1.ResourceQuotaList
	// Lists are only read.
	in := []client.ListOption{client.InNamespace(namespace), client.UnsafeDisableDeepCopyOption(true)}
	err := errors.Join(c.Reader.List(ctx, &ranges, in...), c.Reader.List(ctx, &quotas, in...))
	return Allowance{LimitRanges: ranges.Items, Quotas: quotas.Items}, err
}
