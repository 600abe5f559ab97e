//go:build e2e

package e2e

import (
	"strings"
	"testing"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/manifest"
)

// TestTheBuilderRefusesWhatTheAPIServerRefuses compares the two on HPAs of every
// kind, right and wrong. What the one refuses the other refuses too, but for what is
// named here.
func TestTheBuilderRefusesWhatTheAPIServerRefuses(t *testing.T) {
	beside(t)
	p := newPlace(t)
	const tries = 600
	older, err := world.Older()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for seed := range tries {
		a := rapid.Custom(anyAutoscaler).Example(seed)
		a.Name, a.Namespace = "web", p.name
		hpa, refusedByUs := a.HorizontalPodAutoscaler()
		if refusedByUs != nil {
			hpa = plainHPA(a)
		}
		refusedByThem := world.Create(t.Context(), hpa, client.DryRunAll)
		if refusedByThem != nil && !apierrors.IsInvalid(refusedByThem) {
			t.Fatal(refusedByThem)
		}
		switch {
		case refusedByUs == nil && refusedByThem == nil:
			seen["accepted"]++
		case refusedByUs != nil && refusedByThem != nil:
			seen["refused"]++
		case refusedByUs == nil && warnsOfZero(a):
			seen["a minimum of 0 depends on the version and its gates, so it is a warning"]++
		case refusedByUs == nil:
			t.Errorf("seed %d: the API server refuses what we accept: %v", seed, refusedByThem)
		default:
			why := deviation(a)
			if why == "" && older != "" && (belowZero(a.ScaleUp) || belowZero(a.ScaleDown)) {
				why = "without its gate, which is off before 1.34, a tolerance is left out"
			}
			seen[why]++
			if why == "" {
				t.Errorf("seed %d: the API server accepts what we refuse: %v", seed, refusedByUs)
			}
		}
	}
	t.Logf("of %d: %v", tries, seen)
	if seen["accepted"] < tries/5 || seen["refused"] < tries/5 {
		t.Errorf("too few of either kind were tried: %v", seen)
	}
}

// warnsOfZero tells whether we say that some clusters refuse a minimum of 0.
func warnsOfZero(a manifest.Autoscaler) bool {
	return a.MinReplicas != nil && *a.MinReplicas == 0 && strings.Contains(a.Warnings(manifest.HorizontalPodAutoscaler).Error(), "HPAScaleToZero")
}

// belowZero tells whether a tolerance is.
func belowZero(r *manifest.Rules) bool {
	return r != nil && r.Tolerance != nil && r.Tolerance.Sign() < 0
}

// deviation is why we refuse an HPA that the API server takes. Empty is no
// reason.
func deviation(a manifest.Autoscaler) string {
	down, up := a.ScaleDown, a.ScaleUp
	if down != nil && up != nil && down.SelectPolicy == v1alpha1.SelectDisabled && up.SelectPolicy == v1alpha1.SelectDisabled {
		return "both directions are disabled, so it could never do anything"
	}
	if len(a.Metrics) == 2 && a.Metrics[0].Type == a.Metrics[1].Type && a.Metrics[0].Name == a.Metrics[1].Name {
		return "of two goals for one metric the stricter one always wins"
	}
	return ""
}

func anyAutoscaler(t *rapid.T) manifest.Autoscaler {
	return manifest.Autoscaler{
		Target:            manifest.Reference("apps/v1", "Deployment", "web"),
		MinReplicas:       maybe(t, []int32{1, 2}, 0, 11, -1),
		MaxReplicas:       mostly(t, []int32{10, 2}, 0, 1, -1),
		Metrics:           rapid.SliceOfN(rapid.Custom(anyMetric), 0, 2).Draw(t, "metrics"),
		ScaleUpPolicies:   anyPolicies(t),
		ScaleDownPolicies: anyPolicies(t),
		ScaleUp:           anyRules(t),
		ScaleDown:         anyRules(t),
	}
}

func anyMetric(t *rapid.T) manifest.Metric {
	service := v1alpha1.ObjectReference{Kind: "Service", Name: "web"}
	half, average, whole := manifest.Utilization(50), manifest.AverageValue("100m"), manifest.Value("1k")
	wrong := mostly(t, []manifest.Goal{half, average, whole}, manifest.AverageValue("0"), manifest.Value("-1"), manifest.Utilization(0), manifest.Goal{})
	return mostly(t, []manifest.Metric{
		manifest.Resource("cpu", half), manifest.Resource("memory", average), manifest.ContainerResource("app", "memory", half),
		manifest.Pods("tps", average), manifest.External("queue", average), manifest.External("a", whole), manifest.Object(service, "hits", average),
		manifest.Object(service, "lag", whole),
	},
		manifest.Resource("cpu", wrong), manifest.Resource("", wrong), manifest.ContainerResource("app", "memory", wrong),
		manifest.ContainerResource("", "cpu", half),
		manifest.Pods("tps", wrong), manifest.Pods("", average), manifest.External("queue", wrong), manifest.External("a/b", whole),
		manifest.Object(service, "hits", wrong), manifest.Object(v1alpha1.ObjectReference{Kind: "Service"}, "hits", average),
	)
}

