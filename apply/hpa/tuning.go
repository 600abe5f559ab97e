package hpa

import "github.com/tidemark/tidemark/scale"

// Tuning is what an HPA is to be set to.
type Tuning struct {
	// Min is the least count of pods. Zero is a real wish, to let the workload
	// sleep; it is granted only where the HPA itself may already sleep.
	Min int32
	// Max is the largest count of pods. Below 1 it is no opinion: the HPA
	// keeps its own, because shrinking a workload to one pod is not what
	// anyone means by saying nothing.
	Max int32
	// Targets are the target utilizations.
	Targets []Target
}

// Target is the target utilization for a container's resource, in whole
// percent of the request. Below 1 it is no opinion: the least an HPA accepts
// would drive the workload to its maximum.
type Target struct {
	Container string
	Resource  scale.Resource
	Percent   int32
}

// asked returns the targets that have an opinion, one for each container and
// resource. Where several speak of the same one the smallest counts, because
// it leaves the most room.
func (t Tuning) asked() []Target {
	var all []Target
	for _, target := range t.Targets {
		if target.Percent < 1 {
			continue
		}
		if same := find(all, target); same != nil {
			same.Percent = min(same.Percent, target.Percent)
			continue
		}
		all = append(all, target)
	}
	return all
}

// find returns the target for the same container and resource, nil if there is
// none.
func find(all []Target, like Target) *Target {
	for i := range all {
		if all[i].Container == like.Container && all[i].Resource == like.Resource {
			return &all[i]
		}
	}
	return nil
}
