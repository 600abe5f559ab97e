package permit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// crowdAge is for how long it is remembered who of a namespace is beyond the
// administrator's limit: to count thousands at each look would take long.
const crowdAge = time.Second

// crowds are the objects of namespaces that have too many of them.
type crowds struct {
	mu sync.Mutex
	of map[string]crowd
}

// crowd is what was found in a namespace.
type crowd struct {
	at      time.Time
	most    int32
	objects int
	// beyond are those that are left alone.
	beyond map[types.UID]bool
}

// MinimumSyncPeriod is the shortest sync period that the administrator allows.
func (r Rules) MinimumSyncPeriod() time.Duration {
	if least := r.Admin().MinimumSyncPeriodSeconds; least != nil {
		return time.Duration(*least) * time.Second
	}
	return 0
}

// crowded tells whether an object is one too many in its namespace. Those that
// were created first stay.
func (c *Checker) crowded(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*Denial, error) {
	most := c.Admin().MaximumObjectsPerNamespace
	if most == nil {
		return nil, nil
	}
	in, err := c.crowdOf(ctx, obj.Namespace, *most)
	if err != nil || !in.beyond[obj.UID] {
		return nil, err
	}
	return &Denial{scale.TooManyObjects, fmt.Sprintf("the namespace has %d WorkloadAutoscalers, and the administrator allows %d "+
		"(admin.maximumObjectsPerNamespace), of which those that were created first count: delete one of them, or have the limit raised",
		in.objects, *most)}, nil
}

func (c *Checker) crowdOf(ctx context.Context, namespace string, most int32) (crowd, error) {
	now := c.Clock.Now()
	c.crowds.mu.Lock()
	defer c.crowds.mu.Unlock()
	if known, ok := c.crowds.of[namespace]; ok && known.most == most && now.Sub(known.at) < crowdAge && !now.Before(known.at) {
		return known, nil
	}
	var all v1alpha1.WorkloadAutoscalerList
	if err := c.Cache.List(ctx, &all, client.InNamespace(namespace), client.UnsafeDisableDeepCopy); err != nil {
		return crowd{}, fmt.Errorf("counting the objects of the namespace: %w", err)
	}
	found := crowd{at: now, most: most, objects: len(all.Items), beyond: map[types.UID]bool{}}
	if len(all.Items) > int(most) {
		order := slices.Clone(all.Items)
		slices.SortFunc(order, func(a, b v1alpha1.WorkloadAutoscaler) int {
			return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
		})
		for i := range order[most:] {
			found.beyond[order[int(most)+i].UID] = true
		}
	}
	if c.crowds.of == nil {
		c.crowds.of = map[string]crowd{}
	}
	c.crowds.of[namespace] = found
	return found, nil
}
