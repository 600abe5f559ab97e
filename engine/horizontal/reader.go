package horizontal

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// futureSkew is how far ahead of the observation a sample's clock may be. It
// covers nodes whose clocks differ a little, not nonsense.
const futureSkew = 30 * time.Second

// Why a metric has no usable sample, for people.
const (
	problemNothing  = "the source returned nothing"
	problemNegative = "the source returned a negative value"
	problemTarget   = "the source states no target above 0, and the metric has none of its own"
	problemStale    = "the sample is too old"
	problemFuture   = "the sample is from the future"
	problemNoPods   = "the target has no pods"
	problemUnlisted = "the pods' usage is unknown"
	problemNoUsage  = "no pod has a usable sample"
	// What is left are pods that start, restart or wait.
	problemNoneServes = "no pod serves, or runs for long enough to go by what it uses"
	problemRequests   = "the pods request none of the resource, so there is no utilization"
)

// reader makes one metric's proposal.
type reader struct {
	rules  *Rules
	metric *Metric
	obs    *scale.Observation
	facts  *scale.MetricFacts
}

func (r reader) propose() proposal {
	if r.metric.Kind.PerPod() {
		return r.fromPods()
	}
	return r.fromSource()
}

func (r reader) missing(problem string) proposal {
	r.facts.Problem = problem
	return proposal{state: missing}
}

// sample returns what the source said of the metric.
func (r reader) sample() scale.Sample {
	if r.facts.Index < len(r.obs.Samples) {
		return r.obs.Samples[r.facts.Index]
	}
	return scale.Sample{}
}

// unusable says what is wrong with the moment of a sample, if anything.
func (r reader) unusable(at time.Time, window time.Duration) string {
	switch {
	case at.IsZero():
		return ""
	case at.After(r.obs.At.Add(futureSkew)):
		return problemFuture
	case at.Before(r.obs.At.Add(-r.rules.StaleAfter - window)):
		return problemStale
	}
	return ""
}

// fromSource proposes from an Object or External metric.
func (r reader) fromSource() proposal {
	total, problem := r.total(r.sample())
	if problem != "" {
		return r.missing(problem)
	}
	return r.fromTotal(load{usage: total, unit: 1, base: 1})
}

// fromTotal proposes from the value of the whole.
func (r reader) fromTotal(l load) proposal {
	current := r.obs.Target.SpecReplicas
	if r.metric.Type == scale.AverageValue && current > 0 {
		l.base *= int64(current)
	}
	r.facts.Value, r.facts.Known = l.value(), true
	if current == 0 {
		return r.wake(l)
	}
	side := r.rules.side(l, r.metric.Band)
	n := r.basis(side)
	if side == scale.None {
		return r.rules.inside(l, r.metric.Band, n, current)
	}
	return guarded(r.count(l, side, n), r.metric.Band, side, current)
}

// total sums the series. One unusable series makes the whole sum a guess, so
// it is refused.
func (r reader) total(s scale.Sample) (sum scale.Amount, problem string) {
	switch {
	case s.Problem != "":
		return 0, s.Problem
	case len(s.Series) == 0:
		return 0, problemNothing
	case r.metric.BySource && s.Target <= 0:
		return 0, problemTarget
	}
	for _, v := range s.Series {
		if v < 0 {
			return 0, problemNegative
		}
		sum = sum.Add(v)
	}
	return sum, r.unusable(s.At, 0)
}

// basis is the number of pods a total belongs to. Pods that are not ready, or
// extra ones of a rollout, must not amplify a change: on the way up the
// smaller of the ready and the wanted count is taken, on the way down the
// larger.
func (r reader) basis(side scale.Direction) int32 {
	current := r.obs.Target.SpecReplicas
	if r.metric.Type == scale.AverageValue || side == scale.None {
		return current
	}
	ready := r.readyPods()
	r.facts.Pods.Counted = ready
	if side == scale.Up {
		return min(ready, current)
	}
	return max(ready, current)
}

func (r reader) readyPods() int32 {
	if r.obs.Pods == nil {
		return r.obs.Target.StatusReplicas
	}
	ready := int32(0)
	for i := range r.obs.Pods {
		if r.obs.Pods[i].Serves() {
			ready++
		}
	}
	return ready
}

// wake proposes from zero replicas. One pod stands for the none there are: a
// plain target wakes for any load at all, a band sleeps below its low mark
// and wakes above its high one.
func (r reader) wake(l load) proposal {
	side := r.rules.side(l, r.metric.Band)
	if r.metric.Band.Single() {
		side = scale.Down
		if l.usage > 0 {
			side = scale.Up
		}
	}
	p := proposal{reason: sideReason(r.metric.Band, side), state: answered}
	if side == scale.Up {
		p.replicas = r.count(l, side, 1)
	}
	return p
}
