package explain

import "github.com/tidemark/tidemark/scale"

// Gauge is one number of a decision for a monitoring system.
type Gauge struct {
	Name   string
	Labels map[string]string
	Value  float64
}

// The gauges of the Watermark KEP.
const (
	GaugeValue         = "value"
	GaugeLowWatermark  = "low_watermark"
	GaugeHighWatermark = "high_watermark"
	GaugeProposal      = "replicas_scaling_proposal"
	GaugeEffective     = "replicas_scaling_effective"
	GaugeRestricted    = "restricted_scaling"
	GaugeCountdown     = "transition_countdown_seconds"
)

// RestrictingReasons are the reasons that appear as series of GaugeRestricted.
// Each is always present, 0 or 1, so that a graph shows when it ended.
var RestrictingReasons = []scale.Reason{
	scale.WithinWatermarks, scale.WithinTolerance, scale.NoData, scale.DirectionGuard, scale.Stabilized,
	scale.VelocityUp, scale.VelocityDown, scale.StepRounded, scale.MinReplicas, scale.MaxReplicas,
	scale.Delayed, scale.ForbiddenWindow, scale.ModeOff, scale.Recommend, scale.Paused,
}

// Gauges returns a decision as numbers.
func Gauges(d scale.Decision) []Gauge {
	var out []Gauge
	restricted := map[scale.Reason]bool{}
	for _, s := range d.Steps {
		restricted[s.Reason] = true
		if s.Metric != nil {
			out = append(out, metricGauges(s)...)
		}
	}
	out = append(out, Gauge{Name: GaugeEffective, Value: float64(d.Want.Replicas)})
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

func metricGauges(s scale.Step) []Gauge {
	labels := map[string]string{"metric_name": s.Metric.Name}
	out := []Gauge{{GaugeProposal, labels, float64(s.Out.Replicas)}}
	if s.Metric.Known {
		out = append(out, Gauge{GaugeValue, labels, units(s.Metric.Value)})
	}
	if s.Metric.Index >= 0 {
		out = append(out,
			Gauge{GaugeLowWatermark, labels, units(s.Metric.Band.Low)},
			Gauge{GaugeHighWatermark, labels, units(s.Metric.Band.High)})
	}
	return out
}

func units(a scale.Amount) float64 { return float64(a) / float64(scale.Thousand) }
