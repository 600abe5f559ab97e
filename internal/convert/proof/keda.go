package proof

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// scaledObject is what KEDA decides by.
type scaledObject struct {
	Spec struct {
		MinReplicaCount  *int32 `json:"minReplicaCount"`
		MaxReplicaCount  *int32 `json:"maxReplicaCount"`
		IdleReplicaCount *int32 `json:"idleReplicaCount"`
		Advanced         struct {
			Modifiers struct {
				Formula string `json:"formula"`
			} `json:"scalingModifiers"`
			Config struct {
				Behavior json.RawMessage `json:"behavior"`
			} `json:"horizontalPodAutoscalerConfig"`
		} `json:"advanced"`
		Triggers []trigger     `json:"triggers"`
		Fallback *kedaFallback `json:"fallback"`
	} `json:"spec"`
}

// kedaFallback is what KEDA has the HPA told when it could not measure a trigger so many
// times in a row.
type kedaFallback struct {
	FailureThreshold int32  `json:"failureThreshold"`
	Replicas         int32  `json:"replicas"`
	Behavior         string `json:"behavior"`
}

// answers has the metrics that KEDA measures answered for when they fail. A Value has no
// fallback: KEDA knows no count that it would stand for.
func (f *kedaFallback) answers(metrics []v1alpha1.MetricSpec) {
	const asked = 15 // how often the HPA asks, in seconds
	behavior, known := map[string]v1alpha1.FallbackBehavior{
		"": v1alpha1.FallbackStatic, "static": v1alpha1.FallbackStatic, "currentReplicas": v1alpha1.FallbackCurrent,
		"currentReplicasIfHigher": v1alpha1.FallbackCurrentIfHigher, "currentReplicasIfLower": v1alpha1.FallbackCurrentIfLower,
	}[f.Behavior]
	for i := range metrics {
		if e := metrics[i].External; known && e != nil && e.Target != nil && e.Target.AverageValue != nil {
			metrics[i].OnMissing = &v1alpha1.OnMissing{Replicas: new(f.Replicas), AfterSeconds: new(f.FailureThreshold * asked), Behavior: behavior}
		}
	}
}

type trigger struct {
	Type       string            `json:"type"`
	Metadata   map[string]string `json:"metadata"`
	MetricType string            `json:"metricType"`
}

// asleep says when KEDA takes the count to where an HPA never goes, and which count
// that is. Only triggers that KEDA measures have a say in it.
type asleep struct {
	at int32
	// above is what the whole of each query must be above to be active.
	above map[gaugeKey]scale.Amount
}

// specOfKEDA reads the HPA that KEDA makes of a ScaledObject, with the queries of the
// Prometheus triggers, whose HPA is told the value of the whole. KEDA itself goes
// between 0 and 1, so the HPA's minimum is never 0. What other triggers measure is
// named: nobody but KEDA knows it.
func specOfKEDA(document []byte) (rules, error) {
	var in scaledObject
	if err := json.Unmarshal(document, &in); err != nil {
		return rules{}, err
	}
	var out hpa
	const most = 100
	least := *cmp.Or(in.Spec.MinReplicaCount, new(int32(0)))
	out.Spec.MinReplicas, out.Spec.MaxReplicas = new(max(1, least)), *cmp.Or(in.Spec.MaxReplicaCount, new(int32(most)))
	out.Spec.Behavior = in.Spec.Advanced.Config.Behavior
	sleep := asleep{at: *cmp.Or(in.Spec.IdleReplicaCount, new(int32(0))), above: map[gaugeKey]scale.Amount{}}
	var unknown []source
	for i := range in.Spec.Triggers {
		t, from := &in.Spec.Triggers[i], fault.Path("spec.triggers").Index(i)
		metric, why := t.metric(sleep.above)
		if why != "" {
			unknown = append(unknown, source{from, t.Type, why})
			continue
		}
		out.Spec.Metrics, out.from = append(out.Spec.Metrics, metric), append(out.from, from)
	}
	failed := rules{unknown: unknown}
	switch {
	case in.Spec.Advanced.Modifiers.Formula != "":
		return failed, errors.New("KEDA computes its formula itself, in a language of its own")
	case len(out.Spec.Metrics) == 0:
		return failed, errors.New("KEDA measures every trigger itself, so that only KEDA knows what the HPA is told")
	}
	spec, err := out.spec()
	spec.unknown = unknown
	if in.Spec.Fallback != nil {
		in.Spec.Fallback.answers(spec.spec.Metrics)
	}
	if (len(sleep.above) > 0 || len(unknown) > 0) && (least == 0 || in.Spec.IdleReplicaCount != nil) {
		spec.sleep = &sleep
	}
	return spec, err
}

