package twin

import (
	"fmt"
	"strings"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/scale"
)

// rampStep is how often a ramp moves.
const rampStep = Window / 2

// cpuAt is what all pods have to do together at a moment of the course. A ramp
// moves in steps, in the first half of its phase.
func (s *Scenario) cpuAt(at time.Duration) scale.Amount {
	now, begin := scale.Amount(0), time.Duration(0)
	for i := range s.Course {
		p := &s.Course[i]
		if begin > at {
			break
		}
		if p.CPU != nil {
			to, long := amount(*p.CPU), p.length()/2
			if passed := (at - begin) / rampStep * rampStep; p.Ramp && passed < long {
				to = now + (to-now)*scale.Amount(passed)/scale.Amount(long)
			}
			now = to
		}
		begin += p.length()
	}
	return now
}

// metricName is the name of a metric that is scripted; empty for resources.
func metricName(m *v1alpha1.MetricSpec) string {
	switch {
	case m.External != nil:
		return m.External.Metric.Name
	case m.Object != nil:
		return m.Object.Metric.Name
	case m.Pods != nil:
		return m.Pods.Metric.Name
	}
	return ""
}

// failure is the value of a metric that cannot be had.
const failure = "error"

// sample is what the adapter would answer.
func sample(m *v1alpha1.MetricSpec, value string, pods int) scale.Sample {
	if value == failure || value == "" {
		return scale.Sample{Problem: fmt.Sprintf("metric %s fails because the script says so", metricName(m))}
	}
	a, err := scale.ParseAmount(value)
	if err != nil {
		return scale.Sample{Problem: err.Error()}
	}
	if m.Pods == nil {
		return scale.Sample{Series: []scale.Amount{a}}
	}
	out := scale.Sample{PerPod: make([]scale.PodValue, pods)}
	for i := range out.PerPod {
		out.PerPod[i] = scale.PodValue{Value: a / scale.Amount(pods), Known: true}
	}
	return out
}

// upTo calls visit for each phase that has begun at a moment.
func (s *Scenario) upTo(at time.Duration, visit func(*Phase)) {
	begin := time.Duration(0)
	for i := range s.Course {
		if begin > at {
			return
		}
		visit(&s.Course[i])
		begin += s.Course[i].length()
	}
}

func (s *Scenario) metricAt(name string, at time.Duration) (value string) {
	s.upTo(at, func(p *Phase) {
		if v, ok := p.Metrics[name]; ok {
			value = strings.TrimSpace(v)
		}
	})
	return value
}

func (s *Scenario) requestedAt(at time.Duration) *int32 {
	requested := s.Policy.Replicas.Requested
	s.upTo(at, func(p *Phase) {
		if p.Requested != nil {
			requested = p.Requested
		}
	})
	return requested
}

func (s *Scenario) recommendedAt(at time.Duration) (r *Resources) {
	s.upTo(at, func(p *Phase) {
		if p.Recommended != nil {
			r = p.Recommended
		}
	})
	return r
}
