package convert

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
)

type hpav1 struct {
	header
	Spec autoscalingv1.HorizontalPodAutoscalerSpec `json:"spec"`
}

// The annotations in which autoscaling/v1 keeps what it has no fields for.
const (
	v1Annotations     = "autoscaling.alpha.kubernetes.io/"
	v1Metrics         = v1Annotations + "metrics"
	v1Behavior        = v1Annotations + "behavior"
	v1ToleranceUp     = v1Annotations + "scale-up-tolerance"
	v1ToleranceDown   = v1Annotations + "scale-down-tolerance"
	v1Conditions      = v1Annotations + "conditions"
	v1CurrentMetrics  = v1Annotations + "current-metrics"
	v1StatusReason    = "is status that autoscaling/v1 keeps in an annotation"
	longestAnnotation = 256 << 10
)

// fromHPAv1 converts a HorizontalPodAutoscaler of autoscaling/v1.
func fromHPAv1(d *draft) fault.List {
	var in hpav1
	if faults := d.decode(&in); len(faults) > 0 {
		return faults
	}
	d.head(in.header)
	ref := in.Spec.ScaleTargetRef
	faults := d.target("spec.scaleTargetRef", reference{APIVersion: ref.APIVersion, Kind: ref.Kind, Name: ref.Name})
	d.asHPA()
	d.bounds("spec", in.Spec.MinReplicas, in.Spec.MaxReplicas)
	if percent := in.Spec.TargetCPUUtilizationPercentage; percent != nil {
		const from = "spec.targetCPUUtilizationPercentage"
		d.metric(from, utilization("cpu", percent))
		d.carry(from, "spec.metrics[0].resource.target.averageUtilization")
	}
	for _, key := range []string{v1Conditions, v1CurrentMetrics} {
		d.understood(key)
		d.leave(annotation(key), v1StatusReason)
	}
	faults = append(faults, d.v1Metrics(in.Metadata.Annotations[v1Metrics])...)
	return append(faults, d.v1Behavior(in.Metadata.Annotations)...)
}

func utilization(name string, percent *int32) *autoscalingv2.MetricSpec {
	return &autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
		Name:   coreResource(name),
		Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: percent},
	}}
}

// v1Metrics reads the metrics beside CPU, which stand in an annotation.
func (d *draft) v1Metrics(text string) fault.List {
	if text == "" {
		return nil
	}
	from := annotation(v1Metrics)
	var wrapped struct {
		Metrics []autoscalingv1.MetricSpec `json:"metrics"`
	}
	if len(text) > longestAnnotation {
		return fault.List{{Path: from, Message: "is longer than an annotation may be"}}
	}
	tree, err := parse([]byte(`{"metrics":` + text + `}`))
	if err != nil {
		return fault.List{{Path: from, Message: "must be a list of metrics in JSON"}}
	}
	if faults := d.decodeTree(tree, from, &wrapped); len(faults) > 0 {
		return fault.List{{Path: from, Message: "must be a list of metrics in JSON: " + faults[0].String()}}
	}
	d.understood(v1Metrics)
	for i := range wrapped.Metrics {
		d.flatMetric(from.Index(i), &wrapped.Metrics[i])
	}
	d.carry(from, "spec.metrics")
	return nil
}

// v1Behavior reads the behavior and the tolerances from their annotations.
func (d *draft) v1Behavior(annotations map[string]string) fault.List {
	in, faults := d.v1Rules(annotations[v1Behavior])
	for _, direction := range []struct {
		key   string
		rules **autoscalingv2.HPAScalingRules
	}{{v1ToleranceUp, &in.ScaleUp}, {v1ToleranceDown, &in.ScaleDown}} {
		text, ok := annotations[direction.key]
		if !ok {
			continue
		}
		tolerance := quantityOf(text)
		if tolerance == nil {
			faults.Add(annotation(direction.key), "must be a quantity such as 100m")
			continue
		}
		if *direction.rules == nil {
			*direction.rules = &autoscalingv2.HPAScalingRules{}
		}
		(*direction.rules).Tolerance = tolerance
		d.understood(direction.key)
		d.carry(annotation(direction.key), "spec.behavior")
	}
	if annotations[v1Behavior] != "" || in.ScaleUp != nil || in.ScaleDown != nil {
		d.out.Spec.Behavior = d.hpaBehavior(annotation(v1Behavior), &in)
	}
	return faults
}

// v1Rules reads the annotation with the behavior, whose field names start
// with capitals.
func (d *draft) v1Rules(text string) (autoscalingv2.HorizontalPodAutoscalerBehavior, fault.List) {
	var out autoscalingv2.HorizontalPodAutoscalerBehavior
	if text == "" {
		return out, nil
	}
	from := annotation(v1Behavior)
	d.understood(v1Behavior)
	tree, err := parse([]byte(text))
	if err != nil || len(text) > longestAnnotation {
		return out, fault.List{{Path: from, Message: "must be a behavior in JSON"}}
	}
	small, _ := startSmall(tree).(map[string]any)
	if faults := d.decodeTree(small, from, &out); len(faults) > 0 {
		return out, fault.List{{Path: from, Message: "must be a behavior in JSON: " + faults[0].String()}}
	}
	return out, nil
}

// startSmall lets every key start with a small letter.
func startSmall(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key != "" {
				out[strings.ToLower(key[:1])+key[1:]] = startSmall(v[key])
			}
		}
		return out
	case []any:
		for i := range v {
			v[i] = startSmall(v[i])
		}
	}
	return value
}

// quantityOf reads a text as a quantity, nil where it is none.
func quantityOf(text string) *resource.Quantity {
	document, err := json.Marshal(map[string]string{"value": text})
	if err != nil {
		return nil
	}
	var read struct {
		Value *resource.Quantity `json:"value"`
	}
	if len(strict.Unmarshal(document, &read)) > 0 {
		return nil
	}
	return read.Value
}
