package convert

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/checks/draw"
)

// TestRoundTrip checks that an HPA survives the way here and back whole: an
// object can be moved, tried and moved back.
func TestRoundTrip(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		in := autoscalingv2.HorizontalPodAutoscaler{
			TypeMeta:   metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
			ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop", Labels: map[string]string{"a": "b"}, Annotations: map[string]string{"x.y/z": "1"}},
			Spec:       hpaSpecs().Draw(t, "spec"),
		}
		there := through(t, in)
		back := through(t, there.Object)
		if diff := cmp.Diff(&in, back.Object, sameAmount); diff != "" {
			t.Fatalf("HPA (-before +after):\n%s", diff)
		}
		for _, f := range append(there.Report.Fields, back.Report.Fields...) {
			if f.Fate == NotCarried && f.Path != "status" && f.Path != "metadata.creationTimestamp" {
				t.Fatalf("not carried: %+v", f)
			}
		}
	})
}

// TestOlderVersionsMeanTheSame says one HPA in the words of each version that
// can: what comes out is the same.
func TestOlderVersionsMeanTheSame(t *testing.T) {
	draw.Check(t, func(t *rapid.T) {
		in := autoscalingv2.HorizontalPodAutoscaler{
			TypeMeta: metav1.TypeMeta{APIVersion: "autoscaling/v2", Kind: "HorizontalPodAutoscaler"},
			Spec:     hpaSpecs().Draw(t, "spec"),
		}
		if b := in.Spec.Behavior; b != nil {
			for _, rules := range []*autoscalingv2.HPAScalingRules{b.ScaleUp, b.ScaleDown} {
				if rules != nil {
					rules.Tolerance = nil
				}
			}
		}
		want := through(t, in).Object.(*v1alpha1.WorkloadAutoscaler).Spec
		in.APIVersion = "autoscaling/v2beta2"
		if diff := cmp.Diff(want, through(t, in).Object.(*v1alpha1.WorkloadAutoscaler).Spec, sameAmount); diff != "" {
			t.Fatalf("autoscaling/v2beta2 (-want +got):\n%s", diff)
		}
		want.Behavior = nil
		if diff := cmp.Diff(want, through(t, flat(&in)).Object.(*v1alpha1.WorkloadAutoscaler).Spec, sameAmount); diff != "" {
			t.Fatalf("autoscaling/v2beta1 (-want +got):\n%s", diff)
		}
	})
}

var sameAmount = cmp.Comparer(func(a, b resource.Quantity) bool { return a.Cmp(b) == 0 })

// flat says an HPA as autoscaling/v2beta1 does, without its behavior.
func flat(in *autoscalingv2.HorizontalPodAutoscaler) map[string]any {
	var metrics []any
	for _, m := range in.Spec.Metrics {
		out := map[string]any{"type": m.Type}
		id := func(metric autoscalingv2.MetricIdentifier, selector string) map[string]any {
			return map[string]any{"metricName": metric.Name, selector: metric.Selector}
		}
		ofPods := func(fields map[string]any, target autoscalingv2.MetricTarget) map[string]any {
			fields["targetAverageValue"], fields["targetAverageUtilization"] = target.AverageValue, target.AverageUtilization
			return fields
		}
		switch {
		case m.Resource != nil:
			out["resource"] = ofPods(map[string]any{"name": m.Resource.Name}, m.Resource.Target)
		case m.ContainerResource != nil:
			out["containerResource"] = ofPods(map[string]any{"name": m.ContainerResource.Name, "container": m.ContainerResource.Container}, m.ContainerResource.Target)
		case m.Pods != nil:
			out["pods"] = id(m.Pods.Metric, "selector")
			out["pods"].(map[string]any)["targetAverageValue"] = m.Pods.Target.AverageValue
		case m.Object != nil:
			o := id(m.Object.Metric, "selector")
			o["target"], o["averageValue"], o["targetValue"] = m.Object.DescribedObject, m.Object.Target.AverageValue, m.Object.Target.Value
			if m.Object.Target.Value == nil {
				o["targetValue"] = "0"
			}
			out["object"] = o
		case m.External != nil:
			e := id(m.External.Metric, "metricSelector")
			e["targetValue"], e["targetAverageValue"] = m.External.Target.Value, m.External.Target.AverageValue
			out["external"] = e
		}
		metrics = append(metrics, out)
	}
	return map[string]any{"apiVersion": "autoscaling/v2beta1", "kind": "HorizontalPodAutoscaler", "spec": map[string]any{
		"scaleTargetRef": in.Spec.ScaleTargetRef, "minReplicas": in.Spec.MinReplicas, "maxReplicas": in.Spec.MaxReplicas, "metrics": metrics,
	}}
}

