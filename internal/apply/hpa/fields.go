package hpa

import (
	"fmt"
	"strconv"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The keys of the bounds.
const (
	minKey = "minReplicas"
	maxKey = "maxReplicas"
)

// field is a number of an HPA that tuning may change.
type field struct {
	// key names the field wherever it stands in the list of metrics.
	key, path string
	get       func() string
	// set reports false for what is not a value of the field.
	set func(string) bool
	// metric is the metric it belongs to; nil for a bound.
	metric *autoscalingv2.MetricSpec
}

// fields lists the numbers of an HPA that tuning may change.
func fields(hpa *autoscalingv2.HorizontalPodAutoscaler) []field {
	spec := &hpa.Spec
	all := []field{
		{key: minKey, path: "spec.minReplicas", get: func() string { return strconv.Itoa(int(minReplicas(spec))) }, set: func(text string) bool {
			n, ok := count(text, 0)
			spec.MinReplicas = keep(spec.MinReplicas, n, ok)
			return ok
		}},
		{key: maxKey, path: "spec.maxReplicas", get: func() string { return strconv.Itoa(int(spec.MaxReplicas)) }, set: func(text string) bool {
			n, ok := count(text, 1)
			spec.MaxReplicas = *keep(&spec.MaxReplicas, n, ok)
			return ok
		}},
	}
	seen := map[string]int{}
	for i := range spec.Metrics {
		f, ok := metricField(&spec.Metrics[i])
		if !ok {
			continue
		}
		f.path = fmt.Sprintf("spec.metrics[%d].%s", i, f.path)
		if seen[f.key]++; seen[f.key] > 1 {
			f.key = fmt.Sprintf("%s#%d", f.key, seen[f.key])
		}
		all = append(all, f)
	}
	return all
}

// metricField is the number of one metric.
func metricField(metric *autoscalingv2.MetricSpec) (field, bool) {
	if target, path := utilization(metric); target != nil {
		key := "resource/"
		if metric.ContainerResource != nil {
			key = "container/" + metric.ContainerResource.Container + "/" + string(metric.ContainerResource.Name)
		} else {
			key += string(metric.Resource.Name)
		}
		return field{key: key, path: path, metric: metric, get: func() string { return strconv.Itoa(int(*target.AverageUtilization)) }, set: func(text string) bool {
			n, ok := count(text, 1)
			target.AverageUtilization = keep(target.AverageUtilization, n, ok)
			return ok
		}}, true
	}
	if metric.Type != autoscalingv2.ExternalMetricSourceType || metric.External == nil || metric.External.Target.Value == nil {
		return field{}, false
	}
	target, id := &metric.External.Target, &metric.External.Metric
	key := "external/" + id.Name
	if id.Selector != nil {
		key += "{" + metav1.FormatLabelSelector(id.Selector) + "}"
	}
	return field{key: key, path: valuePath, metric: metric, get: func() string { return target.Value.String() }, set: func(text string) bool {
		q, err := resource.ParseQuantity(text)
		if err == nil && q.Sign() > 0 {
			target.Value = &q
		}
		return err == nil && q.Sign() > 0
	}}, true
}

func count(text string, least int64) (int32, bool) {
	n, err := strconv.ParseInt(text, 10, 32)
	return int32(n), err == nil && n >= least
}

// keep returns the new number if it is one, and the old otherwise.
func keep(old *int32, n int32, ok bool) *int32 {
	if ok {
		return &n
	}
	return old
}
