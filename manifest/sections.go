package manifest

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// Sized is a container whose requests follow what it uses, cpu and memory
// alike. Bounds and exceptions are fields of the result.
func Sized(container string) v1alpha1.ContainerPolicy {
	return v1alpha1.ContainerPolicy{
		Name:   container,
		CPU:    &v1alpha1.ResourcePolicy{Scaling: v1alpha1.ResourceScalingVertical},
		Memory: &v1alpha1.ResourcePolicy{Scaling: v1alpha1.ResourceScalingVertical},
	}
}

// UpTo is a range of intervals: up to so many pods, of which none requests
// more than this.
func UpTo(pods int32, requests corev1.ResourceList) v1alpha1.IntervalRange {
	most := map[string]resource.Quantity{}
	for name, amount := range requests {
		most[string(name)] = amount
	}
	return v1alpha1.IntervalRange{MaxReplicas: &pods, MaxResources: most}
}

// AtLeast is a schedule of at least so many pods from a start to an end, both as
// cron by UTC. Another zone, a maximum and a freeze are fields of the result.
func AtLeast(pods int32, name, start, end string) v1alpha1.Schedule {
	return v1alpha1.Schedule{Name: name, Start: start, End: end, Replicas: &v1alpha1.ScheduledReplicas{Min: &pods}}
}

// sized tells whether something sizes the pods, measures their headroom or schedules
// their number, so that no metric has to be assumed.
func (a Autoscaler) sized() bool {
	return a.Intervals != nil || len(a.Containers) > 0 || a.Learn != nil && a.Learn.Headroom != nil || len(a.Schedules) > 0
}

// woken tells whether a schedule brings the workload back from zero.
func (a Autoscaler) woken() bool {
	return slices.ContainsFunc(a.Schedules, func(s v1alpha1.Schedule) bool {
		return s.Replicas != nil && s.Replicas.Min != nil && *s.Replicas.Min > 0
	})
}

// measured are the metrics that count: those given, or the default.
func (a Autoscaler) measured() []Metric {
	if len(a.Metrics) > 0 || a.sized() {
		return a.Metrics
	}
	return []Metric{defaultMetric()}
}

// bringsMax tells whether a section brings a maximum of its own.
func (a Autoscaler) bringsMax() bool { return a.Learn != nil || a.Intervals != nil }
