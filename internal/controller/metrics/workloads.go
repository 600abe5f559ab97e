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
	// Short is what of the decision is not in force.
	Short scale.Shortfall
	// Up and Down are the pods that were added and removed in all.
	Up, Down int64
	// Room is that of the pods' nodes; nil while it is not known.
	Room *scale.Room
	// DryRun is set while nothing is changed because that is meant.
	DryRun bool
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
		send(out, DryRun, one, explain.Gauge{Value: truth(one.DryRun)})
		send(out, Upscaled, one, explain.Gauge{Value: float64(one.Up)})
		send(out, Downscaled, one, explain.Gauge{Value: float64(one.Down)})
		if one.Room != nil {
			send(out, Room, one, explain.Gauge{Value: float64(one.Room.Share) / float64(scale.Thousand)})
		}
		if one.Decision == nil {
			return
		}
		send(out, WorkloadPaused, one, explain.Gauge{Value: truth(one.Decision.Pause != nil)})
		send(out, Limited, one, explain.Gauge{Value: truth(one.Decision.LimitedBy != "")})
		seen := map[string]bool{}
		for _, g := range append(explain.Gauges(*one.Decision), explain.ShortfallGauges(one.Short)...) {
			// Two goals for exactly the same metric would be one series twice,
			// which spoils the whole answer.
			if key := keyOf(g); !seen[key] {
				seen[key] = true
				send(out, prefix+g.Name, one, g)
			}
		}
	})
}

// keyOf is what tells a workload's series apart.
func keyOf(g explain.Gauge) string {
	key := g.Name
	for _, label := range Of(prefix + g.Name).Labels {
		key += "\x00" + g.Labels[label]
	}
	return key
}

func send(out chan<- prometheus.Metric, name string, one Workload, g explain.Gauge) {
	values := []string{one.Namespace, one.Name}
	for _, label := range Of(name).Labels[2:] {
		values = append(values, g.Labels[label])
	}
	kind := prometheus.GaugeValue
	if Of(name).Type == Counter {
		kind = prometheus.CounterValue
	}
	out <- prometheus.MustNewConstMetric(descriptions[name], kind, g.Value, values...)
}

func truth(t bool) float64 {
	if t {
		return 1
	}
	return 0
}
