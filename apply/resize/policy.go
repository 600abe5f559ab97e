package resize

import (
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Policy says how pods may be brought to their size.
type Policy struct {
	// Update is the object's own word. Empty means InPlaceOrRecreate.
	Update v1alpha1.VerticalUpdate
	// NewPodsAreSized is set where the pod webhook gives new pods their size.
	// Without it nothing is evicted: the pod would come back as it was.
	NewPodsAreSized bool
	// Replicas is how many pods the workload should have now.
	Replicas int32
	// Now is the moment of the round.
	Now time.Time
}

const (
	// sharePerRound is the part of the pods that moves in a round: one in so
	// many, and at least one.
	sharePerRound = 10
	// patience is how long a deferred or failing resize is waited for before
	// the pod is replaced.
	patience = 5 * time.Minute
	// settling is how long a new pod is left alone by evictions, and how long
	// an unready pod may count as still starting.
	settling = 10 * time.Minute
)

// inPlace tells whether pods are resized where they are.
func (p Policy) inPlace() bool {
	switch p.Update {
	case "", v1alpha1.VerticalUpdateInPlace, v1alpha1.VerticalUpdateInPlaceOrRecreate:
		return true
	}
	return false
}

// evicts tells whether pods may be replaced, and if not, why.
func (p Policy) evicts() (bool, string) {
	switch p.Update {
	case "", v1alpha1.VerticalUpdateInPlaceOrRecreate, v1alpha1.VerticalUpdateRecreate:
		if !p.NewPodsAreSized {
			return false, "the pod webhook is off, so a new pod would come back at its old size"
		}
		return true, ""
	}
	return false, "vertical.update " + string(p.Update) + " does not replace pods"
}
