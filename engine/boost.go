package engine

import (
	"slices"

	"github.com/tidemark/tidemark/engine/boost"
	"github.com/tidemark/tidemark/engine/capacity"
	"github.com/tidemark/tidemark/scale"
)

// Boosted is what each of so many new pods starts with that settle at a size, as far
// as there is room for it: quotas have room for all of them, boosted or not. The
// reason says what kept it from being more; it is empty where nothing did.
func Boosted(rules *boost.Rules, settled scale.Size, c *scale.Capacity) ([]scale.Container, scale.Reason) {
	if rules == nil {
		return settled.Containers, ""
	}
	to, cut := slices.Clone(settled.Containers), scale.Reason("")
	for i := range to {
		var by scale.Reason
		if to[i], by = rules.Raised(settled.Containers[i]); by != "" {
			cut = by
		}
	}
	if c == nil {
		return to, cut
	}
	for _, less := range capacity.Fit(c, capacity.Pods{Size: &settled}, scale.Size{Replicas: settled.Replicas, Containers: to}) {
		to, cut = less.Size.Containers, less.Reason
	}
	return to, cut
}

// boost says what new pods start with, and which have it now.
func (in input) boost(d *scale.Decision) {
	rules := in.policy.Boost
	if rules == nil {
		return
	}
	var boosted scale.PodNames
	for i := range in.obs.Pods {
		if p := &in.obs.Pods[i]; p.Boosted && !p.Ended() {
			boosted.Add(p.Name)
		}
	}
	facts := scale.BoostFacts{Starts: max(d.Want.Replicas-d.From.Replicas, 0), For: rules.For()}
	if facts.Starts == 0 && boosted.Count() == 0 {
		return
	}
	facts.Containers, facts.CutBy = Boosted(rules, d.Want.WithReplicas(max(facts.Starts, 1)), in.obs.Capacity)
	if slices.Equal(facts.Containers, d.Want.Containers) && facts.CutBy == "" && boosted.Count() == 0 {
		return // nothing to boost: the containers state no cpu, or have as much anyway
	}
	said := scale.Step{Stage: scale.StageLimit, Reason: scale.StartupBoost, In: d.Want, Out: d.Want, Boost: &facts}
	if boosted.Count() > 0 {
		said.Pods = &boosted
	}
	d.Steps = append(d.Steps, said)
}
