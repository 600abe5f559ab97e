package proof

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/strict"
)

// node is a part of a document as it was written.
type node = map[string]any

// hpa is what every version of a HorizontalPodAutoscaler has, with its metrics
// as they stand.
type hpa struct {
	Metadata struct {
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	Spec struct {
		MinReplicas *int32          `json:"minReplicas"`
		MaxReplicas int32           `json:"maxReplicas"`
		Metrics     []node          `json:"metrics"`
		Behavior    json.RawMessage `json:"behavior"`
		Percent     *int32          `json:"targetCPUUtilizationPercentage"`
	} `json:"spec"`

	// from are the places of the metrics, where they are not those of spec.metrics.
	from []fault.Path
}

// specOfV2 reads an HPA of autoscaling/v2 or v2beta2.
func specOfV2(document []byte) (rules, error) {
	var in struct {
		Spec json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(document, &in); err != nil {
		return rules{}, err
	}
	return fromV2(in.Spec)
}

// fromV2 reads the spec of autoscaling/v2. Its metrics and behavior are ours
// as they stand, except that an HPA goes by the number of a target and not by
// its type.
func fromV2(spec []byte) (rules, error) {
	var in hpa
	if err := json.Unmarshal(spec, &in.Spec); err != nil {
		return rules{}, err
	}
	for _, metric := range in.Spec.Metrics {
		for _, source := range metric {
			if fields, ok := source.(node); ok {
				byNumber(fields)
			}
		}
		proposed(metric)
	}
	return in.spec()
}

// proposed has an external metric that fails for long enough stand for a count, as
// KEP-5679 proposes it.
func proposed(metric node) {
	const after = 180 // unless stated, in seconds
	external, _ := metric["external"].(node)
	fallback, _ := external["fallback"].(node)
	if fallback["replicas"] == nil {
		return // nobody accepts one without a count
	}
	delete(external, "fallback")
	metric["onMissing"] = node{
		"behavior": "Static", "replicas": fallback["replicas"], "afterSeconds": cmp.Or[any](fallback["failureDurationSeconds"], after),
	}
}

// byNumber leaves a target the number that counts.
func byNumber(source node) {
	target, ok := source["target"].(node)
	if !ok {
		return
	}
	if target["value"] != nil && target["averageValue"] != nil {
		if target["type"] == "AverageValue" {
			delete(target, "value")
		} else {
			delete(target, "averageValue")
		}
	}
	delete(target, "type")
}

// spec puts the parts together.
func (in *hpa) spec() (rules, error) {
	whole := node{
		"compatibility": "HPA", "metrics": in.Spec.Metrics,
		"replicas": node{"min": in.Spec.MinReplicas, "max": in.Spec.MaxReplicas},
	}
	if len(in.Spec.Behavior) > 0 {
		whole["behavior"] = in.Spec.Behavior
	}
	text, err := json.Marshal(whole)
	if err != nil {
		return rules{}, err
	}
	out := rules{from: in.from}
	return out, strict.Unmarshal(text, &out.spec).Err()
}

// The annotations in which autoscaling/v1 keeps what it has no fields for.
const alpha = "autoscaling.alpha.kubernetes.io/"

// specOfV2beta1 reads an HPA of autoscaling/v2beta1, which has no percentage of its
// own: its API server drops one.
func specOfV2beta1(document []byte) (rules, error) {
	var in hpa
	if err := json.Unmarshal(document, &in); err != nil {
		return rules{}, err
	}
	return in.flat()
}

// specOfV1 reads an HPA of autoscaling/v1.
func specOfV1(document []byte) (rules, error) {
	var in hpa
	if err := json.Unmarshal(document, &in); err != nil {
		return rules{}, err
	}
	in.Spec.Metrics = nil
	if text := in.Metadata.Annotations[alpha+"metrics"]; text != "" {
		if err := json.Unmarshal([]byte(text), &in.Spec.Metrics); err != nil {
			return rules{}, fmt.Errorf("reading the annotation with the metrics: %w", err)
		}
	}
	for i := range in.Spec.Metrics {
		in.from = append(in.from, fault.Path("metadata.annotations").Key(alpha+"metrics").Index(i))
	}
	if in.Spec.Percent != nil {
		in.from = append(in.from, "spec.targetCPUUtilizationPercentage")
	}
	return in.flat()
}

// flat says the metrics and the behavior as autoscaling/v2 does.
func (in *hpa) flat() (rules, error) {
	for _, metric := range in.Spec.Metrics {
		nest(metric)
	}
	if n := len(in.from); n > len(in.Spec.Metrics) {
		in.Spec.Metrics = append(in.Spec.Metrics, ofResource("", "cpu", node{"averageUtilization": *in.Spec.Percent}))
	}
	err := in.readBehavior()
	spec, invalid := in.spec()
	return spec, errors.Join(err, invalid)
}

// readBehavior reads the annotations with the behavior and the tolerances.
func (in *hpa) readBehavior() error {
	var behavior autoscalingv2.HorizontalPodAutoscalerBehavior
	notes, found := in.Metadata.Annotations, false
	if text := notes[alpha+"behavior"]; text != "" {
		found = true
		// Go's reader does not mind that the names start with capitals.
		if err := json.Unmarshal([]byte(text), &behavior); err != nil {
			return fmt.Errorf("reading the annotation with the behavior: %w", err)
		}
	}
	for key, rules := range map[string]**autoscalingv2.HPAScalingRules{"scale-up-tolerance": &behavior.ScaleUp, "scale-down-tolerance": &behavior.ScaleDown} {
		if text := notes[alpha+key]; text != "" {
			found = true
			tolerance, err := resource.ParseQuantity(text)
			if err != nil {
				return fmt.Errorf("reading the annotation %s: %w", key, err)
			}
			*rules = cmp.Or(*rules, &autoscalingv2.HPAScalingRules{})
			(*rules).Tolerance = &tolerance
		}
	}
	if !found {
		return nil
	}
	var err error
	in.Spec.Behavior, err = json.Marshal(behavior)
	return err
}

// nest says a flat metric as autoscaling/v2 does.
func nest(metric node) {
	for name, source := range metric {
		s, ok := source.(node)
		if !ok {
			continue
		}
		id := node{"name": s["metricName"], "selector": cmp.Or(asNode(s["selector"]), asNode(s["metricSelector"]))}
		target := node{"averageValue": s["targetAverageValue"]}
		switch strings.ToLower(name) {
		case "resource", "containerresource":
			target["averageUtilization"] = s["targetAverageUtilization"]
			metric[name] = node{"name": s["name"], "target": target}
			if s["container"] != nil {
				metric[name].(node)["container"] = s["container"]
			}
		case "pods":
			metric[name] = node{"metric": id, "target": target}
		case "object":
			target = node{"averageValue": s["averageValue"]}
			if s["averageValue"] == nil {
				target = node{"value": s["targetValue"]}
			}
			metric[name] = node{"describedObject": s["target"], "metric": id, "target": target}
		case "external":
			target["value"] = s["targetValue"]
			metric[name] = node{"metric": id, "target": target}
		}
	}
}

// ofResource is a metric of a resource, of one container where one is named.
func ofResource(container, name string, target node) node {
	if container != "" {
		return node{"type": "ContainerResource", "containerResource": node{"container": container, "name": name, "target": target}}
	}
	return node{"type": "Resource", "resource": node{"name": name, "target": target}}
}

// specOfZcloud reads zcloud's resource.
func specOfZcloud(document []byte) (rules, error) {
	var in convert.ZcloudHPA
	if err := json.Unmarshal(document, &in); err != nil {
		return rules{}, err
	}
	var out hpa
	out.Spec.MinReplicas, out.Spec.MaxReplicas = in.MinReplicas, in.MaxReplicas
	for i, m := range in.ResourceMetrics {
		target := node{"averageValue": m.AverageValue}
		if m.TargetType == "Utilization" {
			target = node{"averageUtilization": m.AverageUtilization}
		}
		out.from = append(out.from, fault.Path("resourceMetrics").Index(i))
		out.Spec.Metrics = append(out.Spec.Metrics, ofResource("", m.ResourceName, target))
	}
	for i, m := range in.CustomMetrics {
		out.from = append(out.from, fault.Path("customMetrics").Index(i))
		out.Spec.Metrics = append(out.Spec.Metrics, node{"type": "Pods",
			"pods": node{"metric": node{"name": m.MetricName}, "target": node{"averageValue": m.AverageValue}}})
	}
	return out.spec()
}

func asNode(value any) *node {
	if n, ok := value.(node); ok {
		return &n
	}
	return nil
}
