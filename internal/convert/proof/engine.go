package proof

import (
	"cmp"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/policy"
)

// byEngine decides as the engine does under a policy.
type byEngine struct{ policy engine.Policy }

func newByEngine(spec v1alpha1.WorkloadAutoscalerSpec) (*byEngine, error) {
	compiled, err := policy.Compile(spec, v1alpha1.AdminSettings{})
	compiled.Schedule, compiled.Limit.Pauses = nil, nil // the rules of an original are compared, whatever the hour and while it is not paused
	return &byEngine{compiled}, err
}

func (e *byEngine) gauges() []gauge {
	var out []gauge
	for _, m := range horizontal.Measured(e.policy.Horizontal.Metrics) {
		name := m.Name
		if m.Kind >= horizontal.Pods {
			name = cmp.Or(m.Of.Name, m.Name)
		}
		if m.Input {
			// What only a formula looks at has no mark of its own: that of the formula
			// stands for it.
			m.Type, m.Band = e.computed().Type, e.computed().Band
		}
		out = append(out, gauge{kind: m.Kind, name: name, container: m.Container, compared: m.Type, band: m.Band})
	}
	return out
}

// computed is the metric of a formula, the last one.
func (e *byEngine) computed() *horizontal.Metric {
	return &e.policy.Horizontal.Metrics[len(e.policy.Horizontal.Metrics)-1]
}

func (e *byEngine) bounds() (least, most int32) { return e.policy.Limit.Min, e.policy.Limit.Max }

// noon is a moment like any other; lasting is longer than any window that a
// policy may have, so that the past has nothing more to say.
var noon = time.Date(2026, time.January, 5, 12, 0, 0, 0, time.UTC)

const lasting = 8 * 24 * time.Hour

// decide looks twice. The first look only tells since when the load is as it
// is; nothing is changed on it.
func (e *byEngine) decide(m *moment) (int32, bool) {
	watching := e.policy
	watching.Limit.Mode = limit.Recommend
	metrics := e.policy.Horizontal.Metrics
	_, past := engine.Decide(watching, m.observation(noon, metrics), engine.Memory{})
	decision, _ := engine.Decide(e.policy, m.observation(noon.Add(lasting), metrics), past)
	return decision.Want.Replicas, true
}
