package past

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tidemark/tidemark/internal/controller/metrics"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/scale"
)

// lines are the series that are lines of every workload.
var lines = map[string]int{
	metrics.Effective: feed.Want, metrics.MinReplicas: feed.Min, metrics.MaxReplicas: feed.Max, metrics.ReadyPods: feed.Ready,
	metrics.Usage: feed.Demand, metrics.PodCores: feed.CPU, metrics.PodBytes: feed.Memory,
}

// names are those of all series that are asked for, as a pattern.
var names = func() string {
	out := []string{metrics.Value, metrics.LowWatermark, metrics.HighWatermark, metrics.Restricted}
	for name := range lines {
		out = append(out, name)
	}
	slices.Sort(out)
	return strings.Join(out, "|")
}()

// rows are a piece minute by minute.
type rows struct {
	start  time.Time
	values []feed.Moment
}

// historyOf puts series together, so many minutes from a start on. Minutes of which
// no decision is known are left out.
func historyOf(all []prometheus.Line, start time.Time, minutes int) *feed.History {
	r := rows{start: start, values: make([]feed.Moment, max(minutes, 0))}
	for i := range r.values {
		r.values[i].At = start.Add(time.Duration(i) * step)
		for line := range r.values[i].Values {
			r.values[i].Values[line] = float32(math.NaN())
		}
	}
	for i := range all {
		r.take(&all[i])
	}
	out, before, gap := &feed.History{}, float32(math.NaN()), false
	for i := range r.values {
		m := &r.values[i]
		want := m.Values[feed.Want]
		if math.IsNaN(float64(want)) {
			if before = want; !gap {
				// What was known before does not go on.
				out.Add(feed.Moment{At: m.At, Values: m.Values})
			}
			gap = true
			continue
		}
		gap = false
		if m.Values[feed.Replicas] = want; !math.IsNaN(float64(before)) && before != want {
			m.Values[feed.Replicas], m.Changed, m.Headline = before, true, fmt.Sprintf("%.0f -> %.0f", before, want)
		}
		m.Values[feed.Capacity] = m.Values[feed.Ready] * m.Values[feed.CPU]
		before = want
		out.Add(*m)
	}
	return out
}

// take takes a series.
func (r *rows) take(l *prometheus.Line) {
	name := l.Labels["__name__"]
	line, common := lines[name]
	for _, p := range l.Points {
		i := int(p.At.Sub(r.start) / step)
		if i < 0 || i >= len(r.values) {
			continue
		}
		m, value := &r.values[i], float32(float64(p.Value)/float64(scale.Thousand))
		switch {
		case common:
			m.Values[line] = value
		case name == metrics.Restricted:
			if value == 1 {
				because(m, scale.Reason(l.Labels["reason"]))
			}
		case name == metrics.Value || name == metrics.LowWatermark || name == metrics.HighWatermark:
			r.read(m, name, l.Labels, value)
		}
	}
}

// because notes why a workload had its size.
func because(m *feed.Moment, r scale.Reason) {
	if slices.Contains(scale.Limiting, r) {
		m.LimitedBy = r
	} else {
		m.Reason = r
	}
}

// read notes what a metric showed.
func (r *rows) read(m *feed.Moment, name string, labels map[string]string, value float32) {
	metric := feed.MetricName(labels["metric_name"], scale.MetricSource{Container: labels["container"], Object: labels["object"], Selector: labels["selector"]})
	i := slices.IndexFunc(m.Metrics, func(x feed.Reading) bool { return x.Name == metric })
	if i < 0 {
		unknown := float32(math.NaN())
		m.Metrics = append(m.Metrics, feed.Reading{Name: metric, Unit: unit(labels), Value: unknown, Low: unknown, High: unknown})
		i = len(m.Metrics) - 1
	}
	switch name {
	case metrics.Value:
		m.Metrics[i].Value = value
	case metrics.LowWatermark:
		m.Metrics[i].Low = value
	case metrics.HighWatermark:
		m.Metrics[i].High = value
	}
}

func unit(labels map[string]string) string {
	switch {
	case labels["target_type"] == scale.Utilization.String():
		return "percent"
	case labels["metric_name"] == scale.Memory.String():
		return "bytes"
	}
	return ""
}
