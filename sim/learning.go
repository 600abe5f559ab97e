package sim

import (
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/history"
	"github.com/tidemark/tidemark/scale"
)

// Learning says what an autoscaler keeps of the past beside its memory, and
// what it makes of it.
type Learning struct {
	Settings history.Settings
	// Bounds lets the slots of the week bound the count.
	Bounds  bool
	Factors history.Factors
	// Headroom sizes by measured growth, for a risk in billionths.
	Headroom bool
	Risk     int64
	// Recommend sizes the pods by their own usage.
	Recommend bool
	Estimator history.EstimatorSettings
}

// learner keeps the history of one run.
type learner struct {
	Learning
	history *history.History
	// places are the containers that metrics of cpu look at; empty is the pod.
	places []string
}

func newLearner(l Learning, metrics []horizontal.Metric) (*learner, error) {
	h, err := history.New(l.Settings)
	if err != nil {
		return nil, err
	}
	out := &learner{Learning: l, history: h}
	for i := range metrics {
		if m := &metrics[i]; m.Headroom && m.Resource == scale.CPU {
			out.places = append(out.places, m.Container)
		}
	}
	return out, nil
}

// learn adds an observation to the history, and the history's summary to the
// observation.
func (l *learner) learn(seen *scale.Observation, s *Settings) {
	h := l.history
	h.Observe(*seen)
	if l.Bounds {
		seen.Learned = h.Learned(seen.At, h.Ahead(s.Sync), l.Factors)
	}
	if l.Headroom {
		l.headroom(seen, s)
	}
	if l.Recommend {
		seen.Recommended = h.Usage.Recommend(seen.At, l.Estimator, seen.Target.Containers)
	}
}

// headroom follows the growth of the usage. What saturated pods use says
// nothing about what is asked for, so it teaches nothing.
func (l *learner) headroom(seen *scale.Observation, s *Settings) {
	usage, most := scale.Amount(0), scale.Amount(0)
	for i := range seen.Pods {
		used, _ := seen.Pods[i].Containers[0].Usage.Get(scale.CPU)
		usage, most = usage.Add(used), max(most, used)
	}
	within := l.history.Reaction(s.MetricDelay, s.Sync)
	container := &seen.Target.Containers[0]
	if most < capacity(container.Requests, container.Limits) {
		l.history.Growth.Observe(seen.At, usage, within)
	}
	growth, known := l.history.Headroom(scale.CPU, usage, l.Risk, within)
	if !known {
		return
	}
	if seen.Learned == nil {
		seen.Learned = &scale.Learned{}
	}
	for _, place := range l.places {
		growth.Container = place
		seen.Learned.Headroom = append(seen.Learned.Headroom, growth)
	}
}