func through(t *rapid.T, object any) Result {
	text, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	result, err := Convert(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return result
}

func hpaSpecs() *rapid.Generator[autoscalingv2.HorizontalPodAutoscalerSpec] {
	return rapid.Custom(func(t *rapid.T) autoscalingv2.HorizontalPodAutoscalerSpec {
		spec := autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "StatefulSet", Name: "web"},
			MaxReplicas:    rapid.Int32Range(5, 1000).Draw(t, "max"),
			MinReplicas:    rapid.Ptr(rapid.Int32Range(1, 5), true).Draw(t, "min"),
			Metrics:        rapid.SliceOfN(metricSpecs(), 0, 4).Draw(t, "metrics"),
		}
		if len(spec.Metrics) == 0 {
			spec.Metrics = nil
		}
		for _, m := range spec.Metrics {
			if m.External != nil && rapid.Bool().Draw(t, "zero") {
				spec.MinReplicas = new(int32(0))
			}
		}
		if rapid.Bool().Draw(t, "behavior") {
			spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{
				ScaleUp: rapid.Ptr(scalingRules(), true).Draw(t, "up"), ScaleDown: rapid.Ptr(scalingRules(), true).Draw(t, "down"),
			}
		}
		return spec
	})
}

func scalingRules() *rapid.Generator[autoscalingv2.HPAScalingRules] {
	return rapid.Custom(func(t *rapid.T) autoscalingv2.HPAScalingRules {
		out := autoscalingv2.HPAScalingRules{
			StabilizationWindowSeconds: rapid.Ptr(rapid.Int32Range(0, 3600), true).Draw(t, "window"),
			SelectPolicy:               rapid.Ptr(rapid.SampledFrom([]autoscalingv2.ScalingPolicySelect{"Max", "Min", "Disabled"}), true).Draw(t, "select"),
			Tolerance:                  rapid.Ptr(amounts(0), true).Draw(t, "tolerance"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "policies") {
			out.Policies = append(out.Policies, autoscalingv2.HPAScalingPolicy{
				Type:  rapid.SampledFrom([]autoscalingv2.HPAScalingPolicyType{"Pods", "Percent"}).Draw(t, "type"),
				Value: rapid.Int32Range(1, 500).Draw(t, "value"), PeriodSeconds: rapid.Int32Range(1, 1800).Draw(t, "period"),
			})
		}
		return out
	})
}

// amounts are quantities in all the ways of writing one.
func amounts(least int) *rapid.Generator[resource.Quantity] {
	return rapid.Custom(func(t *rapid.T) resource.Quantity {
		suffix := rapid.SampledFrom([]string{"", "m", "k", "Mi"}).Draw(t, "suffix")
		return resource.MustParse(fmt.Sprintf("%d%s", rapid.IntRange(least, 900).Draw(t, "amount"), suffix))
	}).Filter(func(q resource.Quantity) bool { return q.Value() <= 1_000_000 || least > 0 })
}

func metricSpecs() *rapid.Generator[autoscalingv2.MetricSpec] {
	return rapid.Custom(func(t *rapid.T) autoscalingv2.MetricSpec {
		value := rapid.Ptr(amounts(1), false).Draw(t, "value")
		percent := rapid.Ptr(rapid.Int32Range(1, 300), false).Draw(t, "percent")
		ofPods := rapid.SampledFrom([]autoscalingv2.MetricTarget{targetV2(nil, value, nil), targetV2(nil, nil, percent)}).Draw(t, "of pods")
		ofTotal := rapid.SampledFrom([]autoscalingv2.MetricTarget{targetV2(value, nil, nil), targetV2(nil, value, nil)}).Draw(t, "of total")
		id := autoscalingv2.MetricIdentifier{Name: "m"}
		if rapid.Bool().Draw(t, "selector") {
			id.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"},
				MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "c", Operator: "In", Values: []string{"d"}}}}
		}
		name := coreResource(rapid.SampledFrom([]string{"cpu", "memory"}).Draw(t, "resource"))
		return rapid.SampledFrom([]autoscalingv2.MetricSpec{
			{Type: "Resource", Resource: &autoscalingv2.ResourceMetricSource{Name: name, Target: ofPods}},
			{Type: "ContainerResource", ContainerResource: &autoscalingv2.ContainerResourceMetricSource{Name: name, Container: "app", Target: ofPods}},
			{Type: "Pods", Pods: &autoscalingv2.PodsMetricSource{Metric: id, Target: targetV2(nil, value, nil)}},
			{Type: "Object", Object: &autoscalingv2.ObjectMetricSource{DescribedObject: autoscalingv2.CrossVersionObjectReference{Kind: "Service", Name: "s"}, Metric: id, Target: ofTotal}},
			{Type: "External", External: &autoscalingv2.ExternalMetricSource{Metric: id, Target: ofTotal}},
		}).Draw(t, "metric")
	})
}
