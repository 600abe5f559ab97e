package upstream

import (
	"context"
	"errors"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"
)

// metricsClient answers upstream from a world. It sums containers as
// upstream's own client sums them, and like that client it takes an empty
// list for an error.
type metricsClient struct {
	world   *World
	metrics []autoscalingv2.MetricSpec
}

var errNothing = errors.New("no metrics returned")

// answer finds what the world says of a named metric.
func (c metricsClient) answer(name string) *Answer {
	for i := range c.metrics {
		if metricName(&c.metrics[i]) == name {
			return &c.world.Answers[i]
		}
	}
	return &Answer{Err: errNothing}
}

func metricName(m *autoscalingv2.MetricSpec) string {
	switch m.Type {
	case autoscalingv2.PodsMetricSourceType:
		return m.Pods.Metric.Name
	case autoscalingv2.ObjectMetricSourceType:
		return m.Object.Metric.Name
	case autoscalingv2.ExternalMetricSourceType:
		return m.External.Metric.Name
	}
	s := sourceOf(m)
	return string(s.resource) + "/" + s.container
}

func (c metricsClient) GetResourceMetric(_ context.Context, resource corev1.ResourceName, _ string, _ labels.Selector,
	container string) (metrics.PodMetricsInfo, time.Time, error) {
	if err := c.answer(string(resource) + "/" + container).Err; err != nil {
		return nil, time.Time{}, err
	}
	if len(c.world.Usage) == 0 {
		return nil, time.Time{}, errNothing
	}
	info := make(metrics.PodMetricsInfo, len(c.world.Usage))
	for i := range c.world.Usage {
		u := &c.world.Usage[i]
		if sum, ok := u.sum(resource, container); ok {
			info[u.Pod] = metrics.PodMetric{Timestamp: u.At, Window: u.Window, Value: sum}
		}
	}
	return info, c.world.Usage[0].At, nil
}

// sum adds the pod's containers up, or takes the one that is asked for.
func (u *PodUsage) sum(resource corev1.ResourceName, container string) (sum int64, ok bool) {
	for _, c := range u.Containers {
		if container != "" && c.Name != container {
			continue
		}
		value, measured := c.Milli[resource]
		if !measured {
			return 0, false
		}
		sum, ok = sum+value, true
	}
	return sum, ok
}

func (c metricsClient) GetRawMetric(name string, _ string, _, _ labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	a := c.answer(name)
	if a.Err != nil {
		return nil, time.Time{}, a.Err
	}
	if len(a.PerPod) == 0 {
		return nil, time.Time{}, errNothing
	}
	info := make(metrics.PodMetricsInfo, len(a.PerPod))
	for _, v := range a.PerPod {
		info[v.Pod] = metrics.PodMetric{Timestamp: a.At, Window: time.Minute, Value: v.Milli}
	}
	return info, a.At, nil
}

func (c metricsClient) GetObjectMetric(name string, _ string, _ *autoscalingv2.CrossVersionObjectReference, _ labels.Selector) (int64, time.Time, error) {
	a := c.answer(name)
	if a.Err != nil {
		return 0, time.Time{}, a.Err
	}
	return a.Series[0], a.At, nil
}

func (c metricsClient) GetExternalMetric(name, _ string, _ labels.Selector) ([]int64, time.Time, error) {
	a := c.answer(name)
	if a.Err != nil {
		return nil, time.Time{}, a.Err
	}
	if len(a.Series) == 0 {
		return nil, time.Time{}, errNothing
	}
	return a.Series, a.At, nil
}

// podLister is a lister of a single workload's pods: they are all selected.
type podLister []*corev1.Pod

func (l podLister) List(labels.Selector) ([]*corev1.Pod, error) { return l, nil }
func (l podLister) Pods(string) corelisters.PodNamespaceLister  { return l }
func (l podLister) Get(name string) (*corev1.Pod, error) {
	return nil, errors.New("not needed: " + name)
}
