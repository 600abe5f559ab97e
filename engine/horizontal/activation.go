package horizontal

import "github.com/tidemark/tidemark/scale"

// activity makes the answer of a metric that is not active one for the idle count,
// and notes who is. Metrics that pods measure have no say in it: where there is no
// pod they know nothing.
//
// A metric at or below its activation is not active. But while the workload runs
// and the metric asks for more than the smallest count of an active workload, it
// is: pods that are needed are not taken away because of a number that was chosen
// for waking them.
func (c *contest) activity(p proposal, r reader) proposal {
	m := r.metric
	if m.Kind.PerPod() || p.state == missing || p.state == held {
		return p
	}
	runs := c.current > c.idle
	active := p.replicas > 0
	if p.state == answered && r.whole().Activation != nil {
		active = r.facts.Whole.Total > *m.Activation || runs && p.replicas > r.rules.Least
	}
	if !active {
		c.sleeps = true
		return proposal{replicas: c.idle, reason: scale.NotActivated, state: answered}
	}
	c.active = true
	p.replicas = max(p.replicas, 1)
	return p
}

// whole notes the value of the whole, which an activation is compared with.
func (r reader) whole() *scale.WholeFacts {
	if r.facts.Whole == nil {
		r.facts.Whole = &scale.WholeFacts{}
		r.facts.Whole.Total, _ = r.total(r.sample())
	}
	r.facts.Whole.Activation = r.metric.Activation
	return r.facts.Whole
}

// asleep tells whether some metric is not active, nobody is, and all are known.
// Then pods that still use something do not keep the workload from zero. Where idle
// pods remain, what they use counts.
func (c *contest) asleep() bool {
	return c.sleeps && !c.active && c.blocked == "" && c.idle == 0
}

// awake tells whether somebody needs more than the idle count, whatever the count
// is that they ask for. One active metric is enough where the largest count wins;
// where others do, all of them wake the workload. Who is missing changes nothing.
func (c *contest) awake() bool {
	runs := c.current > c.idle
	switch combine := c.combine; {
	case !c.activates:
		return false
	case c.active && (combine == Largest || combine == Unanimous && runs):
		return true
	case c.blocked != "":
		return runs
	}
	return c.active && !c.sleeps
}
