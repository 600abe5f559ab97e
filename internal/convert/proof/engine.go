package proof

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// rules are those of an HPA that an original is decided by.
type rules struct {
	spec v1alpha1.WorkloadAutoscalerSpec
	// from are the places of the metrics; without them they are those of spec.metrics.
	from []fault.Path
	// unknown are the sources that nobody here can compute.
	unknown []source
	// sleep is set where the count may go below the HPA's minimum.
	sleep *asleep
}

// byEngine decides as the engine does under a policy.
type byEngine struct {
	policy engine.Policy
	from   []fault.Path
}

func newByEngine(r rules) (*byEngine, error) {
	r.spec.Metrics = byQuery(r.spec.Metrics)
	compiled, err := policy.Compile(r.spec, v1alpha1.AdminSettings{})
	compiled.Schedule, compiled.Limit.Pauses = nil, nil // the rules of an original are compared, whatever the hour and while it is not paused
	return &byEngine{compiled, r.from}, err
}

// byQuery lets metrics that are asked with a query be known by it: the names beside
// are anyone's choice.
func byQuery(metrics []v1alpha1.MetricSpec) []v1alpha1.MetricSpec {
	out := slices.Clone(metrics)
	for i := range out {
		if e := out[i].External; e != nil && e.Prometheus != nil && e.Prometheus.Query != "" {
			named := *e
			named.Metric.Name = queryName(e.Prometheus.Query)
			out[i].External = &named
		}
	}
	return out
}

// queryName is a name for a query. Names of metrics are parts of paths, which most
// queries could not be.
func queryName(query string) string {
	sum := sha256.Sum256([]byte(query))
	return "query-" + hex.EncodeToString(sum[:8])
}

func (e *byEngine) gauges() []gauge {
	var out []gauge
	for i, m := range horizontal.Measured(e.policy.Horizontal.Metrics) {
		key := keyOf(&m)
		if m.Input {
			// What only a formula looks at has no mark of its own: that of the formula
			// stands for it.
			m.Type, m.Band = e.computed().Type, e.computed().Band
		}
		from := fault.Path("spec.metrics")
		switch {
		case i < len(e.from):
			from = e.from[i]
		case len(e.from) == 0:
			from = from.Index(i)
		}
		out = append(out, gauge{kind: key.kind, name: key.name, container: key.container, of: key.of, compared: m.Type, band: m.Band, from: from})
	}
	return out
}

// keyOf is what tells a metric of the engine from others.
func keyOf(m *horizontal.Metric) gaugeKey {
	key := gaugeKey{kind: m.Kind, name: m.Name, container: m.Container}
	switch {
	case m.Kind < horizontal.Pods:
		key.name = m.Resource.String()
	default:
		key.name = cmp.Or(m.Of.Name, m.Name)
		key.of = m.Of.Object + m.Of.Selector
	}
	return key
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

func (e *byEngine) decide(m *moment) (int32, bool) { return e.decision(m).Want.Replicas, true }

// decision looks twice. The first look only tells since when the load is as it
// is; nothing is changed on it.
func (e *byEngine) decision(m *moment) scale.Decision {
	watching := e.policy
	watching.Limit.Mode = limit.Recommend
	metrics := e.policy.Horizontal.Metrics
	_, past := engine.Decide(watching, m.observation(noon, metrics), engine.Memory{})
	decision, _ := engine.Decide(e.policy, m.observation(noon.Add(lasting), metrics), past)
	return decision
}
