package horizontal

import "github.com/tidemark/tidemark/scale"

// targeted is the metric with the target that its source states, for a metric that
// leaves that to it. A source that states none is as good as one that is silent.
func (m *Metric) targeted(i int, obs *scale.Observation) *Metric {
	if !m.BySource {
		return m
	}
	stated := *m
	if i < len(obs.Samples) {
		stated.Band = scale.Band{Low: obs.Samples[i].Target, High: obs.Samples[i].Target}
	}
	return &stated
}
