package manifest

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// pair is two ranges that nothing is wrong with.
func pair() *v1alpha1.Intervals {
	return &v1alpha1.Intervals{Ranges: []v1alpha1.IntervalRange{
		UpTo(1, corev1.ResourceList{"cpu": *quantity("500m")}), UpTo(5, corev1.ResourceList{"cpu": *quantity("8")}),
	}}
}

func TestFaultsOfSections(t *testing.T) {
	checkFaults(t, WorkloadAutoscaler, map[string]faultCase{
		"sized containers":            {with(func(a *Autoscaler) { a.Containers = []v1alpha1.ContainerPolicy{Sized("*")} }), nil},
		"intervals bring the maximum": {with(func(a *Autoscaler) { a.MaxReplicas, a.Intervals = 0, pair() }), nil},
		"learning brings the maximum": {with(func(a *Autoscaler) { a.MaxReplicas, a.Learn = 0, &v1alpha1.Learn{} }), nil},
		"sizes alone do not":          {with(func(a *Autoscaler) { a.MaxReplicas, a.Containers = 0, []v1alpha1.ContainerPolicy{Sized("*")} }), []string{"maxReplicas"}},
		"a container twice":           {with(func(a *Autoscaler) { a.Containers = []v1alpha1.ContainerPolicy{Sized("a"), Sized("a")} }), []string{"containers[1].name"}},
		"a container that cannot be":  {with(func(a *Autoscaler) { a.Containers = []v1alpha1.ContainerPolicy{Sized("A_b")} }), []string{"containers[0].name"}},
		"a container the target lacks": {with(func(a *Autoscaler) {
			a.Target = a.Target.WithTemplate(corev1.PodTemplateSpec{Spec: corev1.PodSpec{Containers: []corev1.Container{requesting("app", "1")}}})
			a.Containers = []v1alpha1.ContainerPolicy{Sized("web")}
		}), []string{"containers[0].name"}},
		"vertical without anything sized": {with(func(a *Autoscaler) { a.Vertical = &v1alpha1.VerticalSpec{} }), []string{"vertical"}},
		"ranges that do not rise":         {with(func(a *Autoscaler) { a.Intervals = pair(); a.Intervals.Ranges[1].MaxReplicas = new(int32(1)) }), []string{"intervals.ranges[1].maxReplicas"}},
		"intervals that start from nothing": {with(func(a *Autoscaler) {
			a.Intervals, a.MinReplicas = pair(), new(int32(0))
			a.Metrics = []Metric{External("q", Value("1"))}
		}), []string{"minReplicas"}},
		"slots that do not fill a day": {with(func(a *Autoscaler) { a.Learn = &v1alpha1.Learn{SlotHours: new(int32(5))} }), []string{"learn.slotHours"}},
		"measured room needs no target": {with(func(a *Autoscaler) {
			a.Metrics, a.Learn = []Metric{Resource("cpu", Goal{})}, &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{}}
		}), nil},
		"a schedule wakes from zero, without a metric": {with(func(a *Autoscaler) {
			a.Metrics, a.MinReplicas, a.Schedules = nil, new(int32(0)), []v1alpha1.Schedule{AtLeast(5, "day", "0 8 * * *", "0 18 * * *")}
		}), nil},
		"a freeze does not": {with(func(a *Autoscaler) {
			a.MinReplicas, a.Schedules = new(int32(0)), []v1alpha1.Schedule{{Start: "0 8 * * *", End: "0 9 * * *", Freeze: v1alpha1.FreezeAll}}
		}), []string{"minReplicas"}},
		"a pause at a count":   {with(func(a *Autoscaler) { a.Pause = &v1alpha1.Pause{Replicas: new(int32(3))} }), nil},
		"a pause that is none": {with(func(a *Autoscaler) { a.Pause = &v1alpha1.Pause{Until: "tomorrow"} }), []string{"pause.until"}},
		"a schedule that is none": {with(func(a *Autoscaler) {
			a.Schedules = []v1alpha1.Schedule{AtLeast(5, "day", "0 25 * * *", "0 18 * * *")}
		}), []string{"schedules[0].start"}},
		"and only measured room": {with(func(a *Autoscaler) { a.Metrics, a.Learn = []Metric{Resource("cpu", Goal{})}, &v1alpha1.Learn{} }), []string{"metrics[0]"}},
	})
	checkFaults(t, HorizontalPodAutoscaler, map[string]faultCase{
		"an HPA has none of them": {with(func(a *Autoscaler) {
			a.Containers, a.Vertical, a.Intervals, a.Learn = []v1alpha1.ContainerPolicy{Sized("*")}, &v1alpha1.VerticalSpec{}, pair(), &v1alpha1.Learn{}
			a.Schedules = []v1alpha1.Schedule{AtLeast(5, "day", "0 8 * * *", "0 18 * * *")}
			a.Pause = &v1alpha1.Pause{}
		}), []string{"containers", "vertical", "intervals", "learn", "schedules", "pause"}},
		"and needs its maximum": {with(func(a *Autoscaler) { a.MaxReplicas, a.Learn = 0, &v1alpha1.Learn{} }), []string{"maxReplicas", "learn"}},
	})
}

// TestSizedPodsNeedNoMetric: the default metric would hold the utilization of
// requests that are changed at the same time.
func TestSizedPodsNeedNoMetric(t *testing.T) {
	a := with(func(a *Autoscaler) { a.Metrics, a.Containers = nil, []v1alpha1.ContainerPolicy{Sized("*")} })
	wa, err := a.WorkloadAutoscaler()
	if err != nil || len(wa.Spec.Metrics) != 0 {
		t.Errorf("want no metrics, got %v, %v", wa, err)
	}
	for _, w := range a.Warnings(WorkloadAutoscaler) {
		if strings.Contains(w.Message, "80 %") {
			t.Errorf("warns of a metric that is not there: %v", w)
		}
	}
}
