package hpa

import "github.com/tidemark/tidemark/scale"

// asked returns the targets that have an opinion, one for each container and
// resource. Where several speak of the same one the smallest counts, because
// it leaves the most room.
func asked(t scale.Tuning) []scale.LearnedTarget {
	var all []scale.LearnedTarget
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
func find(all []scale.LearnedTarget, like scale.LearnedTarget) *scale.LearnedTarget {
	for i := range all {
		if all[i].Container == like.Container && all[i].Resource == like.Resource {
			return &all[i]
		}
	}
	return nil
}
