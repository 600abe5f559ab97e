package upstream

import (
	"errors"
	"fmt"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// NewCase rolls a case at a moment.
func NewCase(d *Dice, at time.Time) *Case {
	c := &Case{World: World{At: at}}
	c.HPA.Metrics = []autoscalingv2.MetricSpec{d.metric(0)}
	c.HPA.Behavior = d.tolerances()
	c.SpecReplicas = int32(Of(d, 1, 2, 3, 4, 5, d.Between(1, 12), d.Between(1, 12), 0, d.Between(1, 40)))
	c.StatusReplicas = c.SpecReplicas
	pods := int(c.SpecReplicas)
	if d.Percent(30) {
		c.StatusReplicas = int32(d.Between(0, 12))
	}
	if d.Percent(30) {
		pods = d.Below(13)
	}
	q := d.quirks()
	maker := newPodMaker(d, q, at)
	if d.Percent(50) {
		c.Template = maker.template
	}
	for i := range pods {
		c.Pods = append(c.Pods, maker.pod(i))
	}
	c.Answers = []Answer{{At: d.moment(q, at, 0)}}
	if d.OneIn(60) {
		c.Answers[0].Err = errors.New("the metrics API is down")
	}
	k := marksOf(&c.HPA, c.Metric())
	if perPod(c.Metric()) {
		c.measurePods(d, q, k)
	} else {
		c.measureTotal(d, q, k)
	}
	return c
}

// moment rolls when something was measured: a little while ago, or around the
// ages at which a sample is no longer believed.
func (d *Dice) moment(q quirks, at time.Time, window time.Duration) time.Time {
	if q.stale && d.OneIn(3) {
		return at.Add(-Of(d, 5*time.Minute+window, 5*time.Minute+window+time.Second, time.Hour, -30*time.Second, -31*time.Second, -time.Hour))
	}
	return at.Add(-time.Duration(d.Upto(60)) * time.Second)
}

// measurePods rolls a value of the metric for each pod.
func (c *Case) measurePods(d *Dice, q quirks, k marks) {
	one := d.OneIn(3) // every pod alike, so that sums hit the marks exactly
	first := d.around(goalOf(c, k, 0), k)
	for i, pod := range c.Pods {
		if q.unmeasured && d.OneIn(3) {
			continue
		}
		value := first
		if !one {
			value = d.around(goalOf(c, k, i), k)
		}
		c.record(d, q, pod, d.odd(q, value))
	}
	if !q.strangers || c.Metric().Type != autoscalingv2.PodsMetricSourceType {
		return
	}
	for i := range Of(d, 1, 3) {
		value := d.odd(q, d.around(k.target, k))
		c.Answers[0].PerPod = append(c.Answers[0].PerPod, PodValue{fmt.Sprintf("stranger-%d", i), value})
	}
}

// odd replaces a value now and then by one that nobody should report.
func (d *Dice) odd(q quirks, value int64) int64 {
	value = max(value, 0)
	switch {
	case q.negative && d.OneIn(4):
		return -d.Upto(value) - 1
	case q.huge && d.OneIn(3):
		return d.large()
	}
	return value
}

// goalOf is the value that brings a pod exactly to the target.
func goalOf(c *Case, k marks, pod int) int64 {
	s := sourceOf(c.Metric())
	if s.target.AverageUtilization == nil || pod >= len(c.Pods) {
		return k.target
	}
	return scaled(requestOf(c.Pods[pod], s), k.target, 100)
}

// requestOf adds up what the containers of a pod request.
func requestOf(pod *corev1.Pod, s source) int64 {
	sum := int64(0)
	for _, container := range pod.Spec.Containers {
		if s.container == "" || s.container == container.Name {
			q := container.Resources.Requests[s.resource]
			sum += q.MilliValue()
		}
	}
	return sum
}

// record writes a pod's value down where its API would show it.
func (c *Case) record(d *Dice, q quirks, pod *corev1.Pod, value int64) {
	s := sourceOf(c.Metric())
	if s.resource == "" {
		c.Answers[0].PerPod = append(c.Answers[0].PerPod, PodValue{pod.Name, value})
		return
	}
	window := time.Duration(Of[int64](d, 30, 0, 15, 60)) * time.Second
	usage := PodUsage{Pod: pod.Name, Window: window, At: d.moment(q, c.At, window)}
	if changed := readyChangedAt(pod); !changed.IsZero() && d.OneIn(8) {
		// The moment at which a whole window lies after the last change.
		usage.At = changed.Add(window + time.Duration(d.Between(-1, 1))*time.Second)
	}
	names := measuredContainers(pod)
	for i, name := range names {
		share := value / int64(len(names))
		if i == 0 {
			share = value - share*int64(len(names)-1)
		}
		if s.container != "" {
			share = value
		}
		measured := ContainerUsage{Name: name, Milli: map[corev1.ResourceName]int64{s.resource: share}}
		if q.unmeasured && d.OneIn(10) {
			delete(measured.Milli, s.resource)
		}
		usage.Containers = append(usage.Containers, measured)
	}
	c.Usage = append(c.Usage, usage)
}

// measuredContainers names the containers that run along with the pod.
func measuredContainers(pod *corev1.Pod) []string {
	var names []string
	for _, c := range pod.Spec.Containers {
		names = append(names, c.Name)
	}
	for _, c := range pod.Spec.InitContainers {
		if c.RestartPolicy != nil {
			names = append(names, c.Name)
		}
	}
	return names
}

// readyChangedAt is when the pod's readiness changed last.
func readyChangedAt(pod *corev1.Pod) time.Time {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.LastTransitionTime.Time
		}
	}
	return time.Time{}
}

// measureTotal rolls the series of an Object or External metric.
func (c *Case) measureTotal(d *Dice, q quirks, k marks) {
	goal := k.target
	if sourceOf(c.Metric()).target.AverageValue != nil {
		goal = saturated(k.target, int64(Of(d, c.StatusReplicas, c.SpecReplicas)))
	}
	total := d.around(goal, k)
	series := 1
	if c.Metric().Type == autoscalingv2.ExternalMetricSourceType {
		series = Of(d, 1, 1, 2, 5)
	}
	if q.unmeasured && d.OneIn(3) && series > 1 {
		return
	}
	for i := range series {
		share := total / int64(series)
		if i == 0 {
			share = total - share*int64(series-1)
		}
		c.Answers[0].Series = append(c.Answers[0].Series, d.odd(q, share))
	}
}
