package engine

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// idle lets a workload that nobody needs go below its stated minimum, to its idle
// count or to zero, once that was desired for long enough without a break. A minimum
// that someone else brought, history or the administrator, stays what it is.
func (in input) idle(b scale.Bounds, d *desired, informed bool) (scale.Bounds, time.Time) {
	idle, current := in.policy.Horizontal.Idle, in.from.Replicas
	if !d.Idle {
		return b, time.Time{}
	}
	if b.MinReason != scale.MinReplicas {
		return b, in.memory.IdleSince
	}
	awake := min(max(b.Min, 1), current)
	b.Min = min(b.Min, max(idle, in.policy.Learn.AdminMin))
	if !informed {
		// What is not known neither goes on nor begins to last.
		return b, time.Time{}
	}
	since := in.memory.IdleSince
	if since.IsZero() {
		since = in.obs.At
	}
	if left := in.policy.Limit.ToZero - in.obs.At.Sub(since); left > 0 && current > idle {
		b.Min, b.MinReason, b.MinWait = awake, scale.Delayed, left
	}
	return b, since
}
