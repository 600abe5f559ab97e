package upstream

import (
	"math"
	"slices"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// newHPA rolls an HPA as a user would write it, before any default.
func newHPA(d *Dice, namespace string) *autoscalingv2.HorizontalPodAutoscaler {
	hpa := &autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "hpa"}}
	hpa.Spec.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "target"}
	hpa.Spec.Metrics = d.metrics()
	hpa.Spec.Behavior = d.behavior()
	least, most := d.bounds(hpa.Spec.Metrics)
	hpa.Spec.MaxReplicas = most
	if least != 1 || d.Percent(50) {
		hpa.Spec.MinReplicas = &least
	}
	return hpa
}

// bounds rolls a minimum and a maximum that suit the metrics.
func (d *Dice) bounds(metrics []autoscalingv2.MetricSpec) (least, most int32) {
	least = int32(Of[int64](d, 1, 1, 2, 5, 10))
	if wakes(metrics) && d.Percent(35) {
		least = 0
	}
	return least, max(least, 1) + int32(Of(d, 10, 30, 100, d.Between(0, 20), 2000))
}

// metrics rolls one to three metrics, or, rarely, leaves them to the default.
// Metrics of one resource see one usage, so their targets must be of a kind:
// otherwise a usage that suits one is absurd to the other.
func (d *Dice) metrics() []autoscalingv2.MetricSpec {
	if d.OneIn(30) {
		return nil
	}
	var out []autoscalingv2.MetricSpec
	for i := range Of(d, 1, 1, 2, 2, 3) {
		m := d.metric(i)
		if !slices.ContainsFunc(out, func(other autoscalingv2.MetricSpec) bool { return clashes(&m, &other) }) {
			out = append(out, m)
		}
	}
	return out
}

// clashes tells whether two metrics have the same name, or read one resource
// with targets of different kinds.
func clashes(a, b *autoscalingv2.MetricSpec) bool {
	x, y := sourceOf(a), sourceOf(b)
	return metricName(a) == metricName(b) ||
		x.resource != "" && x.resource == y.resource && (x.target.AverageValue != nil || y.target.AverageValue != nil)
}

// wakes tells whether a metric can be read while there is no pod.
func wakes(metrics []autoscalingv2.MetricSpec) bool {
	for i := range metrics {
		if !perPod(&metrics[i]) {
			return true
		}
	}
	return false
}

func (d *Dice) behavior() *autoscalingv2.HorizontalPodAutoscalerBehavior {
	if d.OneIn(4) {
		return nil
	}
	return &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: d.rules(), ScaleDown: d.rules()}
}

func (d *Dice) rules() *autoscalingv2.HPAScalingRules {
	if d.OneIn(5) {
		return nil
	}
	r := &autoscalingv2.HPAScalingRules{Tolerance: d.tolerance()}
	if d.Percent(75) {
		window := int32(Of(d, 0, 0, 15, 30, 60, 300, 15*d.Upto(20), d.Upto(200), d.Upto(3600)))
		r.StabilizationWindowSeconds = &window
	}
	if d.Percent(60) {
		selected := autoscalingv2.MaxChangePolicySelect
		if d.OneIn(2) {
			selected = Of(d, autoscalingv2.MinChangePolicySelect, autoscalingv2.MinChangePolicySelect, autoscalingv2.DisabledPolicySelect)
		}
		r.SelectPolicy = &selected
	}
	if d.Percent(75) {
		for range Of(d, 1, 1, 2, 3) {
			r.Policies = append(r.Policies, d.policy())
		}
	}
	return r
}

// policy rolls a policy. Its values stay far from the end of an int32, where
// upstream's sums wrap around.
func (d *Dice) policy() autoscalingv2.HPAScalingPolicy {
	return autoscalingv2.HPAScalingPolicy{
		Type:          Of(d, autoscalingv2.PodsScalingPolicy, autoscalingv2.PercentScalingPolicy),
		Value:         int32(Of(d, 1, 2, 4, 10, 50, 100, 300, d.Between(1, 120))),
		PeriodSeconds: int32(Of(d, 15, 30, 45, 60, 120, 300, 600, 1800, d.Between(1, 120), d.Between(1, 1800))),
	}
}

// clampInt32 keeps a rolled count a count.
func clampInt32(n int64) int32 { return int32(max(0, min(n, math.MaxInt32))) }
