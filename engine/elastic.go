package engine

import (
	"github.com/tidemark/tidemark/engine/elastic"
	"github.com/tidemark/tidemark/scale"
)

// elasticTotal is what the pods should have where they are resized in place.
type elasticTotal struct {
	// Set is false where the growth of the usage is not known, or nothing can be
	// resized. Then the count alone is changed.
	Set  bool
	Size scale.Size
	// Trial is set while more pods run than the total needs, to find out whether
	// the application of a pod has a ceiling.
	Trial bool
	// Pods are what is resized, and Rules how, under that ceiling.
	Pods  elastic.Pods
	Rules *elastic.Rules
	// Enough is what pods need at least, where prices decide: with less in force
	// than that, others are started.
	Enough scale.Amount
	// Past holds the total.
	Past elastic.Past
}

// settle makes a total of the answer that decides, where the growth of its usage
// is known.
func (in input) settle(d *desired) {
	asked := d.headroomAnswer()
	if asked == nil {
		return
	}
	pods, ok := in.elasticPods(asked.Metric.Headroom.Container)
	if !ok {
		return
	}
	e := elasticTotal{Set: true, Pods: pods, Past: in.memory.Elastic}
	h, ceiling := asked.Metric.Headroom, &e.Past.Ceiling
	ceiling.Look(elastic.Use{
		At: in.obs.At, Found: h.Ceiling, Total: asked.Metric.Value, PerPod: h.PerPod, Within: h.Within, Serving: in.count((*scale.Pod).Serves),
	})
	restarts, stuck := in.unresizable(&e)
	e.Rules = ceiling.Capped(in.usual(&e).AtOneSize(&e.Past, in.obs.At, restarts, stuck))
	if e.Rules.Prices != nil && len(h.Demand) > 0 {
		in.weigh(&e, asked, d)
		return
	}
	need := elastic.Need{
		At: in.obs.At, Expected: h.Expected, Headroom: h.Headroom, Used: asked.Metric.Value, Unsure: asked.Metric.Unsure,
		Full: asked.Reason == scale.Saturated || ceiling.Reached(h.PerPod),
	}
	if need.Expected == 0 {
		need.Expected = need.Used
	}
	e.Past, d.Reason = e.Past.Settled(e.Rules, need, in.applied(pods.Container, scale.CPU))
	count := e.Rules.Count(in.from.Replicas, e.Past.Total, e.Past.Guessed)
	if d.Reason == scale.HeadroomHeld {
		// More than is needed is held, but no pod is started for that.
		count = min(count, max(in.from.Replicas, e.Rules.Count(in.from.Replicas, e.Past.Needed(), false)))
	}
	e.Size = e.Rules.Sized(pods, e.Past.Total, max(count, e.Past.Ceiling.Pods))
	e.Trial = e.Size.Replicas > count
	asked.Reason, asked.Out, d.Elastic = d.Reason, e.Size, e
}

// unresizable tells whether a resize would restart pods, and whether the nodes of most
// pods will never have room for the size they were asked to have.
func (in input) unresizable(e *elasticTotal) (restarts, stuck bool) {
	if in.policy.Elastic.Prices == nil {
		return false, false
	}
	infeasible, serving := 0, 0
	name := in.from.Containers[e.Pods.Container].Name
	for i := range in.obs.Pods {
		p := &in.obs.Pods[i]
		if !p.Serves() {
			continue
		}
		serving++
		if p.Resizing() == scale.ResizeInfeasible {
			infeasible++
		}
		for j := range p.Containers {
			restarts = restarts || p.Containers[j].Restarts && p.Containers[j].Name == name
		}
	}
	return restarts, serving > 0 && 2*infeasible > serving
}

// usual completes the rules with the usual size, where none is stated: that of the
// workload's own template, or else what the pods had when they were first seen.
func (in input) usual(e *elasticTotal) *elastic.Rules {
	rules := in.policy.Elastic
	if rules.Usual > 0 {
		return in.within(rules, e.Pods.Container)
	}
	container := &in.from.Containers[e.Pods.Container]
	usual, _ := container.Requests.Get(scale.CPU)
	if e.Past.Usual > 0 {
		usual = e.Past.Usual
	}
	for i := range in.obs.Target.Template {
		if t := &in.obs.Target.Template[i]; t.Name == container.Name {
			if stated, ok := t.Requests.Usable(scale.CPU); ok && stated > 0 {
				usual = stated
			}
		}
	}
	e.Past.Usual = usual
	return in.within(rules.Around(usual), e.Pods.Container)
}

