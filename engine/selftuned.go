package engine

import (
	"slices"

	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/scale"
)

// tune remembers what self-tuning found, where that is newer than what is
// remembered, and tells whether there is a setting to follow. Only headroom that is
// weighed by prices is tuned.
func (m *Memory) tune(p *Policy, obs *scale.Observation) bool {
	if p.Learn.Tune == learn.TuneOff || p.Elastic == nil || p.Elastic.Prices == nil {
		m.Learned.Tuned = nil
		return false
	}
	if obs.Learned == nil || obs.Learned.Tuned == nil || p.Learn.Tune == learn.TuneFrozen {
		return m.Learned.Tuned != nil
	}
	found, before := *obs.Learned.Tuned, m.Learned.Tuned
	// What is found by a clock that is ahead counts as found now.
	found.At = scale.Earlier(found.At.Round(0).UTC(), obs.At)
	if !found.Valid() || len(found.Candidates) > scale.MaxCandidates || before != nil && !found.At.After(scale.Earlier(before.At, obs.At)) {
		return before != nil
	}
	m.Learned.Tuned = &found
	return true
}

// follow makes the policy what a setting says.
func (p *Policy) follow(s scale.Setting) {
	rules := *p.Elastic
	rules.Wait, rules.Plain = s.Wait, s.Target > 0
	p.Elastic = &rules
	if !rules.Plain {
		return
	}
	mark := scale.Amount(s.Target) * scale.Thousand
	p.Horizontal.Metrics = slices.Clone(p.Horizontal.Metrics)
	for i := range p.Horizontal.Metrics {
		if m := &p.Horizontal.Metrics[i]; m.Headroom {
			m.Headroom, m.Band = false, scale.Band{Low: mark, High: mark}
		}
	}
}

// toUsual brings pods back to their usual size where a target decides how many
// there are: then as many of them have what the count that is desired would have
// had. From the next decision on the count alone changes.
func (in input) toUsual(d *desired) {
	if !in.policy.Elastic.Plain || !d.Informed || len(d.Metrics) == 0 {
		return
	}
	pods, ok := in.elasticPods(d.Metrics[0].Container)
	if !ok {
		return
	}
	e := elasticTotal{Set: true, Pods: pods, Past: in.memory.Elastic}
	e.Rules = in.usual(&e)
	each, _ := in.from.Containers[pods.Container].Requests.Get(scale.CPU)
	usual := e.Rules.Usual
	if each == usual || usual <= 0 || !e.Rules.Resizes() {
		return
	}
	count := max(1, scale.NewRatio(scale.Product{int64(each), int64(d.Replicas)}, scale.Product{}, scale.Product{int64(usual), 1}).Ceil(1))
	// Pods are made smaller in rounds, so there is no need to carry the load of those
	// that start.
	e.Pods.Started = count
	e.Past.Total, e.Past.Each, e.Past.Pods = usual.Times(int64(count)), usual, count
	e.Size = e.Rules.Sized(e.Pods, e.Past.Total, count)
	d.Elastic = e
}
