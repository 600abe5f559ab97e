package engine

import (
	"strings"

	"github.com/tidemark/tidemark/engine/rightsize"
	"github.com/tidemark/tidemark/scale"
)

// waitsForRecommendations leaves a step behind that names what is to be sized by
// recommendations and has none. Its request stays meanwhile, however full the
// pods are. It keeps nothing back, so it comes before the steps that do.
func (d *draft) waitsForRecommendations(follows func(i int, res scale.Resource) bool) {
	if d.From.Replicas == 0 {
		return
	}
	var names []string
	for i := range d.From.Containers {
		container := d.From.Containers[i].Name
		recommended := d.recommendation(container)
		for _, res := range scale.EveryResource {
			if follows(i, res) && recommended.total(res, d.From.Replicas) <= 0 {
				names = append(names, res.String()+" of "+container)
			}
		}
	}
	if names != nil {
		d.Steps = append(d.Steps, scale.Step{
			Stage: scale.StageCombine, Reason: scale.Unrecommended, In: d.From, Out: d.From, Limit: d.From.Replicas,
			Resources: strings.Join(names, ", "), Problem: d.seen.Unrecommended,
		})
	}
}

// vertical tells whether recommendations size a resource of the i-th container.
func (d *draft) vertical(i int, res scale.Resource) bool {
	rules := d.policy.Rightsize
	for j := range rules.Containers {
		if rules.Containers[j].Name == d.From.Containers[i].Name {
			return rules.Containers[j].Resources[res].Scaling == rightsize.Vertical
		}
	}
	return rules.Default.Resources[res].Scaling == rightsize.Vertical
}

// untotalled tells whether recommendations for a resource of the i-th container
// count, and nobody else asked for a total of it.
func (d *draft) untotalled(i int, res scale.Resource) bool {
	_, asked := d.totals[i].Get(res)
	return !asked && d.policy.Interval.Counts(d.From.Containers[i].Name, res)
}
