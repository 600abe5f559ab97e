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
	GaugeNotAtSize = "pods_not_at_size"
)

// MetricLabels are the labels that tell the metrics of a workload apart. Those
// that a metric does not have are empty, which to Prometheus is as good as
// absent.
var MetricLabels = []string{"metric_name", "container", "object", "selector", "target_type"}

// resting are the reasons of a metric to desire no other size. They keep a
// workload where it is only while they have the last word.
var resting = []scale.Reason{scale.WithinWatermarks, scale.WithinTolerance, scale.NoData, scale.PartialData, scale.DirectionGuard,
	scale.NotActivated, scale.NotAllAgree, scale.FormulaMissing}

// RestrictingReasons are the reasons that appear as series of GaugeRestricted:
// those that can limit a desired size, and those for which there was none. Each
// is always present, 0 or 1, so that a graph shows when it ended.
var RestrictingReasons = slices.Concat(resting, scale.Limiting)

// Gauges returns a decision as numbers.
func Gauges(d scale.Decision) []Gauge {
	var out []Gauge
	for _, s := range d.Steps {
		if s.Metric != nil {
			out = append(out, metricGauges(s)...)
		}
	}
	out = append(out,
		Gauge{Name: GaugeEffective, Value: float64(d.Want.Replicas)},
		Gauge{Name: GaugeMin, Value: float64(d.Bounds.Min)},
		Gauge{Name: GaugeMax, Value: float64(d.Bounds.Max)})
	restricted := restrictedBy(d)
	for _, r := range RestrictingReasons {
		g := Gauge{Name: GaugeRestricted, Labels: map[string]string{"reason": string(r)}}
		if restricted[r] {
			g.Value = 1
		}
		out = append(out, g)
	}
	return append(out,
		Gauge{Name: GaugeCountdown, Labels: map[string]string{"transition": "upscale"}, Value: d.Countdown.Up.Seconds()},
		Gauge{Name: GaugeCountdown, Labels: map[string]string{"transition": "downscale"}, Value: d.Countdown.Down.Seconds()})
}

// restrictedBy are the reasons that kept the workload from another size: those
// of every step that limited the desired size, and of one that stays because
// nothing else was desired, that reason.
func restrictedBy(d scale.Decision) map[scale.Reason]bool {
	out := map[scale.Reason]bool{}
	for _, s := range d.Steps {
		// Pods that make up for sizes that do not come are more, not held back.
		if s.Limits() && (s.Reason != scale.ResizeLagging || s.Out.Replicas <= d.From.Replicas) {
			out[s.Reason] = true
		}
	}
	if d.Want.Equal(d.From) && slices.Contains(resting, d.Reason) {
		out[d.Reason] = true
	}
	return out
}

// ShortfallGauges returns what is not in force as numbers.
func ShortfallGauges(r scale.Shortfall) []Gauge {
	return []Gauge{
		{Name: GaugeMissing, Value: float64(r.Missing)},
		{Name: GaugePending, Value: float64(r.Pending)},
		{Name: GaugeNotAtSize, Value: float64(r.NotAtSize)},
	}
}

func metricGauges(s scale.Step) []Gauge {
	m := s.Metric
	labels := map[string]string{
		"metric_name": cmp.Or(m.Of.Name, m.Name), "container": m.Of.Container, "object": m.Of.Object, "selector": m.Of.Selector,
	}
	if m.Index >= 0 {
		labels["target_type"] = valueType(m).String()
	}
	out := []Gauge{{GaugeProposal, labels, float64(s.Out.Replicas)}}
	if m.Known {
		out = append(out, Gauge{GaugeValue, labels, units(m.Value)})
	}
	if banded(m) {
		out = append(out,
			Gauge{GaugeLowWatermark, labels, units(m.Band.Low)},
			Gauge{GaugeHighWatermark, labels, units(m.Band.High)})
	}
	return out
}

func units(a scale.Amount) float64 { return float64(a) / float64(scale.Thousand) }
