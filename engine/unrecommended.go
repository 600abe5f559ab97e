package engine

import (
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// unrecommended leaves a step behind that says why there is nothing to size the
// pods by.
func (p *plan) unrecommended(in *input) {
	s := in.note(scale.StageCombine, scale.NoData)
	s.Limit, s.Problem = in.from.Replicas, in.obs.Unrecommended
	p.Steps = append(p.Steps, s)
}

// waitsForRecommendations leaves a step behind that names what is to be sized by
// recommendations and has none. Its request stays meanwhile, however full the
// pods are. It keeps nothing back, so it comes before the steps that do.
func (p *plan) waitsForRecommendations(in *input, follows func(i int, res scale.Resource) bool) {
	if in.from.Replicas == 0 {
		return
	}
	var names []string
	for i := range in.from.Containers {
		container := in.from.Containers[i].Name
		for _, res := range scale.EveryResource {
			if follows(i, res) && in.recommendedTotal(container, res) <= 0 {
				names = append(names, res.String()+" of "+container)
			}
		}
	}
	if names != nil {
		s := in.note(scale.StageCombine, scale.Unrecommended)
		s.Limit, s.Resources, s.Problem = in.from.Replicas, strings.Join(names, ", "), in.obs.Unrecommended
		p.Steps = append(p.Steps, s)
	}
}
