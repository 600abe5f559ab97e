package upstream

import (
	"fmt"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// containerNames are the containers a pod may have; proxy is an init
// container that keeps running.
var containerNames = []string{"app", "sidecar", "log", "proxy"}

// metric rolls a metric of any kind.
func (d *Dice) metric(number int) autoscalingv2.MetricSpec {
	id := autoscalingv2.MetricIdentifier{Name: fmt.Sprintf("metric-%d", number)}
	switch d.Below(8) {
	case 0, 1, 2:
		return autoscalingv2.MetricSpec{Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{Name: d.resource(), Target: d.requestTarget()}}
	case 3:
		return autoscalingv2.MetricSpec{Type: autoscalingv2.ContainerResourceMetricSourceType,
			ContainerResource: &autoscalingv2.ContainerResourceMetricSource{
				Name: d.resource(), Container: Of(d, "app", "app", "app", "sidecar", "proxy"), Target: d.requestTarget()}}
	case 4:
		return autoscalingv2.MetricSpec{Type: autoscalingv2.PodsMetricSourceType,
			Pods: &autoscalingv2.PodsMetricSource{Metric: id, Target: d.target(autoscalingv2.AverageValueMetricType)}}
	case 5:
		return autoscalingv2.MetricSpec{Type: autoscalingv2.ObjectMetricSourceType,
			Object: &autoscalingv2.ObjectMetricSource{Metric: id, Target: d.totalTarget(),
				DescribedObject: autoscalingv2.CrossVersionObjectReference{APIVersion: "networking.k8s.io/v1", Kind: "Ingress", Name: "front"}}}
	default:
		return d.external(number)
	}
}

// external rolls an External metric, the kind that can wake a workload.
func (d *Dice) external(number int) autoscalingv2.MetricSpec {
	return autoscalingv2.MetricSpec{Type: autoscalingv2.ExternalMetricSourceType,
		External: &autoscalingv2.ExternalMetricSource{
			Metric: autoscalingv2.MetricIdentifier{Name: fmt.Sprintf("metric-%d", number)}, Target: d.totalTarget()}}
}

func (d *Dice) resource() corev1.ResourceName {
	return Of(d, corev1.ResourceCPU, corev1.ResourceCPU, corev1.ResourceMemory)
}

func (d *Dice) requestTarget() autoscalingv2.MetricTarget {
	return d.target(Of(d, autoscalingv2.UtilizationMetricType, autoscalingv2.UtilizationMetricType, autoscalingv2.AverageValueMetricType))
}

func (d *Dice) totalTarget() autoscalingv2.MetricTarget {
	return d.target(Of(d, autoscalingv2.ValueMetricType, autoscalingv2.AverageValueMetricType))
}

// target rolls a target. Percentages prefer those whose hundredths floats get
// wrong, quantities are of all sizes.
func (d *Dice) target(kind autoscalingv2.MetricTargetType) autoscalingv2.MetricTarget {
	t := autoscalingv2.MetricTarget{Type: kind}
	quantity := d.targetQuantity()
	switch kind {
	case autoscalingv2.UtilizationMetricType:
		t.AverageUtilization = new(int32(Of(d, 1, 7, 14, 28, 29, 50, 55, 57, 58, 80, 99, 100, 101, 110, 150, d.Between(1, 300))))
	case autoscalingv2.ValueMetricType:
		t.Value = &quantity
	default:
		t.AverageValue = &quantity
	}
	return t
}

func (d *Dice) targetQuantity() resource.Quantity {
	switch d.Below(8) {
	case 0:
		return stored(resource.NewMilliQuantity(d.Between(1, 9), resource.DecimalSI))
	case 1:
		return stored(resource.NewQuantity(d.Between(1, 20)<<20, resource.BinarySI))
	case 2:
		return stored(resource.NewQuantity(d.Between(1, 9_000_000_000_000), resource.DecimalSI))
	case 3:
		// Finer than a thousandth: both sides must round the same way.
		return stored(resource.NewScaledQuantity(d.Between(1, 99_999_999), resource.Nano))
	case 4:
		return stored(resource.NewScaledQuantity(d.Between(1, 99_999_999), resource.Micro))
	case 5:
		return stored(resource.NewMilliQuantity(Of[int64](d, 7, 14, 70, 100, 140, 290, 300, 570, 700, 1100), resource.DecimalSI))
	default:
		return stored(resource.NewMilliQuantity(d.Between(1, 5000), resource.DecimalSI))
	}
}

// stored returns a quantity as it is read back from a cluster. Writing it
// down changes its inner scale, and upstream's float of it with that: 0.3 is
// 300m afterward.
func stored(q *resource.Quantity) resource.Quantity { return resource.MustParse(q.String()) }

// tolerance rolls a tolerance, half of the time none.
func (d *Dice) tolerance() *resource.Quantity {
	var q resource.Quantity
	switch d.Below(12) {
	default:
		return nil
	case 6:
		q = stored(resource.NewQuantity(Of[int64](d, 0, 0, 1, 2, 10), resource.DecimalSI))
	case 7, 8, 9:
		q = stored(resource.NewMilliQuantity(Of[int64](d, 1, 9, 10, 50, 59, 70, 100, 200, 290, 300, 500), resource.DecimalSI))
	case 10:
		q = stored(resource.NewMilliQuantity(d.Between(0, 1500), resource.DecimalSI))
	case 11:
		q = stored(resource.NewScaledQuantity(d.Upto(999_999_999), Of(d, resource.Micro, resource.Nano)))
	}
	return &q
}

// tolerances rolls a behavior that states nothing but tolerances.
func (d *Dice) tolerances() *autoscalingv2.HorizontalPodAutoscalerBehavior {
	if d.Percent(50) {
		return nil
	}
	return &autoscalingv2.HorizontalPodAutoscalerBehavior{
		ScaleUp:   &autoscalingv2.HPAScalingRules{Tolerance: d.tolerance()},
		ScaleDown: &autoscalingv2.HPAScalingRules{Tolerance: d.tolerance()},
	}
}
