package engine

import (
	"strings"

	"github.com/tidemark/tidemark/scale"
)

// unrecommended leaves a step behind that says why there is nothing to size the
// pods by.
func (p *plan) unrecommended(in input) {
	p.Steps = append(p.Steps, in.note(scale.Step{
		Stage: scale.StageCombine, Reason: scale.NoData, Limit: in.from.Replicas, Problem: in.obs.Unrecommended,
	}))
}

// waitsForRecommendations leaves a step behind that names what is to be sized by
// recommendations and has none. Its request stays meanwhile, however full the
// pods are. It keeps nothing back, so it comes before the steps that do.
func (p *plan) waitsForRecommendations(in input, follows func(i int, res scale.Resource) bool) {
	if in.from.Replicas == 0 {
		return
	}
	var names []string
	for i := range in.from.Containers {
		container := in.from.Containers[i].Name
		for _, res := range scale.EveryResource {
			if _, total := in.recommended(container, res); total <= 0 && follows(i, res) {
				names = append(names, res.String()+" of "+container)
			}
		}
	}
	if names != nil {
		p.Steps = append(p.Steps, in.note(scale.Step{
			Stage: scale.StageCombine, Reason: scale.Unrecommended, Limit: in.from.Replicas,
			Resources: strings.Join(names, ", "), Problem: in.obs.Unrecommended,
		}))
	}
}
