package apply

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/internal/targetref"
	"github.com/tidemark/tidemark/scale"
)

// Applier brings a target to the size that was decided.
//
// Its contract, for every way to act:
//
//   - It applies d.Want. What d.Proposed adds was kept back by a mode or a
//     pause, and an Applier is not the place to overrule them.
//   - It is idempotent. Where the target already is as wanted, it writes
//     nothing and the outcome has no changes, so that a quiet workload causes
//     neither load nor events.
//   - It writes only the fields it is there for, and never an object that the
//     API server would refuse.
//   - It does not insist. A conflict means that someone else acted meanwhile:
//     it is returned as an error, and the next decision looks at what is there
//     then. It does not wait for pods either.
//   - Even beside an error, the outcome names what was written before it.
//   - It changes nothing that d points to, and may be called for different
//     targets at the same time.
type Applier interface {
	Apply(ctx context.Context, target targetref.Target, d scale.Decision) (Outcome, error)
}

// Outcome is what became of a decision.
type Outcome struct {
	// Changes are the fields that were written, in their order.
	Changes []Change
	// Waiting is what could not be done yet, such as the resize of a pod that
	// its disruption budget protects. It is no error: the next round tries
	// again.
	Waiting []Wait
	// Sizes are what the pods are being brought to; nothing where no pod is
	// sized.
	Sizes []scale.Container
	// Published is the name of the object that shows the decided size to others,
	// empty where there is none any more; nil where nobody looked.
	Published *string
}

// Wait is something that could not be done yet.
type Wait struct {
	// Reason is empty for an ordinary wait, otherwise the obstacle that the
	// administrator has to remove.
	Reason scale.Reason
	// Who names what waits, such as "pod web-1", and Pods are all pods among
	// them.
	Who  string
	Pods []string
	// Why says in words what is waited for, or what to do about it. It names
	// no pod, so that it stays the same while one pod after the other waits.
	Why string
}

// String says it in one sentence.
func (w Wait) String() string { return w.Who + ": " + w.Why }

// PodPath is where the changes of a pod are, as a part of their path.
func PodPath(name string) string { return podsPath + name + "]" }

const podsPath = "pods["

// OfPod tells whether a change is one of a pod.
func (c Change) OfPod() bool { return strings.HasPrefix(c.Path, podsPath) }

// TouchesPods tells whether a pod was resized or replaced.
func (o Outcome) TouchesPods() bool {
	return slices.ContainsFunc(o.Changes, Change.OfPod)
}

// And returns both outcomes as one.
func (o Outcome) And(next Outcome) Outcome {
	return Outcome{
		Changes: slices.Concat(o.Changes, next.Changes), Waiting: slices.Concat(o.Waiting, next.Waiting),
		Sizes: slices.Concat(o.Sizes, next.Sizes), Published: cmp.Or(next.Published, o.Published),
	}
}

// Change is one field that was, or is to be, written.
type Change struct {
	// Path is the field's place in its object, such as spec.minReplicas.
	Path string
	// From and To are the field's values before and after, as a user would
	// write them.
	From, To string
	// Reason says in words why To is not what was asked for, or what else the
	// change brings with it, such as a restart. It is empty where there is no
	// more to say.
	Reason string
}
