package engine

import (
	"time"

	"github.com/tidemark/tidemark/engine/elastic"
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
}

// recall returns the memory as it counts at this observation.
func recall(p *Policy, seen *scale.Observation, past Memory) Memory {
	past.Past = past.Recalled(seen.At)
	past.Learned = past.Learned.Recalled(seen.At)
	if p.Elastic != nil {
		past.Elastic = past.Elastic.Recalled(seen.At)
	}
	// A memory that knows a count was there before, whatever else it says.
	past.Seen = past.Seen || past.Replicas != 0
	current := seen.Target.SpecReplicas
	switch {
	case !past.Seen && p.upstream():
		past.Wished(&p.Limit, seen.At, current)
	case past.Seen && past.Replicas != current && !p.upstream():
		past.Changed(&p.Limit, seen.At, current-past.Replicas)
	}
	return past
}

// applied records that a decision is about to be carried out.
func (m *Memory) applied(p *Policy, at time.Time, from, want scale.Size) {
	if change := want.Replicas - from.Replicas; change != 0 {
		m.Changed(&p.Limit, at, change)
		m.Slept = want.Replicas == 0 && p.Limit.Min == 0 && p.Horizontal.HasMetricWithoutPods()
	} else if !want.Equal(from) {
		m.LastEventAt = at
	}
	m.Seen, m.Replicas = true, want.Replicas
}
