package upstream

import (
	"context"
	"fmt"
	"maps"
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/kubernetes/pkg/controller/podautoscaler"
	"k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
)

// Contest is one input on which both sides are timed. Theirs is one call of
// upstream's replica calculator: a single metric's proposal. Ours is a whole
// decision: the proposal, every limit, the memory and the explanation.
type Contest struct {
	Name string
	Pods int
	// Ours, Theirs and Client are benchmarks. Client is the part of Theirs that
	// is spent in the metrics client: upstream changes the map it is given, so
	// each call needs a new one.
	Ours, Theirs, Client func(b *testing.B)
}

// The loads of a contest, in percent of the target: one within the tolerance,
// where upstream's Value metrics need not even count pods, and one beyond it.
const (
	atRest  = 102
	tooMuch = 150
)

// Contests returns every contest, in the order of the table.
func Contests() []Contest {
	var all []Contest
	for _, c := range contestCases() {
		m := c.Metric()
		name := fmt.Sprintf("%s, %s, load %d %%", m.Type, sourceOf(m).target.Type, c.Answers[0].Series[0]/1000)
		all = append(all, newContest(name, c))
	}
	return all
}

func contestCases() []*Case {
	quantity, percent, id := resource.MustParse("100"), int32(50), autoscalingv2.MetricIdentifier{Name: "load"}
	var all []*Case
	for _, m := range []autoscalingv2.MetricSpec{
		{Type: autoscalingv2.ResourceMetricSourceType, Resource: &autoscalingv2.ResourceMetricSource{
			Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &percent}}},
		{Type: autoscalingv2.ExternalMetricSourceType, External: &autoscalingv2.ExternalMetricSource{
			Metric: id, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.ValueMetricType, Value: &quantity}}},
		{Type: autoscalingv2.PodsMetricSourceType, Pods: &autoscalingv2.PodsMetricSource{
			Metric: id, Target: autoscalingv2.MetricTarget{Type: autoscalingv2.AverageValueMetricType, AverageValue: &quantity}}},
	} {
		for _, load := range []int64{atRest, tooMuch} {
			for _, pods := range []int{1, 10, 100, 1000} {
				all = append(all, contestCase(m, pods, load))
			}
		}
	}
	return all
}

// contestCase is a healthy workload: every pod is old, ready and measured.
func contestCase(m autoscalingv2.MetricSpec, pods int, load int64) *Case {
	now := time.Now()
	old := metav1.NewTime(now.Add(-time.Hour))
	c := &Case{World: World{At: now, SpecReplicas: int32(pods), StatusReplicas: int32(pods)}}
	c.HPA.Metrics = []autoscalingv2.MetricSpec{m}
	c.Answers = []Answer{{At: now, Series: []int64{100_000 * load / 100}}}
	requests := corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("1")}}
	for i := range pods {
		name := fmt.Sprintf("web-6d4cf56db6-%05d", i)
		c.Pods = append(c.Pods, &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "app", Resources: requests}}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &old, Conditions: []corev1.PodCondition{
				{Type: corev1.PodReady, Status: corev1.ConditionTrue, LastTransitionTime: old}}},
		})
		c.Usage = append(c.Usage, PodUsage{Pod: name, At: now, Window: 30 * time.Second, Containers: []ContainerUsage{
			{Name: "app", Milli: map[corev1.ResourceName]int64{corev1.ResourceCPU: 500 * load / 100}}}})
		c.Answers[0].PerPod = append(c.Answers[0].PerPod, PodValue{name, 100_000 * load / 100})
	}
	return c
}

func newContest(name string, c *Case) Contest {
	client := newCheapClient(c)
	calculator := podautoscaler.NewReplicaCalculator(client, podLister(c.Pods), cpuInitialization, initialReadiness)
	tolerances := tolerancesOf(&c.HPA)
	policy, obs := Compile(bounded(c), v1alpha1.CompatibilityTidemark), Observe(&c.World, c.HPA.Metrics)
	_, past := engine.Decide(policy, obs, engine.Memory{})
	return Contest{
		Name: name, Pods: len(c.Pods),
		Ours: func(b *testing.B) {
			b.ReportAllocs()
			memory := past
			for b.Loop() {
				_, memory = engine.Decide(policy, obs, memory)
			}
		},
		Theirs: func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := askCalculator(calculator, c, tolerances); err != nil {
					b.Fatal(err)
				}
			}
		},
		Client: func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				client.ask(c.Metric())
			}
		},
	}
}

// cheapClient is a metrics client that costs as little as one can: it copies
// a map that was filled before.
type cheapClient struct {
	usage, values metrics.PodMetricsInfo
	series        []int64
	at            time.Time
}

func newCheapClient(c *Case) cheapClient {
	full := metricsClient{&c.World, c.HPA.Metrics}
	out := cheapClient{at: c.At, series: c.Answers[0].Series}
	switch m := c.Metric(); m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		out.usage, _, _ = full.GetResourceMetric(context.Background(), m.Resource.Name, "", nil, "")
	case autoscalingv2.PodsMetricSourceType:
		out.values, _, _ = full.GetRawMetric(m.Pods.Metric.Name, "", nil, nil)
	}
	return out
}

// ask is the call that the calculator makes for a metric.
func (c cheapClient) ask(m *autoscalingv2.MetricSpec) {
	switch m.Type {
	case autoscalingv2.ResourceMetricSourceType:
		_, _, _ = c.GetResourceMetric(context.Background(), corev1.ResourceCPU, "", nil, "")
	case autoscalingv2.PodsMetricSourceType:
		_, _, _ = c.GetRawMetric("", "", nil, nil)
	default:
		_, _, _ = c.GetExternalMetric("", "", nil)
	}
}

func (c cheapClient) GetResourceMetric(context.Context, corev1.ResourceName, string, labels.Selector, string) (metrics.PodMetricsInfo, time.Time, error) {
	return maps.Clone(c.usage), c.at, nil
}

func (c cheapClient) GetRawMetric(string, string, labels.Selector, labels.Selector) (metrics.PodMetricsInfo, time.Time, error) {
	return maps.Clone(c.values), c.at, nil
}

func (c cheapClient) GetObjectMetric(string, string, *autoscalingv2.CrossVersionObjectReference, labels.Selector) (int64, time.Time, error) {
	return c.series[0], c.at, nil
}

func (c cheapClient) GetExternalMetric(string, string, labels.Selector) ([]int64, time.Time, error) {
	return c.series, c.at, nil
}
