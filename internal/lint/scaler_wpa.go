package lint

import (
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

type wpaFacts struct {
	// average tells that values are compared per pod.
	average                bool
	tolerance              *int64
	toleranceAt            fault.Path
	upLimit, downLimit     *scale.Amount
	upLimitAt, downLimitAt fault.Path
	step                   *int64
	stepAt                 fault.Path
}

// readWPA reads a WatermarkPodAutoscaler.
func readWPA(c cursor) *Scaler {
	spec := c.get("spec")
	out := &Scaler{counts: true, Target: reference(spec.get("scaleTargetRef")), metricsAt: "spec.metrics"}
	out.bounds(spec.get("minReplicas"), spec.get("maxReplicas"))
	tolerance, step := spec.get("tolerance"), spec.get("replicaScalingAbsoluteModulo")
	up, down := spec.get("scaleUpLimitFactor"), spec.get("scaleDownLimitFactor")
	out.marks = &wpaFacts{
		average: spec.get("algorithm").text() == "average", tolerance: tolerance.parts(), toleranceAt: tolerance.path,
		upLimit: up.amount(), upLimitAt: up.path, downLimit: down.amount(), downLimitAt: down.path,
		step: step.integer(), stepAt: step.path,
	}
	for _, item := range spec.get("metrics").items() {
		m := Metric{Path: item.path, Type: item.get("type").text()}
		source := item.get(sourceFields[m.Type])
		m.targetAt, m.Name = source.path, source.get("name").text()
		if m.Type == "External" {
			m.Name = source.get("metricName").text()
		}
		m.Low, m.High = source.get("lowWatermark").amount(), source.get("highWatermark").amount()
		m.selector = selectorFacts{selectorOf(source.get("metricSelector")), source.get("metricSelector").path}
		m.identity = m.Type + " " + m.Name + " " + m.selector.String()
		out.Metrics = append(out.Metrics, m)
	}
	if yes := spec.get("dryRun").truth(); yes != nil && *yes {
		out.own = &ownFacts{mode: "Recommend", modeAt: "spec.dryRun"}
	}
	return out
}

// share is the tolerance of a WPA in billionths. It cannot be 0.
func (w *wpaFacts) share() int64 {
	if w.tolerance == nil || *w.tolerance == 0 {
		return scale.Parts / 10
	}
	return *w.tolerance
}
