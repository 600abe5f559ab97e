package live

import (
	"context"
	"slices"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/internal/observe/metricsapi"
	"github.com/tidemark/tidemark/scale"
)

// usage adds what the pods use, if anybody wants to know.
func (o *Observer) usage(ctx context.Context, l *look) {
	byMetrics := slices.ContainsFunc(l.Policy.Horizontal.Metrics, ofResource)
	if len(l.obs.Pods) == 0 || (!byMetrics && !l.Usage && !sizesOrLearns(l)) {
		return
	}
	used, err := o.used(ctx, l)
	if err == nil && !l.Policy.Horizontal.Upstream {
		err = l.contradiction(used)
	}
	if err != nil {
		for i := range l.Policy.Horizontal.Metrics {
			if ofResource(l.Policy.Horizontal.Metrics[i]) {
				l.obs.Samples[i].Problem = err.Error()
			}
		}
		if !byMetrics {
			l.problem(err)
		}
		return
	}
	j := joiner{upstream: l.Policy.Horizontal.Upstream, metrics: l.Policy.Horizontal.Metrics}
	for i := range l.obs.Pods {
		if of, known := used[l.obs.Pods[i].Name]; known {
			j.join(&l.obs.Pods[i], &of)
		}
	}
}

// contradiction is an error if a pod of the target is measured in several ways.
func (l *look) contradiction(used metricsapi.Usage) error {
	for i := range l.obs.Pods {
		if name := l.obs.Pods[i].Name; used[name].Contradicts {
			return contradicting(name)
		}
	}
	return nil
}

func ofResource(m horizontal.Metric) bool {
	return m.Kind == horizontal.Resource || m.Kind == horizontal.ContainerResource
}

// sizesOrLearns tells whether usage is of use beyond metrics: to size pods, to
// learn from, to choose those that go first, or for the metrics of the HPA that is tuned.
func sizesOrLearns(l *look) bool {
	spec := &l.Object.Spec
	return spec.Actuator == v1alpha1.ActuatorHPA || spec.Learn != nil || spec.Intervals != nil || len(spec.Containers) > 0 || l.Policy.EmptiestFirst
}

// joiner puts the usage of a pod beside the pod.
type joiner struct {
	upstream bool
	metrics  []horizontal.Metric
}

// join adds a usage to its pod. One that does not say when it was measured may be
// of any age, so that it has no use. Usage from before the pod's start belongs to an
// earlier pod of the same name, as a StatefulSet makes them; the HPA, which
// does not look, has its own rules for young pods.
func (j *joiner) join(pod *scale.Pod, used *metricsapi.PodUsage) {
	if !j.upstream && !used.At.IsZero() && !pod.StartedAt.IsZero() && used.At.Before(pod.StartedAt) {
		return
	}
	pod.UsageAt, pod.UsageWindow = used.At, used.Window
	for i := range pod.Containers {
		c := &pod.Containers[i]
		if !j.upstream && used.At.IsZero() {
			c.Usage = scale.Resources{}.WithUnusable(scale.CPU).WithUnusable(scale.Memory)
			continue
		}
		measured := slices.IndexFunc(used.Containers, func(m metricsapi.ContainerUsage) bool { return m.Name == c.Name })
		switch {
		case measured >= 0:
			c.Usage = used.Containers[measured].Usage
		case len(used.Containers) > 0 && j.countsAsIdle(c.Name):
			c.Usage = scale.Resources{}.With(scale.CPU, 0).With(scale.Memory, 0)
		}
	}
}

// countsAsIdle tells whether a container that nobody measured, in a pod that
// was measured, counts as using nothing. The HPA sums what is listed, so it
// does there, unless a metric is about this very container. For us it is a gap:
// a container nobody measured must not make a pod look idle.
func (j *joiner) countsAsIdle(container string) bool {
	return j.upstream && !slices.ContainsFunc(j.metrics, func(m horizontal.Metric) bool {
		return m.Kind == horizontal.ContainerResource && m.Container == container
	})
}
