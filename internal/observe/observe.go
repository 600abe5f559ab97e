package observe

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/internal/observe/snapshot"
	"github.com/tidemark/tidemark/scale"
)

// Observer looks at the target of an object, and at its metrics.
//
// Its contract:
//
//   - A gap is a value, not an error: a metric without an answer is a sample
//     with a problem, pods without usage are pods without usage. An error is
//     returned only where the target itself cannot be read, because then there
//     is nothing to decide about.
//   - It reads from caches and from snapshots that are shared by all objects.
//     A workload at rest costs no request of its own.
//   - It changes nothing, and may be called for different objects at once.
//   - With a look it does not wait for a source. While answers are under way the
//     error is a snapshot.UnderWay, and it is called again when they have come, or
//     when the look's patience is at its end.
type Observer interface {
	Observe(ctx context.Context, req Request) (Result, error)
}

// Request is what is to be looked at.
type Request struct {
	// Object is only read: its namespace and its spec.
	Object *v1alpha1.WorkloadAutoscaler
	// Policy is the compiled spec. Samples are in the order of its metrics.
	Policy engine.Policy
	// At is the moment that the observation is for.
	At time.Time
	// Usage asks for what the pods use also where the policy has no use for it.
	Usage bool
	// Look, where it is set, is the look that this is a pass of: no source is waited
	// for. Without one, Observe waits.
	Look *snapshot.Look
}

// Result is what was seen.
type Result struct {
	Observation scale.Observation
	// Selector selects the target's pods, in the form of a query.
	Selector string
	// TargetUID tells one target from a later one of the same name.
	TargetUID types.UID
	// Problems are those of sources in words that an administrator can
	// act on, such as a missing permission. They are not the metrics' own:
	// those stand in the samples.
	Problems []string
}
