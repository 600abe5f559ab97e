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
	need := d.capped(asked)
	rules := d.policy.Elastic
	request, _ := d.From.Containers[d.pods.Container].Requests.Get(scale.CPU)
	d.total, d.Reason = d.memory.Elastic.Settle(rules, need, request.Times(int64(d.From.Replicas)))
	count := rules.Count(d.From.Replicas, d.total, d.memory.Elastic.Guessed)
	if d.Reason == scale.HeadroomHeld {
		// More than is needed is held, but no pod is started for that.
		count = min(count, max(d.From.Replicas, rules.Count(d.From.Replicas, d.memory.Elastic.Needed(), false)))
	}
	d.size = rules.Sized(d.pods, d.total, max(count, d.memory.Elastic.Ceiling.Pods))
	asked.Reason, asked.Out = d.Reason, d.size
	d.deltas = d.deltasTo(d.size)
	d.side = sideOf(d.deltas)
	switch {
	case d.size.Replicas > count:
		// A trial: that it is one is said below.
	case d.size.Replicas != d.From.Replicas:
		d.combined(scale.Rebalanced)
	case !d.size.Equal(d.From):
		d.combined(scale.ResizedInPlace)
	}
	if d.memory.Elastic.Ceiling.Amount > 0 {
		d.combined(scale.ApplicationCeiling)
	}
	d.limited(d.total > rules.Max.Times(int64(max(d.size.Replicas, 1))), scale.MaximumResource)
}

// capped narrows the rules to what the application can use, where it shows, and
// returns what the pods have to carry.
func (d *draft) capped(asked *scale.Step) elastic.Need {
	h, ceiling := asked.Metric.Headroom, &d.memory.Elastic.Ceiling
	use := elastic.Use{At: d.seen.At, Found: h.Ceiling, Total: asked.Metric.Value, PerPod: h.PerPod, Within: h.Within}
	for i := range d.seen.Pods {
		if d.seen.Pods[i].Serves() {
			use.Serving++
		}
	}
	ceiling.Look(use)
	d.policy.Elastic = ceiling.Capped(d.policy.Elastic)
	need := needOf(asked, d.seen.At)
	need.Full = need.Full || ceiling.Reached(h.PerPod)
	return need
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
	need := elastic.Need{At: at, Expected: h.Expected, Room: h.Extra, Used: s.Metric.Value, Full: s.Reason == scale.Saturated, Unsure: s.Metric.Unsure}
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