func anyPolicies(t *rapid.T) []manifest.Policy {
	return mostly(t, [][]manifest.Policy{nil, nil, {manifest.PodsPer(4, 60)}, {manifest.PercentPer(10, 1800), manifest.PodsPer(1, 1)}},
		[]manifest.Policy{manifest.PodsPer(0, 1)}, []manifest.Policy{manifest.PercentPer(1, 1801)}, []manifest.Policy{manifest.PodsPer(1, 0)})
}

func anyRules(t *rapid.T) *manifest.Rules {
	if rapid.Bool().Draw(t, "no rules") {
		return nil
	}
	return &manifest.Rules{
		StabilizationWindowSeconds: maybe(t, []int32{0, 60, 3600}, 3601, -1),
		SelectPolicy:               mostly(t, []v1alpha1.SelectPolicy{"", "Max", "Min", "Disabled"}, "Other"),
		Tolerance:                  mostly(t, []*resource.Quantity{nil, amount("0"), amount("0.05"), amount("2")}, amount("-0.1")),
	}
}

// mostly is one of the right values, and sometimes a wrong one.
func mostly[T any](t *rapid.T, right []T, wrong ...T) T {
	if rapid.IntRange(0, 15).Draw(t, "wrong") == 0 {
		return rapid.SampledFrom(wrong).Draw(t, "wrong")
	}
	return rapid.SampledFrom(right).Draw(t, "right")
}

// maybe is such a number, or, as often as not, none.
func maybe(t *rapid.T, right []int32, wrong ...int32) *int32 {
	if rapid.Bool().Draw(t, "none") {
		return nil
	}
	return new(mostly(t, right, wrong...))
}

func amount(text string) *resource.Quantity { return new(resource.MustParse(text)) }

// plainHPA writes an autoscaler down as it is, without any check.
func plainHPA(a manifest.Autoscaler) *autoscalingv2.HorizontalPodAutoscaler {
	out := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: a.Namespace, Name: a.Name}}
	out.Spec.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{APIVersion: a.Target.APIVersion, Kind: a.Target.Kind, Name: a.Target.Name}
	out.Spec.MinReplicas, out.Spec.MaxReplicas = a.MinReplicas, a.MaxReplicas
	for _, m := range a.Metrics {
		out.Spec.Metrics = append(out.Spec.Metrics, plainMetric(m))
	}
	up, down := plainRules(a.ScaleUp, a.ScaleUpPolicies), plainRules(a.ScaleDown, a.ScaleDownPolicies)
	if up != nil || down != nil {
		out.Spec.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: up, ScaleDown: down}
	}
	return out
}

func plainMetric(m manifest.Metric) autoscalingv2.MetricSpec {
	target := autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: m.Value, AverageValue: m.AverageValue,
		AverageUtilization: m.AverageUtilization}
	switch {
	case m.AverageUtilization != nil:
		target.Type = autoscalingv2.UtilizationMetricType
	case m.AverageValue != nil:
		target.Type = autoscalingv2.AverageValueMetricType
	}
	id, out := autoscalingv2.MetricIdentifier{Name: m.Name, Selector: m.Selector}, autoscalingv2.MetricSpec{Type: autoscalingv2.MetricSourceType(m.Type)}
	switch m.Type {
	case v1alpha1.ResourceMetricType:
		out.Resource = &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceName(m.Name), Target: target}
	case v1alpha1.ContainerResourceMetricType:
		out.ContainerResource = &autoscalingv2.ContainerResourceMetricSource{Name: corev1.ResourceName(m.Name), Container: m.Container, Target: target}
	case v1alpha1.PodsMetricType:
		out.Pods = &autoscalingv2.PodsMetricSource{Metric: id, Target: target}
	case v1alpha1.ObjectMetricType:
		of := autoscalingv2.CrossVersionObjectReference{APIVersion: m.DescribedObject.APIVersion, Kind: m.DescribedObject.Kind, Name: m.DescribedObject.Name}
		out.Object = &autoscalingv2.ObjectMetricSource{DescribedObject: of, Metric: id, Target: target}
	case v1alpha1.ExternalMetricType:
		out.External = &autoscalingv2.ExternalMetricSource{Metric: id, Target: target}
	}
	return out
}

func plainRules(r *manifest.Rules, policies []manifest.Policy) *autoscalingv2.HPAScalingRules {
	if r == nil && policies == nil {
		return nil
	}
	out := &autoscalingv2.HPAScalingRules{}
	for _, p := range policies {
		out.Policies = append(out.Policies, autoscalingv2.HPAScalingPolicy{Type: autoscalingv2.HPAScalingPolicyType(p.Type), Value: p.Value, PeriodSeconds: p.Period})
	}
	if r != nil {
		out.StabilizationWindowSeconds, out.Tolerance = r.StabilizationWindowSeconds, r.Tolerance
		if r.SelectPolicy != "" {
			out.SelectPolicy = new(autoscalingv2.ScalingPolicySelect(r.SelectPolicy))
		}
	}
	return out
}
