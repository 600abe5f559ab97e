package engine

import (
	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/scale"
)

// desired is what the metrics ask for, before any limit.
type desired struct {
	horizontal.Desired
	// Metrics are those that were asked, and Answers the steps they left behind,
	// with that of whoever else asked for a count.
	Metrics []horizontal.Metric
	Answers []scale.Step
	// Missing are the metrics without a sample, where one falls back after a time.
	Missing []horizontal.Lack
	// Elastic is what the pods should have where they are resized in place.
	Elastic elasticTotal
	Steps   []scale.Step
}

// horizontal asks the metrics. Where pods are resized in place, the answer of the
// metric that decides is a total.
func (in input) horizontal(l *learned, facts []scale.MetricFacts) (d desired) {
	d.Metrics = l.Metrics
	if reason, want := in.upstreamSkips(&l.Bounds); reason != "" {
		d.Desired = horizontal.Desired{Replicas: want, Reason: reason, Source: -1}
		d.Steps = append(l.Steps, scale.Step{
			Stage: scale.StageHorizontal, Reason: reason, In: *in.from, Out: in.from.WithReplicas(want), Limit: want,
		})
		return d
	}
	rules := in.policy.Horizontal
	rules.Metrics = l.Metrics
	if in.policy.FallsBack {
		rules.Lacking = &horizontal.Lacking{Before: in.memory.Missing}
	}
	d.Desired, d.Steps = horizontal.Propose(&rules, in.obs, facts, l.Steps)
	if rules.Lacking != nil {
		d.Missing = rules.Lacking.Now
		for i := len(l.Steps); i < len(d.Steps); i++ {
			d.Steps[i].Wait = rules.Lacking.Waits(d.Steps[i].Metric.Name)
		}
	}
	d.Replicas = max(d.Replicas, 0)
	if in.onlyScheduled() {
		in.desireLeast(&d, &l.Bounds)
	}
	d.Answers = d.Steps[len(l.Steps):]
	if d.Reason == scale.NotAllAgree {
		d.Steps = append(d.Steps, in.note(scale.Step{Stage: scale.StageHorizontal, Reason: scale.NotAllAgree, Limit: d.Replicas}))
	}
	if in.onlyTheHPAKnows() {
		d.Reason = scale.LeftToHPA
	}
	if in.policy.Elastic != nil {
		in.settle(&d)
		in.toUsual(&d)
	}
	return d
}

// upstreamSkips decides the two cases in which the HPA does not look at metrics
// at all: a count outside the bounds, and zero replicas that it did not bring
// about itself. The reason is empty in any other.
func (in input) upstreamSkips(b *scale.Bounds) (scale.Reason, int32) {
	current := in.from.Replicas
	switch {
	case !in.policy.upstream() || current == 0 && in.memory.Slept:
		return "", 0
	case current < b.Min && b.MinReason == scale.ScheduledMin:
		return scale.ScheduledMin, b.Min
	case current == 0 && in.memory.Stopped && b.Min > 0:
		return scale.MinReplicas, b.Min
	case current == 0:
		return scale.ScalingDisabled, 0
	case current > b.Max && b.MaxReason == scale.ScheduledMax:
		return scale.ScheduledMax, b.Max
	case current > b.Max:
		return scale.MaxReplicas, b.Max
	case current < b.Min:
		return scale.MinReplicas, b.Min
	}
	return "", 0
}

// isAbout tells whether the answer of a metric is about a container's resource. A
// metric of a resource that no pod requests has no total of its own, so its
// answer is about the pods as they are.
func (d *desired) isAbout(metric int, in input, container string, res scale.Resource) bool {
	if metric < 0 || d.Metrics[metric].Kind >= horizontal.Pods {
		return true
	}
	m := &d.Metrics[metric]
	requested := false
	for i := range in.from.Containers {
		c := &in.from.Containers[i]
		request, _ := c.Requests.Get(m.Resource)
		requested = requested || (request > 0 && (m.Container == "" || m.Container == c.Name))
	}
	return !requested || (m.Resource == res && (m.Container == "" || m.Container == container))
}

// countFor is the largest count that is desired on account of a container's
// resource. An answer made of a resource of the pods is about that resource; any
// other is about all of them (readings H8). A metric without a sample stands for
// the current count, unless it is to be ignored.
func (d *desired) countFor(in input, container string, res scale.Resource) (count int32, ok bool) {
	if !d.Informed {
		return 0, false
	}
	for i := range d.Answers {
		s := &d.Answers[i]
		if !d.isAbout(s.Metric.Index, in, container, res) {
			continue
		}
		if s.Metric.Index >= 0 && s.Reason == scale.NoData && d.Metrics[s.Metric.Index].OnMissing.Policy == horizontal.Ignore {
			continue
		}
		count, ok = max(count, s.Out.Replicas), true
	}
	return count, ok
}