// metric is what the HPA is given of a trigger, or why nobody here can say.
func (t *trigger) metric(activations map[gaugeKey]scale.Amount) (metric node, why string) {
	switch t.Type {
	case "cpu", "memory":
		return t.usage()
	case "prometheus":
		return t.query(activations)
	case "cron":
		return nil, "holds by the hour, which no sample shows"
	}
	return nil, "is measured by KEDA alone"
}

// usage is the metric of a trigger on cpu or memory.
func (t *trigger) usage() (metric node, why string) {
	value := t.Metadata["value"]
	target := node{"averageValue": value}
	switch cmp.Or(t.MetricType, t.Metadata["type"], "Utilization") {
	case "Utilization":
		percent, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return nil, "has no percentage"
		}
		target = node{"averageUtilization": percent}
	case "AverageValue":
		if _, err := scale.ParseAmount(value); err != nil {
			return nil, "has no value"
		}
	default:
		return nil, "has a metricType that KEDA refuses"
	}
	return ofResource(t.Metadata["containerName"], t.Type, target), ""
}

// query is the metric of a Prometheus trigger.
func (t *trigger) query(activations map[gaugeKey]scale.Amount) (metric node, why string) {
	query, threshold := t.Metadata["query"], t.Metadata["threshold"]
	mark, err := scale.ParseAmount(threshold)
	if query == "" || err != nil || mark <= 0 {
		return nil, "has no query, or no threshold above 0"
	}
	if t.Metadata["serverAddress"] == "" {
		return nil, "has no serverAddress, without which KEDA asks nobody"
	}
	activation, err := scale.ParseAmount(cmp.Or(t.Metadata["activationThreshold"], "0"))
	if err != nil {
		return nil, fmt.Sprintf("has an activationThreshold that is no number: %q", t.Metadata["activationThreshold"])
	}
	target := node{"averageValue": threshold}
	if t.MetricType == "Value" {
		target = node{"value": threshold}
	} else if t.MetricType != "" && t.MetricType != "AverageValue" {
		return nil, "has a metricType that KEDA refuses"
	}
	activations[gaugeKey{kind: horizontal.External, name: queryName(query)}] = activation
	return node{"type": "External", "external": node{"metric": node{"name": "query"}, "prometheus": node{"query": query}, "target": target}}, ""
}

// byKEDA decides as KEDA and its HPA do.
type byKEDA struct {
	*byEngine
	sleep asleep
	// some is set where triggers that nobody here knows may keep it awake.
	some bool
}

// decide takes the workload for awake where only triggers that nobody here knows could
// say, except under no load at all.
func (k *byKEDA) decide(m *moment) (int32, bool) {
	switch {
	case m.blind:
	case len(k.sleep.above) == 0 && m.zero:
		return 0, false
	case len(k.sleep.above) > 0 && !k.active(m):
		return k.sleep.at, !k.some
	}
	return k.byEngine.decide(m)
}

// active tells whether the whole of a query is above its activation.
func (k *byKEDA) active(m *moment) bool {
	for i := range m.gauges {
		g := &m.gauges[i]
		activation, ok := k.sleep.above[g.key()]
		value := m.readings[g.key()]
		if g.compared == scale.AverageValue {
			value = value.Times(int64(m.pods))
		}
		if ok && value > activation {
			return true
		}
	}
	return false
}
