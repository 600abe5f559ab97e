package lint

import (
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// readHPA reads a HorizontalPodAutoscaler of any version.
func readHPA(c cursor) *Scaler {
	spec := c.get("spec")
	out := &Scaler{counts: true, Target: reference(spec.get("scaleTargetRef")), metricsAt: "spec.metrics"}
	out.bounds(spec.get("minReplicas"), spec.get("maxReplicas"))
	out.behavior(spec.get("behavior"))
	switch c.object.APIVersion {
	case "autoscaling/v1":
		c.decode(&autoscalingv1.HorizontalPodAutoscaler{})
		out.metricsV1(spec)
	case "autoscaling/v2beta1":
		for _, item := range spec.get("metrics").items() {
			out.Metrics = append(out.Metrics, metricV2beta1(item))
		}
	default:
		c.decode(&autoscalingv2.HorizontalPodAutoscaler{})
		for _, item := range spec.get("metrics").items() {
			out.Metrics = append(out.Metrics, metric(item))
		}
	}
	return out
}

// decode reads the object strictly, to find fields and values that a cluster
// drops or refuses.
func (c cursor) decode(into any) bool {
	faults := c.doc.Part(c.node).Decode(into)
	for _, f := range faults {
		c.object.mark(f.Path, f.Line)
		if strings.HasPrefix(f.Message, "unknown field") {
			c.object.unknown = append(c.object.unknown, f)
		} else {
			c.object.wrong = append(c.object.wrong, f)
		}
	}
	return len(faults) == 0
}

// metricsV1 reads the one metric that autoscaling/v1 has a field for. Others
// may stand in an annotation.
func (s *Scaler) metricsV1(spec cursor) {
	percent := spec.get("targetCPUUtilizationPercentage")
	s.metricsAt = percent.path
	if percent.there() {
		s.Metrics = append(s.Metrics, Metric{
			Path: percent.path, targetAt: percent.path, Type: "Resource", Name: "cpu", Utilization: percent.integer(), identity: "Resource cpu",
		})
	}
}

// sourceFields are the fields that hold a metric, by its type.
var sourceFields = map[string]string{
	"Resource": "resource", "ContainerResource": "containerResource", "Pods": "pods", "Object": "object", "External": "external",
}

// metric reads a metric of autoscaling/v2 or of a WorkloadAutoscaler.
func metric(c cursor) Metric {
	out := Metric{Path: c.path, Type: c.get("type").text()}
	source := c.get(sourceFields[out.Type])
	if !source.there() {
		return out
	}
	out.Name, out.Container = source.get("name").text(), source.get("container").text()
	if id := source.get("metric"); id.there() {
		out.Name = id.get("name").text()
		out.selector = selectorFacts{selectorOf(id.get("selector")), id.get("selector").path}
	}
	target := source.get("target")
	out.targetAt, out.TargetType = target.path, target.get("type").text()
	out.Utilization = target.get("averageUtilization").integer()
	out.Average, out.Value = target.get("averageValue").amount(), target.get("value").amount()
	if marks := source.get("watermarks"); marks.there() {
		out.targetAt, out.TargetType = marks.path, marks.get("type").text()
		out.Low, out.High = marks.get("low").amount(), marks.get("high").amount()
	}
	out.fallback = c.at("onMissing", "replicas").integer()
	described := source.get("describedObject")
	out.identity = strings.Join([]string{out.Type, out.Name, out.Container, described.get("kind").text(), described.get("name").text(),
		out.selector.String(), source.at("prometheus", "query").text()}, " ")
	return out
}

// String is empty where there is no selector.
func (s selectorFacts) String() string {
	if s.Selector == nil {
		return ""
	}
	return s.Selector.String()
}

// metricV2beta1 reads a metric of autoscaling/v2beta1, which names its
// quantities after their target.
func metricV2beta1(c cursor) Metric {
	out := Metric{Path: c.path, Type: c.get("type").text()}
	source := c.get(sourceFields[out.Type])
	out.targetAt, out.Name, out.Container = source.path, source.get("name").text(), source.get("container").text()
	if name := source.get("metricName"); name.there() {
		out.Name = name.text()
	}
	out.Utilization = source.get("targetAverageUtilization").integer()
	out.Average, out.Value = source.get("targetAverageValue").amount(), source.get("targetValue").amount()
	out.identity = strings.Join([]string{out.Type, out.Name, out.Container, source.at("target", "name").text(), selectorText(source)}, " ")
	return out
}

func selectorText(source cursor) string {
	for _, field := range []string{"selector", "metricSelector"} {
		if s := selectorOf(source.get(field)); s != nil {
			return s.String()
		}
	}
	return ""
}
