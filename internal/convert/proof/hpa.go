package proof

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
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
}

// specOfV2 reads an HPA of autoscaling/v2 or v2beta2.
func specOfV2(document []byte) (v1alpha1.WorkloadAutoscalerSpec, error) {
	var in struct {
		Spec json.RawMessage `json:"spec"`
	}
	if err := json.Unmarshal(document, &in); err != nil {
		return v1alpha1.WorkloadAutoscalerSpec{}, err
	}
	return fromV2(in.Spec)
}

// fromV2 reads the spec of autoscaling/v2. Its metrics and behavior are ours
// as they stand, except that an HPA goes by the number of a target and not by
// its type.
func fromV2(spec []byte) (v1alpha1.WorkloadAutoscalerSpec, error) {
	var in hpa
	if err := json.Unmarshal(spec, &in.Spec); err != nil {
		return v1alpha1.WorkloadAutoscalerSpec{}, err
	}
	for _, metric := range in.Spec.Metrics {
		for _, source := range metric {
			if fields, ok := source.(node); ok {
				byNumber(fields)
			}
		}
	}
	return in.spec()
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
func (in *hpa) spec() (v1alpha1.WorkloadAutoscalerSpec, error) {
	whole := node{
		"compatibility": "HPA", "metrics": in.Spec.Metrics,
		"replicas": node{"min": in.Spec.MinReplicas, "max": in.Spec.MaxReplicas},
	}
	if len(in.Spec.Behavior) > 0 {
		whole["behavior"] = in.Spec.Behavior
	}
	text, err := json.Marshal(whole)
	if err != nil {
		return v1alpha1.WorkloadAutoscalerSpec{}, err
	}
	var out v1alpha1.WorkloadAutoscalerSpec
	return out, strict.Unmarshal(text, &out).Err()
}

// The annotations in which autoscaling/v1 keeps what it has no fields for.
const alpha = "autoscaling.alpha.kubernetes.io/"

// specOfFlat reads an HPA of autoscaling/v2beta1 or v1.
func specOfFlat(document []byte) (v1alpha1.WorkloadAutoscalerSpec, error) {
	var in hpa
	if err := json.Unmarshal(document, &in); err != nil {
		return v1alpha1.WorkloadAutoscalerSpec{}, err
	}
	if text := in.Metadata.Annotations[alpha+"metrics"]; text != "" {
		if err := json.Unmarshal([]byte(text), &in.Spec.Metrics); err != nil {
			return v1alpha1.WorkloadAutoscalerSpec{}, fmt.Errorf("reading the annotation with the metrics: %w", err)
		}
	}
	for _, metric := range in.Spec.Metrics {
		nest(metric)
	}
	if in.Spec.Percent != nil {
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
func specOfZcloud(document []byte) (v1alpha1.WorkloadAutoscalerSpec, error) {
	var in convert.ZcloudHPA
	if err := json.Unmarshal(document, &in); err != nil {
		return v1alpha1.WorkloadAutoscalerSpec{}, err
	}
	var out hpa
	out.Spec.MinReplicas, out.Spec.MaxReplicas = in.MinReplicas, in.MaxReplicas
	for _, m := range in.ResourceMetrics {
		target := node{"averageValue": m.AverageValue}
		if m.TargetType == "Utilization" {
			target = node{"averageUtilization": m.AverageUtilization}
		}
		out.Spec.Metrics = append(out.Spec.Metrics, ofResource("", m.ResourceName, target))
	}
	for _, m := range in.CustomMetrics {
		out.Spec.Metrics = append(out.Spec.Metrics, node{"type": "Pods",
			"pods": node{"metric": node{"name": m.MetricName}, "target": node{"averageValue": m.AverageValue}}})
	}
	return out.spec()
}

// specOfKEDA reads the HPA that KEDA makes of a ScaledObject. KEDA itself goes
// between 0 and 1, so the HPA's minimum is never 0; and what KEDA measures
// itself is left out, because nobody but KEDA knows it.
func specOfKEDA(document []byte) (v1alpha1.WorkloadAutoscalerSpec, error) {
	var in struct {
		Spec struct {
			MinReplicaCount *int32 `json:"minReplicaCount"`
			MaxReplicaCount *int32 `json:"maxReplicaCount"`
			Advanced        struct {
				Config struct {
					Behavior json.RawMessage `json:"behavior"`
				} `json:"horizontalPodAutoscalerConfig"`
			} `json:"advanced"`
			Triggers []struct {
				Type       string            `json:"type"`
				Metadata   map[string]string `json:"metadata"`
				MetricType string            `json:"metricType"`
			} `json:"triggers"`
		} `json:"spec"`
	}
	if err := json.Unmarshal(document, &in); err != nil {
		return v1alpha1.WorkloadAutoscalerSpec{}, err
	}
	var out hpa
	const most = 100
	out.Spec.MinReplicas, out.Spec.MaxReplicas = new(max(1, *cmp.Or(in.Spec.MinReplicaCount, new(int32(0))))), *cmp.Or(in.Spec.MaxReplicaCount, new(int32(most)))
	out.Spec.Behavior = in.Spec.Advanced.Config.Behavior
	for _, t := range in.Spec.Triggers {
		if t.Type != "cpu" && t.Type != "memory" {
			continue
		}
		target := node{"averageValue": t.Metadata["value"]}
		if cmp.Or(t.MetricType, t.Metadata["type"], "Utilization") == "Utilization" {
			percent, err := strconv.ParseInt(t.Metadata["value"], 10, 32)
			if err != nil {
				return v1alpha1.WorkloadAutoscalerSpec{}, fmt.Errorf("a trigger on %s has no percentage", t.Type)
			}
			target = node{"averageUtilization": percent}
		}
		out.Spec.Metrics = append(out.Spec.Metrics, ofResource(t.Metadata["containerName"], t.Type, target))
	}
	if len(out.Spec.Metrics) == 0 {
		return v1alpha1.WorkloadAutoscalerSpec{}, errors.New("KEDA measures every trigger itself, so that only KEDA knows what the HPA is told")
	}
	return out.spec()
}

func asNode(value any) *node {
	if n, ok := value.(node); ok {
		return &n
	}
	return nil
}
