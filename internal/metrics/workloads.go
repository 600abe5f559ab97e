package metrics

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/scale"
)

// Workload is what is known of one object when series are asked for.
type Workload struct {
	Namespace, Name string
	// Decision is the last one; nil before the first.
	Decision *scale.Decision
	// Able and Active are the conditions AbleToScale and ScalingActive.
	Able, Active bool
}

// Workloads collects the series of workloads. It keeps none: each time it is
// asked it makes them from the decisions there are, so that they disappear with
// their object, and with a metric that is taken out of a spec.
type Workloads struct {
	// Each calls yield for every object.
	Each func(yield func(Workload))
}

var _ prometheus.Collector = (*Workloads)(nil)

var descriptions = describe()

func describe() map[string]*prometheus.Desc {
	out := map[string]*prometheus.Desc{}
	for _, s := range List {
		if strings.HasPrefix(s.Name, prefix) {
			out[s.Name] = prometheus.NewDesc(s.Name, s.Help, s.Labels, nil)
		}
	}
	return out
}

// Describe names the series.
func (w *Workloads) Describe(out chan<- *prometheus.Desc) {
	for _, d := range descriptions {
		out <- d
	}
}

// Collect makes the series.
func (w *Workloads) Collect(out chan<- prometheus.Metric) {
	w.Each(func(one Workload) {
		send(out, Able, one, explain.Gauge{Value: truth(one.Able)})
		send(out, Active, one, explain.Gauge{Value: truth(one.Active)})
		if one.Decision == nil {
			return
		}
		seen := map[string]bool{}
		for _, g := range explain.Gauges(*one.Decision) {
			// Two metrics of one name, such as the cpu of two containers, would
			// be one series twice, which spoils the whole answer.
			if key := g.Name + "/" + g.Labels["metric_name"]; g.Labels["metric_name"] == "" || !seen[key] {
				seen[key] = true
				send(out, prefix+g.Name, one, g)
			}
		}
	})
}

func send(out chan<- prometheus.Metric, name string, one Workload, g explain.Gauge) {
	values := []string{one.Namespace, one.Name}
	for _, label := range Of(name).Labels[2:] {
		values = append(values, g.Labels[label])
	}
	out <- prometheus.MustNewConstMetric(descriptions[name], prometheus.GaugeValue, g.Value, values...)
}

func truth(t bool) float64 {
	if t {
		return 1
	}
	return 0
}
