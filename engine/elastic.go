package engine

import (
	"time"

	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/scale"
)

// elastic gives the pods their headroom in place. Where the growth of the usage
// is not known, or nothing can be resized, the count alone is changed.
func (d *draft) elastic() {
	d.size = d.From.WithReplicas(d.wish.Replicas)
	d.side = scale.DirectionOf(d.From.Replicas, d.wish.Replicas)
	asked := d.headroomStep()
	if asked == nil || !d.elasticPods(asked.Metric.Headroom.Container) {
		return
	}
	capped := d.capped(asked)
	rules := d.policy.Elastic
	request, _ := d.From.Containers[d.pods.Container].Requests.Get(scale.CPU)
	d.total, d.Reason = d.memory.Elastic.Settle(rules, needOf(asked, d.seen.At), request.Times(int64(d.From.Replicas)))
	d.size = rules.Sized(d.pods, d.total, rules.Count(d.From.Replicas, d.total, d.memory.Elastic.Guessed))
	asked.Reason, asked.Out = d.Reason, d.size
	d.deltas = d.deltasTo(d.size)
	d.side = sideOf(d.deltas)
	switch {
	case d.size.Replicas != d.From.Replicas:
		d.combined(scale.Rebalanced)
	case !d.size.Equal(d.From):
		d.combined(scale.ResizedInPlace)
	}
	if capped {
		d.combined(scale.ApplicationCeiling)
	}
	d.limited(d.total > rules.Max.Times(int64(max(d.size.Replicas, 1))), scale.MaximumResource)
}

// capped narrows the rules to what the application can use, where it shows.
func (d *draft) capped(asked *scale.Step) bool {
	h := asked.Metric.Headroom
	rules, capped := d.memory.Elastic.Capped(d.policy.Elastic, d.seen.At, h.Ceiling, h.PerPod)
	d.policy.Elastic = rules
	return capped
}

// headroomStep is the step of the metric that the wish comes from, if the growth
// of its usage is known.
func (d *draft) headroomStep() *scale.Step {
	for i := range d.Steps {
		if f := d.Steps[i].Metric; f != nil && f.Index >= 0 && f.Index == d.wish.Source && f.Headroom != nil {
			return &d.Steps[i]
		}
	}
	return nil
}

// needOf is what a metric's step says the pods have to carry.
func needOf(s *scale.Step, at time.Time) elastic.Need {
	h := s.Metric.Headroom
	need := elastic.Need{At: at, Expected: h.Expected, Room: h.Extra, Used: s.Metric.Value, Full: s.Reason == scale.Saturated}
	if need.Expected == 0 {
		need.Expected = need.Used
	}
	return need
}

// elasticPods finds out what there is to resize: the container that is measured,
// or the only one. It reports false where there is no such container, or no
// request to change.
func (d *draft) elasticPods(container string) bool {
	d.pods = elastic.Pods{From: d.From, Container: -1, Started: d.startedPods()}
	for i := range d.From.Containers {
		if d.From.Containers[i].Name == container || (container == "" && len(d.From.Containers) == 1) {
			d.pods.Container = i
		}
	}
	if d.pods.Container < 0 || d.From.Replicas <= 0 {
		return false
	}
	request, ok := d.From.Containers[d.pods.Container].Requests.Get(scale.CPU)
	return ok && request > 0
}

// startedPods is how many of the pods have had the time to start. Those that are
// still not ready are broken: the others must not be made larger for them.
func (d *draft) startedPods() int32 {
	starting := int32(0)
	young := d.seen.At.Add(-d.policy.Horizontal.CPUInitialization)
	for i := range d.seen.Pods {
		p := &d.seen.Pods[i]
		if p.Ready != scale.Ready && !p.Deleting && p.StartedAt.After(young) {
			starting++
		}
	}
	return d.From.Replicas - starting
}
