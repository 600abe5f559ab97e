package upstream

import (
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// World is a workload at one moment, as the APIs of a cluster show it.
type World struct {
	At                           time.Time
	SpecReplicas, StatusReplicas int32
	// Template are the containers of the workload's own pod template.
	Template []corev1.Container
	Pods     []*corev1.Pod
	// Usage is what the resource metrics API lists.
	Usage []PodUsage
	// Answers holds, for each metric of the HPA, what its API says. The
	// metrics of resources use only the error.
	Answers []Answer
}

// PodUsage is the resource usage of one pod.
type PodUsage struct {
	Pod        string
	At         time.Time
	Window     time.Duration
	Containers []ContainerUsage
}

// ContainerUsage is the usage of one container in thousandths; a resource
// that is not in the map was not measured.
type ContainerUsage struct {
	Name  string
	Milli map[corev1.ResourceName]int64
}

// Answer is what a metrics API says of one metric.
type Answer struct {
	Err error
	At  time.Time
	// Series are the values of an Object or External metric, in thousandths.
	Series []int64
	// PerPod are the values of a Pods metric.
	PerPod []PodValue
}

// PodValue is the value of a Pods metric for one pod, or for a stranger.
type PodValue struct {
	Pod   string
	Milli int64
}

// Case is a world with an HPA of one metric.
type Case struct {
	World
	HPA autoscalingv2.HorizontalPodAutoscalerSpec
}

// Metric is the case's only metric.
func (c *Case) Metric() *autoscalingv2.MetricSpec { return &c.HPA.Metrics[0] }

// source is what the five kinds of metrics have in common.
type source struct {
	resource  corev1.ResourceName
	container string
	target    autoscalingv2.MetricTarget
}

func sourceOf(m *autoscalingv2.MetricSpec) source {
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		return source{resource: m.Resource.Name, target: m.Resource.Target}
	case autoscalingv2.ContainerResourceMetricSourceType:
		return source{resource: m.ContainerResource.Name, container: m.ContainerResource.Container, target: m.ContainerResource.Target}
	case autoscalingv2.PodsMetricSourceType:
		return source{target: m.Pods.Target}
	case autoscalingv2.ObjectMetricSourceType:
		return source{target: m.Object.Target}
	default:
		return source{target: m.External.Target}
	}
}

// perPod tells whether a metric has a value for every pod.
func perPod(m *autoscalingv2.MetricSpec) bool {
	return m.Type != autoscalingv2.ObjectMetricSourceType && m.Type != autoscalingv2.ExternalMetricSourceType
}
