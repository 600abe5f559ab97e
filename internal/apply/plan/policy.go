package plan

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Update is how pods may be brought to their size, in the API's own words.
type Update string

// The ways. Empty means InPlaceOrRecreate.
const (
	InPlace           Update = "InPlace"
	InPlaceOrRecreate Update = "InPlaceOrRecreate"
	Recreate          Update = "Recreate"
	Initial           Update = "Initial"
)

// Policy says how pods may be brought to their size.
type Policy struct {
	Update Update
	// NewPodsAreSized is set where the pod webhook gives new pods their size.
	// Without it nothing is evicted: the pod would come back as it was.
	NewPodsAreSized bool
	// Replicas is how many pods the workload should have now.
	Replicas int32
	// MinReplicas is how many pods there must be before one is taken out of
	// service.
	MinReplicas int32
	// Requirements must all be met before a pod is replaced.
	Requirements []scale.EvictionRequirement
	// Now is the moment of the round.
	Now time.Time
}

const (
	// sharePerRound is the part of the pods that is made smaller in a round: one
	// in so many, and at least one.
	sharePerRound = 10
	// Patience is how long a deferred or failing resize is waited for before
	// the pod is replaced, or others are started instead.
	Patience = 5 * time.Minute
	// settling is how long a new pod is left alone by evictions, and how long
	// an unready pod may count as still starting.
	settling = 10 * time.Minute
)

var youngsStay = "it is not replaced in its first " + settling.String()

func (p *Policy) young(pod *Pod) bool { return p.Now.Sub(pod.CreatedAt) < settling }

// starting tells whether a pod may become ready yet. It needs what it has for
// that.
func (p *Policy) starting(pod *Pod) bool { return !pod.Ready && p.young(pod) }

// inPlace tells whether pods are resized where they are.
func (p *Policy) inPlace() bool {
	return p.Update == "" || p.Update == InPlace || p.Update == InPlaceOrRecreate
}

// meets tells whether a pod may be replaced for the change that is wanted of it.
func (p *Policy) meets(pod *Pod) bool {
	return !slices.ContainsFunc(p.Requirements, func(r scale.EvictionRequirement) bool { return !r.Met(pod.Higher, pod.Lower) })
}

// evicts tells whether pods may be replaced, and if not, why.
func (p *Policy) evicts() (bool, string) {
	switch p.Update {
	case "", InPlaceOrRecreate, Recreate:
		if !p.NewPodsAreSized {
			return false, "the pod webhook is off, so a new pod would come back at its old size"
		}
		return true, ""
	}
	return false, "vertical.update " + string(p.Update) + " does not replace pods"
}
