package permit

import (
	"context"
	"sync/atomic"

	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Checker also looks at who else scales a target. It may be used from many
// goroutines.
type Checker struct {
	Rules
	// Cache has the index of targets, and is all that is read.
	Cache client.Reader
	Clock clock.PassiveClock

	// noVPA is until when the cluster is taken to have no VPAs, in nanoseconds:
	// to ask whether a kind exists is a request.
	noVPA  atomic.Int64
	crowds crowds
}

// Check returns why an object may not change its target, or nil. What lasts is
// said before what is for now, so that a pause hides no conflict.
func (c *Checker) Check(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*Denial, error) {
	return c.check(ctx, obj, c.siblings, c.tuned, c.hpas, c.vpas)
}

// CheckTuner returns why an object may not tune its HPA, or nil. Who sizes the
// pods does not matter there.
func (c *Checker) CheckTuner(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler) (*Denial, error) {
	return c.check(ctx, obj, c.siblings, c.tuned, c.hpas)
}

func (c *Checker) check(ctx context.Context, obj *v1alpha1.WorkloadAutoscaler,
	others ...func(context.Context, *v1alpha1.WorkloadAutoscaler) (*Denial, error)) (*Denial, error) {
	if why := c.excluded(obj.Namespace); why != nil {
		return why, nil
	}
	// One too many is left alone altogether, also where it would change nothing.
	if why, err := c.crowded(ctx, obj); why != nil || err != nil {
		return why, err
	}
	if why := idle(obj); why != nil {
		return why, nil
	}
	for _, look := range others {
		if why, err := look(ctx, obj); why != nil || err != nil {
			return why, err
		}
	}
	return c.stopped(), nil
}
