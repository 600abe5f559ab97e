package scale

import "slices"

// EvictionRequirement is what has to change for a pod to be replaced for its size: the
// request of any of the resources, upward unless Lower is set.
type EvictionRequirement struct {
	Resources []Resource
	Lower     bool
}

// Met tells whether it is met, by the resources of which more, and of which less, is
// requested than is in force.
func (e EvictionRequirement) Met(higher, lower [resourceCount]bool) bool {
	changes := higher
	if e.Lower {
		changes = lower
	}
	return slices.ContainsFunc(e.Resources, func(r Resource) bool { return changes[r] })
}
