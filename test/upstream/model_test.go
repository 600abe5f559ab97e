package upstream

import (
	"math"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
)

// Model is the replica algorithm written down a third time, independently of
// both implementations, with each deliberate difference behind a switch. It is
// the proof that the list of differences is complete: without switches it must
// equal upstream, with all of them it must equal the engine.
func Model(c *Case, on Switch) Proposal { return newModel(c, on).propose() }

// OutOfRange tells whether upstream's arithmetic leaves the range of its
// integers on the way to an answer.
func OutOfRange(c *Case) bool {
	m := newModel(c, 0)
	m.propose()
	return m.outOfRange
}

type model struct {
	*Case
	on         Switch
	source     source
	marks      marks
	outOfRange bool
}

func newModel(c *Case, on Switch) *model {
	return &model{Case: c, on: on, source: sourceOf(c.Metric()), marks: marksOf(&c.HPA, c.Metric())}
}

func (m *model) propose() Proposal {
	switch {
	case m.Answers[0].Err != nil:
		return Proposal{}
	case perPod(m.Metric()):
		return m.fromPods()
	case m.source.target.AverageValue != nil:
		return m.fromShared()
	}
	return m.fromValue()
}

func count(replicas int32) Proposal { return Proposal{Replicas: replicas, Known: true} }

// guarded applies DirectionGuard to a count that a ratio asks for.
func (m *model) guarded(want int32, r ratio) Proposal {
	if m.on.Has(DirectionGuard) && (m.below(r) && want > m.SpecReplicas || m.above(r) && want < m.SpecReplicas) {
		want = m.SpecReplicas
	}
	return count(want)
}

// total adds the series up. Upstream caps its two sums differently.
func (m *model) total() (sum int64, ok bool) {
	a := &m.Answers[0]
	if len(a.Series) == 0 {
		return 0, false
	}
	for _, v := range a.Series {
		if m.on.Has(SamplesRefused) && (v < 0 || m.stale(a.At, 0)) {
			return 0, false
		}
	}
	shared := m.source.target.AverageValue != nil && m.Metric().Type == autoscalingv2.ExternalMetricSourceType
	for _, v := range a.Series {
		switch before := sum; {
		case shared && (before+v < 0):
			return math.MaxInt64, true
		case v > 0 && before > math.MaxInt64-v:
			return math.MaxInt64, true
		default:
			sum = before + v
		}
	}
	return sum, true
}

// fromShared is a total with a target per pod.
func (m *model) fromShared() Proposal {
	total, ok := m.total()
	if !ok {
		return Proposal{}
	}
	sharers := m.StatusReplicas
	if m.on.Has(SpecReplicas) {
		sharers = m.SpecReplicas
	}
	checked := m.Metric().Type == autoscalingv2.ExternalMetricSourceType
	want := m.ceil(newRatio(total, m.marks.target), 1, checked)
	r := newRatio(total, m.marks.target, int64(sharers))
	switch {
	case sharers == 0:
		return count(want)
	case m.within(r):
		return count(sharers)
	}
	return m.guarded(want, r)
}

// fromValue is a total with a target of its own.
func (m *model) fromValue() Proposal {
	total, ok := m.total()
	if !ok {
		return Proposal{}
	}
	r := newRatio(total, m.marks.target)
	switch {
	case m.SpecReplicas == 0:
		return count(m.ceil(r, 1, false))
	case m.within(r):
		return count(m.SpecReplicas)
	}
	basis := m.ready()
	switch {
	case !m.on.Has(BoundedBasis):
		if len(m.Pods) == 0 {
			return Proposal{}
		}
	case m.above(r):
		basis = min(basis, m.SpecReplicas)
	default:
		basis = max(basis, m.SpecReplicas)
	}
	return m.guarded(m.ceil(r, int64(basis), true), r)
}

func (m *model) ready() int32 {
	ready := int32(0)
	for _, pod := range m.Pods {
		leaving := m.on.Has(BoundedBasis) && pod.DeletionTimestamp != nil
		if status, _ := readyCondition(pod); pod.Status.Phase == corev1.PodRunning && status == corev1.ConditionTrue && !leaving {
			ready++
		}
	}
	return ready
}
