package upstream

import (
	"context"
	"reflect"
	"time"
	"unsafe"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
)

// The controller manager's defaults, which are Tidemark's too.
const (
	syncPeriod             = 15 * time.Second
	downscaleStabilization = 5 * time.Minute
	defaultTolerance       = 0.1
	cpuInitialization      = 5 * time.Minute
	initialReadiness       = 30 * time.Second
)

// Proposal is what a metric asks for. Known is false when it cannot say.
type Proposal struct {
	Replicas int32
	Known    bool
}

// Theirs is upstream's proposal. It must run at the case's own moment, which
// upstream reads from the clock.
func Theirs(c *Case) Proposal {
	calculator := podautoscaler.NewReplicaCalculator(
		metricsClient{&c.World, c.HPA.Metrics}, podLister(c.Pods), cpuInitialization, initialReadiness)
	replicas, err := askCalculator(calculator, c, tolerancesOf(&c.HPA))
	if err != nil {
		return Proposal{}
	}
	return Proposal{Replicas: replicas, Known: true}
}

// askCalculator calls the function that HorizontalController calls for the
// kind of metric and target, with the counts it passes.
func askCalculator(rc *podautoscaler.ReplicaCalculator, c *Case, tolerances podautoscaler.Tolerances) (replicas int32, err error) {
	ctx, m, all := context.Background(), c.Metric(), labels.Everything()
	s, spec, status := sourceOf(m), c.SpecReplicas, c.StatusReplicas
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType, autoscalingv2.ContainerResourceMetricSourceType:
		if s.target.AverageValue != nil {
			replicas, _, _, err = rc.GetRawResourceReplicas(ctx, spec, s.target.AverageValue.MilliValue(), s.resource, tolerances, "", all, s.container)
			return replicas, err
		}
		replicas, _, _, _, err = rc.GetResourceReplicas(ctx, spec, *s.target.AverageUtilization, s.resource, tolerances, "", all, s.container)
	case autoscalingv2.PodsMetricSourceType:
		replicas, _, _, err = rc.GetMetricReplicas(spec, s.target.AverageValue.MilliValue(), m.Pods.Metric.Name, tolerances, "", all, all)
	case autoscalingv2.ObjectMetricSourceType:
		if s.target.AverageValue != nil {
			replicas, _, _, err = rc.GetObjectPerPodMetricReplicas(status, s.target.AverageValue.MilliValue(), m.Object.Metric.Name, tolerances, "",
				&m.Object.DescribedObject, all)
			return replicas, err
		}
		replicas, _, _, err = rc.GetObjectMetricReplicas(spec, s.target.Value.MilliValue(), m.Object.Metric.Name, tolerances, "", &m.Object.DescribedObject, all, all)
	case autoscalingv2.ExternalMetricSourceType:
		if s.target.AverageValue != nil {
			replicas, _, _, err = rc.GetExternalPerPodMetricReplicas(status, s.target.AverageValue.MilliValue(), m.External.Metric.Name, tolerances, "",
				m.External.Metric.Selector)
			return replicas, err
		}
		replicas, _, _, err = rc.GetExternalMetricReplicas(spec, s.target.Value.MilliValue(), m.External.Metric.Name, tolerances, "", m.External.Metric.Selector, all)
	}
	return replicas, err
}

// tolerancesOf is HorizontalController.tolerancesForHpa. Upstream exports the
// calculator and the type of its tolerances, but neither the type's fields
// nor a way to make one, so its memory is written directly. The layout is
// checked first: another version of the package stops the test here instead
// of making it compare nonsense.
func tolerancesOf(hpa *autoscalingv2.HorizontalPodAutoscalerSpec) podautoscaler.Tolerances {
	down, up := toleranceFloats(hpa)
	fields := struct{ scaleDown, scaleUp float64 }{down, up}
	theirs, ours := reflect.TypeFor[podautoscaler.Tolerances](), reflect.TypeOf(fields)
	for i := range max(theirs.NumField(), ours.NumField()) {
		if theirs.Field(i).Name != ours.Field(i).Name || theirs.Field(i).Type != ours.Field(i).Type {
			panic("the fields of podautoscaler.Tolerances have changed: " + theirs.Field(i).Name)
		}
	}
	return *(*podautoscaler.Tolerances)(unsafe.Pointer(&fields))
}

// toleranceFloats are the tolerances as upstream's controller reads them.
func toleranceFloats(hpa *autoscalingv2.HorizontalPodAutoscalerSpec) (down, up float64) {
	down, up = defaultTolerance, defaultTolerance
	if b := hpa.Behavior; b != nil {
		if b.ScaleDown != nil && b.ScaleDown.Tolerance != nil {
			down = b.ScaleDown.Tolerance.AsApproximateFloat64()
		}
		if b.ScaleUp != nil && b.ScaleUp.Tolerance != nil {
			up = b.ScaleUp.Tolerance.AsApproximateFloat64()
		}
	}
	return down, up
}
