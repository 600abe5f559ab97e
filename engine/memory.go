package engine

import (
	"time"

	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/engine/learn"
	"github.com/tidemark/tidemark/engine/limit"
	"github.com/tidemark/tidemark/scale"
)

// Memory is everything a later decision needs of earlier ones. It is a plain
// value of bounded size that survives a round trip through JSON, so it lives
// in the object's status and a restart changes nothing. Empty memory means
// that the workload is seen for the first time.
type Memory struct {
	limit.Past `json:",inline"`
	// Learned is what learning remembers from one decision to the next.
	Learned learn.Past `json:"learned,omitzero"`
	// Elastic is what resizing in place remembers.
	Elastic elastic.Past `json:"elastic,omitzero"`
	// Seen is set from the first decision on.
	Seen bool `json:"seen,omitempty"`
	// Replicas is the count the last decision left behind. A different count
	// now means that someone else has scaled the workload.
	Replicas int32 `json:"replicas,omitempty"`
	// Sized is the size that pods are brought to, where they are sized.
	Sized []Sized `json:"sized,omitempty"`
	// Short is for how many looks in a row pods have had less than was wanted.
	Short int32 `json:"short,omitempty"`
	// ShortCount is how many pods it takes to make up for that.
	ShortCount int32 `json:"shortCount,omitempty"`
	// Slept is set while a workload is at zero because we brought it there.
	// Only compatibility HPA needs it.
	Slept bool `json:"slept,omitempty"`
	// Missing is since when metrics have had no sample, where one of them falls
	// back after a time.
	Missing []horizontal.Lack `json:"missing,omitempty"`
	// Stopped is the same for a workload that a pause brought to zero.
	Stopped bool `json:"stopped,omitempty"`
}

// recall makes the memory what it is at an observation. Lists are the caller's, and
// are not changed.
func (m *Memory) recall(p *Policy, obs *scale.Observation) {
	m.Past.Recall(obs.At)
	m.Learned.Recall(obs.At)
	if p.Elastic != nil {
		m.Elastic = m.Elastic.Recalled(obs.At)
	}
	// A memory that knows a count was there before, whatever else it says.
	m.Seen = m.Seen || m.Replicas != 0
	current := obs.Target.SpecReplicas
	switch {
	case !m.Seen && p.upstream():
		m.RememberDesired(&p.Limit, obs.At, current)
	case m.Seen && m.Replicas != current && !p.upstream():
		m.RememberChange(&p.Limit, obs.At, current-m.Replicas)
	}
}

// watched is what depends on how long something has lasted, and what is
// remembered of that.
type watched struct {
	// Bounds are those of this decision: an emergency raises the minimum.
	Bounds  scale.Bounds
	Learned learn.Past
	Sides   limit.Sides
	// IdleSince is since when the idle count has been desired without a break.
	IdleSince time.Time
}

// watch looks for how long nothing was known, and for how long a change has been
// desired.
func (in input) watch(l *learned, d *desired, p *plan) (w watched) {
	outside := p.Side
	if p.creeps() {
		outside = scale.None
	}
	w.Sides = in.memory.Sides.On(outside, in.obs.At, p.Informed)
	bounds := l.Bounds
	if in.policy.Horizontal.Activates || in.policy.Limit.ToZero > 0 {
		bounds, w.IdleSince = in.idle(bounds, d, p.Informed)
	}
	w.Bounds, w.Learned = in.policy.Learn.Watched(bounds, l.Past, in.obs.At, p.Informed || in.onlyTheHPAKnows())
	return w
}

// remember returns what the next decision has to know of this one, which is about
// to be carried out.
func (in input) remember(a *desired, p *plan, w *watched, d *scale.Decision) (next Memory) {
	rules, at := &in.policy.Limit, in.obs.At
	next = *in.memory
	next.Sides, next.Learned, next.Totals, next.IdleSince = w.Sides, w.Learned, p.Past, w.IdleSince
	next.Short, next.ShortCount, next.Missing = p.Short.Looks, p.Short.Count, a.Missing
	if a.Elastic.Set {
		next.Elastic = a.Elastic.Past
	}
	if p.Informed && !p.ByTotals {
		next.RememberDesired(rules, at, p.Count)
	}
	if change := d.Want.Replicas - d.From.Replicas; change != 0 {
		next.RememberChange(rules, at, change)
		next.Slept = d.Want.Replicas == 0 && d.Bounds.Min == 0 && in.policy.Horizontal.HasMetricWithoutPods()
		next.Stopped = d.Want.Replicas == 0 && d.Pause != nil
	} else if !d.Want.Equal(d.From) {
		next.LastEventAt = at
	}
	if in.policy.Sizes() {
		next.Sized = sizedAs(next.Sized, d.Want.Containers)
	}
	next.Seen, next.Replicas = true, d.Want.Replicas
	return next
}
