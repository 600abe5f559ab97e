package explain

import (
	"cmp"
	"slices"

	"github.com/tidemark/tidemark/scale"
)

// Gauge is one number of a decision for a monitoring system.
type Gauge struct {
	Name   string
	Labels map[string]string
	Value  float64
}

// Reading is a gauge whose labels are a value: whoever shows thousands of decisions
// needs no map of each.
type Reading struct {
	Name   string
	Labels Labels
	Value  float64
}

// Labels tell the gauges of one name apart. Those that a gauge does not have are
// empty, which to Prometheus is as good as absent.
type Labels struct {
	MetricName, Container, Object, Selector, TargetType string
	Reason, Transition                                  string
}

// everyLabel is the name of each label.
var everyLabel = slices.Concat(MetricLabels, []string{"reason", "transition"})

// asMap has the labels that are not empty.
func (l *Labels) asMap() map[string]string {
	if *l == (Labels{}) {
		return nil
	}
	out := map[string]string{}
	for _, name := range everyLabel {
		if value := l.Of(name); value != "" {
			out[name] = value
		}
	}
	return out
}

// Of is the label of a name.
func (l *Labels) Of(name string) string {
	switch name {
	case "metric_name":
		return l.MetricName
	case "container":
		return l.Container
	case "object":
		return l.Object
	case "selector":
		return l.Selector
	case "target_type":
		return l.TargetType
	case "reason":
		return l.Reason
	case "transition":
		return l.Transition
	}
	return ""
}

// The gauges of the Watermark KEP, and the bounds of the count.
const (
	GaugeValue         = "value"
	GaugeLowWatermark  = "low_watermark"
	GaugeHighWatermark = "high_watermark"
	GaugeProposal      = "replicas_scaling_proposal"
	GaugeEffective     = "replicas_scaling_effective"
	GaugeRestricted    = "restricted_scaling"
	GaugeCountdown     = "transition_countdown_seconds"
	GaugeMin           = "min_replicas"
	GaugeMax           = "max_replicas"
)

// The gauges of what is not in force.
const (
	GaugeMissing   = "pods_missing"
	GaugePending   = "pods_pending"
	GaugeCrashing  = "pods_crash_looping"
	GaugeNotAtSize = "pods_not_at_size"
)

// MetricLabels are the names of the labels that tell the metrics of a workload apart.
var MetricLabels = []string{"metric_name", "container", "object", "selector", "target_type"}

// resting are the reasons of a metric to desire no other size. They keep a
// workload where it is only while they have the last word.
var resting = []scale.Reason{scale.WithinWatermarks, scale.WithinTolerance, scale.NoData, scale.PartialData, scale.DirectionGuard,
	scale.NotActivated, scale.NotAllAgree, scale.FormulaMissing}

// RestrictingReasons are the reasons that appear as series of GaugeRestricted:
// those that can limit a desired size, and those for which there was none. Each
// is 0 once it has ended, so that a graph shows when.
var RestrictingReasons = slices.Concat(resting, scale.Limiting)

// Gauges returns a decision as numbers.
func Gauges(d scale.Decision) []Gauge {
	var out []Gauge
	EachGauge(&d, RestrictingReasons, func(r Reading) { out = append(out, Gauge{r.Name, r.Labels.asMap(), r.Value}) })
	return out
}

// EachGauge yields what Gauges returns, one after another: whoever shows thousands
// of decisions needs no list of each. Of the reasons that do not hold the workload
// now it yields those that have before.
func EachGauge(d *scale.Decision, before []scale.Reason, yield func(Reading)) {
	for i := range d.Steps {
		if d.Steps[i].Metric != nil {
			eachOfMetric(&d.Steps[i], yield)
		}
	}
	yield(Reading{Name: GaugeEffective, Value: float64(d.Want.Replicas)})
	yield(Reading{Name: GaugeMin, Value: float64(d.Bounds.Min)})
	yield(Reading{Name: GaugeMax, Value: float64(d.Bounds.Max)})
	restricting := Restricting(d)
	for _, r := range RestrictingReasons {
		switch {
		case slices.Contains(restricting, r):
			yield(Reading{GaugeRestricted, Labels{Reason: string(r)}, 1})
		case slices.Contains(before, r):
			yield(Reading{GaugeRestricted, Labels{Reason: string(r)}, 0})
		}
	}
	yield(Reading{GaugeCountdown, Labels{Transition: "upscale"}, d.Countdown.Up.Seconds()})
	yield(Reading{GaugeCountdown, Labels{Transition: "downscale"}, d.Countdown.Down.Seconds()})
}

// Restricting returns the reasons that kept the workload from another size: those
// of every step that limited the desired size, and of one that stays because
// nothing else was desired, that reason.
func Restricting(d *scale.Decision) []scale.Reason {
	var out []scale.Reason
	for i := range d.Steps {
		// Pods that make up for sizes that do not come are more, not held back.
		s := &d.Steps[i]
		if s.Limits() && (s.Reason != scale.ResizeLagging || s.Out.Replicas <= d.From.Replicas) && !slices.Contains(out, s.Reason) {
			out = append(out, s.Reason)
		}
	}
	if d.Want.Equal(d.From) && slices.Contains(resting, d.Reason) && !slices.Contains(out, d.Reason) {
		out = append(out, d.Reason)
	}
	return out
}

// ShortfallGauges returns what is not in force as numbers.
func ShortfallGauges(r scale.Shortfall) []Gauge {
	return []Gauge{
		{Name: GaugeMissing, Value: float64(r.Missing)},
		{Name: GaugePending, Value: float64(r.Pending)},
		{Name: GaugeCrashing, Value: float64(r.Crashing)},
		{Name: GaugeNotAtSize, Value: float64(r.NotAtSize)},
	}
}

func eachOfMetric(s *scale.Step, yield func(Reading)) {
	m := s.Metric
	labels := Labels{MetricName: cmp.Or(m.Of.Name, m.Name), Container: m.Of.Container, Object: m.Of.Object, Selector: m.Of.Selector}
	if m.Index >= 0 {
		labels.TargetType = valueType(m).String()
	}
	yield(Reading{GaugeProposal, labels, float64(s.Out.Replicas)})
	if m.Known {
		yield(Reading{GaugeValue, labels, units(m.Value)})
	}
	if banded(m) {
		yield(Reading{GaugeLowWatermark, labels, units(m.Band.Low)})
		yield(Reading{GaugeHighWatermark, labels, units(m.Band.High)})
	}
}

func units(a scale.Amount) float64 { return float64(a) / float64(scale.Thousand) }
