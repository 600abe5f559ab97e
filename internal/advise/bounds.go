package advise

import (
	"fmt"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
)

// boundsOf are the bounds of the count: those of the present autoscaler, so that
// nobody wins by ignoring them. Where there is none, what the workload is says what
// may be done with it: one that never had more than a pod may not bear a second, and
// the pods of a StatefulSet know each other by number.
func boundsOf(w *Workload, is present, past Past) v1alpha1.ReplicaSpec {
	had := countsOf(past.Replicas)
	least, most := had.last, had.last
	switch {
	case is.spec != nil:
		least, most = 1, 2*had.most
		if stated := is.spec.Replicas.Min; stated != nil {
			least = *stated
		}
		if stated := is.spec.Replicas.Max; stated != nil {
			most = *stated
		}
	case had.most > 1 && w.Kind != StatefulSet:
		least, most = min(2, had.least), 2*had.most
	}
	least = max(least, 1)
	most = max(most, least)
	return v1alpha1.ReplicaSpec{Min: &least, Max: &most}
}

// recommended is the policy that is recommended where nothing is known about a
// workload, within bounds. Of what is there its schedules stay, and directions that
// are shut; how fast to follow a target has no part where there is none.
func recommended(within v1alpha1.ReplicaSpec, is present) v1alpha1.WorkloadAutoscalerSpec {
	out := v1alpha1.WorkloadAutoscalerSpec{
		Replicas: *within.DeepCopy(),
		Learn:    &v1alpha1.Learn{Headroom: &v1alpha1.Headroom{}},
	}
	if is.spec != nil && is.byCPU {
		out.Schedules, out.Behavior = is.spec.DeepCopy().Schedules, shut(is.spec.Behavior)
	}
	return out
}

// scaledBy says in a few words who scales a workload now.
func scaledBy(is present) string {
	if is.spec == nil {
		return "nothing"
	}
	var by []string
	for i := range is.spec.Metrics {
		by = append(by, metricOf(&is.spec.Metrics[i]))
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", short(is.from.Kind), strings.Join(by, ", ")))
}

// short are kinds as people call them.
func short(kind string) string {
	known := map[string]string{
		"HorizontalPodAutoscaler": "HPA", "WatermarkPodAutoscaler": "WPA", "VerticalPodAutoscaler": "VPA", ours: "Tidemark", "ScaledObject": "KEDA",
	}
	if word, ok := known[kind]; ok {
		return word
	}
	return kind
}

// metricOf names a metric, with its target where that is a percentage.
func metricOf(m *v1alpha1.MetricSpec) string {
	name, target := string(m.Type), (*v1alpha1.MetricTarget)(nil)
	switch {
	case m.Resource != nil:
		name, target = m.Resource.Name, m.Resource.Target
	case m.ContainerResource != nil:
		name, target = m.ContainerResource.Name+" of "+m.ContainerResource.Container, m.ContainerResource.Target
	case m.Pods != nil:
		name = m.Pods.Metric.Name
	case m.Object != nil:
		name = m.Object.Metric.Name
	case m.External != nil && m.External.Metric.Name != "":
		name = m.External.Metric.Name
	}
	if target != nil && target.AverageUtilization != nil {
		return fmt.Sprintf("%s %d%%", name, *target.AverageUtilization)
	}
	return name
}