// within keeps the largest size within what a pod can have at all, so that others are
// started instead.
func (in input) within(rules *elastic.Rules, container int) *elastic.Rules {
	largest, _ := in.largest(container, scale.CPU)
	if largest <= 0 || largest >= rules.Max {
		return rules
	}
	out := *rules
	out.Max = max(largest, out.Usual)
	return &out
}

// underWayTo is the total that pods are being brought to, and their number: what was
// decided, where they have been given its size and nobody else has scaled them since.
// While pods start, the others have more than their part, so that what all of them
// were asked to have is more than the total; and a limit may let their number follow
// only step by step.
func (in input) underWayTo(e *elasticTotal, asked scale.Amount) (scale.Amount, int32) {
	each, _ := in.from.Containers[e.Pods.Container].Requests.Get(scale.CPU)
	if e.Past.Total <= 0 || each != e.Past.Each || !e.Rules.Resizes() || in.memory.Replicas != in.from.Replicas {
		return asked, in.from.Replicas
	}
	return min(asked, e.Past.Total), max(e.Past.Pods, 1)
}

// weigh makes a total of what may come and what it costs.
func (in input) weigh(e *elasticTotal, asked *scale.Step, d *desired) {
	h := asked.Metric.Headroom
	w := elastic.Priced{
		At: in.obs.At, Every: in.policy.Sync, Outlook: elastic.Outlook{Demand: h.Demand, Room: h.Room}, Full: h.Full,
		Unsure: asked.Metric.Unsure, Likely: max(h.Expected, 1), Has: in.applied(e.Pods.Container, scale.CPU), Pods: in.from.Replicas,
	}
	w.Has, w.Pods = in.underWayTo(e, w.Has)
	w.PerPod = e.Rules.Ceiling
	if !w.Full && e.Past.Ceiling.Reached(h.PerPod) {
		w.Hide()
	}
	var to elastic.Division
	var facts scale.Cost
	e.Past, to, d.Reason, facts = e.Past.Weighed(e.Rules, &w)
	e.Size = e.Rules.Sized(e.Pods, to.Total, max(to.Pods, e.Past.Ceiling.Pods))
	e.Trial = e.Size.Replicas > to.Pods
	e.Past.Each, _ = e.Size.Containers[e.Pods.Container].Requests.Get(scale.CPU)
	e.Past.Pods = to.Pods
	e.Enough = w.Enough()
	asked.Metric.Cost = &facts
	asked.Reason, asked.Out, d.Elastic = d.Reason, e.Size, *e
}

// headroomAnswer is the answer of the metric that decides, if the growth of its
// usage is known.
func (d *desired) headroomAnswer() *scale.Step {
	for i := range d.Answers {
		if f := d.Answers[i].Metric; f.Index >= 0 && f.Index == d.Source && f.Headroom != nil {
			return &d.Answers[i]
		}
	}
	return nil
}

// elasticPods finds out what there is to resize: the container that is measured,
// or the only one. It reports false where there is no such container, or no
// request to change.
func (in input) elasticPods(container string) (elastic.Pods, bool) {
	pods := elastic.Pods{From: *in.from, Container: -1, Started: in.startedPods()}
	for i := range in.from.Containers {
		if in.from.Containers[i].Name == container || (container == "" && len(in.from.Containers) == 1) {
			pods.Container = i
		}
	}
	if pods.Container < 0 || in.from.Replicas <= 0 {
		return pods, false
	}
	request, ok := in.from.Containers[pods.Container].Requests.Get(scale.CPU)
	return pods, ok && request > 0
}

// resizeInPlace plans for a total that the pods are resized to have.
func (in input) resizeInPlace(p *plan, e *elasticTotal) {
	p.Size, p.ByTotals = e.Size, true
	p.Deltas = in.deltasTo(p.Size)
	p.Side = sideOf(p.Deltas)
	switch {
	case e.Trial:
		// That it is one is said below.
	case p.Size.Replicas != in.from.Replicas && e.Rules.Prices != nil:
		// What it costs was said, and pods need not be far from their usual size.
	case p.Size.Replicas != in.from.Replicas:
		p.step(in, scale.Rebalanced)
	case !p.Size.Equal(*in.from):
		p.step(in, scale.ResizedInPlace)
	}
	if e.Past.Ceiling.Amount > 0 {
		p.step(in, scale.ApplicationCeiling)
	}
	p.limitedIf(in, e.Past.Total > e.Rules.Max.Times(int64(max(p.Size.Replicas, 1))), scale.MaximumResource)
}
