package upstream

import (
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
)

// workloadKind tells what a workload is to show.
type workloadKind int

const (
	ordinary workloadKind = iota
	// rateBound workloads chase a load that jumps about, as fast as a percentage
	// lets them: that shows how percentages of many counts are rounded.
	rateBound
	// slope workloads need a little less with every sync, and every count
	// counts for long: that shows how many counts are remembered.
	slope
	// sleeper workloads go to zero and wake again.
	sleeper
)

// special makes an HPA on a total that can ask for any count, whatever pods
// there are.
func special(d *Dice, kind workloadKind, hpa *autoscalingv2.HorizontalPodAutoscalerSpec) {
	each, m, none := resource.MustParse("1"), d.external(0), int32(0)
	up, down, window := d.percentRule(), d.percentRule(), int32(0)
	hpa.MaxReplicas = 2000
	switch kind {
	case sleeper:
		hpa.MinReplicas, hpa.MaxReplicas = &none, 20
		hpa.Metrics = append([]autoscalingv2.MetricSpec{m}, d.others(&m)...)
		hpa.Behavior = Of(d, nil, &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: d.rules(),
			ScaleDown: &autoscalingv2.HPAScalingRules{StabilizationWindowSeconds: &window}})
		return
	case slope:
		up, down, window = nil, &autoscalingv2.HPAScalingRules{}, int32(d.Between(100, 190)*15)
	}
	m.External.Target = autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: &each}
	hpa.Metrics = []autoscalingv2.MetricSpec{m}
	down.StabilizationWindowSeconds = &window
	hpa.Behavior = &autoscalingv2.HorizontalPodAutoscalerBehavior{ScaleUp: up, ScaleDown: down}
}

// others rolls a metric beside a first one, now and then.
func (d *Dice) others(first *autoscalingv2.MetricSpec) []autoscalingv2.MetricSpec {
	m := d.metric(1)
	if d.OneIn(2) || clashes(&m, first) {
		return nil
	}
	return []autoscalingv2.MetricSpec{m}
}

// percentRule rolls a rule of one percentage.
func (d *Dice) percentRule() *autoscalingv2.HPAScalingRules {
	return &autoscalingv2.HPAScalingRules{Policies: []autoscalingv2.HPAScalingPolicy{{
		Type: autoscalingv2.PercentScalingPolicy, Value: int32(d.Between(1, 100)), PeriodSeconds: Of[int32](d, 15, 15, 15, 30, 60),
	}}}
}
