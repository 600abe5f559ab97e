package learning

import (
	"time"

	"github.com/tidemark/tidemark/history"
	"github.com/tidemark/tidemark/scale"
)

// Learner keeps the history of one workload by a plan.
type Learner struct {
	Plan
	History *history.History
}

// New returns a learner that knows nothing yet.
func New(p Plan) (*Learner, error) {
	h, err := history.New(p.Settings)
	if err != nil {
		return nil, err
	}
	return &Learner{Plan: p, History: h}, nil
}

// Learn adds an observation to the history, and the history's summary to the
// observation. Recommendations that the observation brings along stay: a VPA
// object knows better.
func (l *Learner) Learn(seen *scale.Observation) {
	h := l.History
	h.Observe(*seen)
	if l.Bounds {
		seen.Learned = h.Learned(seen.At, h.Ahead(l.Sync), l.Factors)
	}
	if l.Headroom && len(l.Places) > 0 {
		l.headroom(seen)
	}
	if l.Recommend && seen.Recommended == nil {
		seen.Recommended = h.Usage.Recommend(seen.At, l.Estimator, seen.Target.Containers)
	}
}

// headroom follows the growth of the usage. What saturated pods use says
// nothing about what is asked for, so it teaches nothing. There is one sketch of
// growth: where metrics look at several containers, it follows the first.
func (l *Learner) headroom(seen *scale.Observation) {
	use := usageOf(seen, l.Places[0])
	if !use.known {
		return
	}
	within := l.History.Reaction(use.delay, l.Sync)
	if !use.saturated {
		l.History.Growth.Observe(seen.At, use.total, within)
	}
	growth, known := l.History.Headroom(scale.CPU, use.total, l.Risk, within)
	if !known {
		return
	}
	if seen.Learned == nil {
		seen.Learned = &scale.Learned{}
	}
	growth.Container = l.Places[0]
	seen.Learned.Headroom = append(seen.Learned.Headroom, growth)
}

// use is what the pods used, as it was last measured.
type use struct {
	total scale.Amount
	// delay is how old the measurement is.
	delay time.Duration
	// saturated is set when a container used all that it may.
	saturated bool
	known     bool
}

// usageOf sums the cpu that a container used over the pods, or that the whole
// pods did.
func usageOf(seen *scale.Observation, container string) use {
	var out use
	for i := range seen.Pods {
		pod := &seen.Pods[i]
		for j := range pod.Containers {
			c := &pod.Containers[j]
			used, known := c.Usage.Get(scale.CPU)
			if !known || (container != "" && c.Name != container) {
				continue
			}
			out.total, out.known = out.total.Add(max(used, 0)), true
			out.saturated = out.saturated || full(seen.Target.Containers, c.Name, used)
		}
		if !pod.UsageAt.IsZero() {
			out.delay = max(out.delay, seen.At.Sub(pod.UsageAt))
		}
	}
	return out
}

// full tells whether a container used its limit.
func full(containers []scale.Container, name string, used scale.Amount) bool {
	for i := range containers {
		if limit, ok := containers[i].Limits.Get(scale.CPU); ok && containers[i].Name == name {
			return used >= limit
		}
	}
	return false
}
