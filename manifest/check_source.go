package manifest

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// source checks who is asked for a metric, and what counts while nobody answers. What
// depends on the rest of the autoscaler is the compiler's to say.
func (c *checker) source(at fault.Path, m Metric) {
	for _, s := range m.sources() {
		switch {
		case c.kind == HorizontalPodAutoscaler:
			c.faults.Add(at.Field(s), "is not known to a %s: make the kind %s, or remove it", c.kind, WorkloadAutoscaler)
		case s != "onMissing" && m.Type != v1alpha1.ExternalMetricType:
			c.faults.Add(at.Field(s), "does not belong to a metric of type %s: remove it, or make the type External", m.Type)
		}
	}
	if o := m.OnMissing; o != nil {
		if _, err := o.MarshalJSON(); err != nil {
			c.faults.Add(at.Field("onMissing"), "must be a word, Hold or Ignore, or name a count, such as {replicas: 10}, and not both")
		}
	}
}

// sources are the fields that say who is asked, and what counts otherwise, as far as they
// are there.
func (m Metric) sources() []string {
	var out []string
	if m.Prometheus != nil {
		out = append(out, "prometheus")
	}
	if m.GRPC != nil {
		out = append(out, "grpc")
	}
	if m.OnMissing != nil {
		out = append(out, "onMissing")
	}
	return out
}
