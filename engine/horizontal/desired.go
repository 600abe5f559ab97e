package horizontal

import "github.com/tidemark/tidemark/scale"

// Desired is what the metrics want, before any limit.
type Desired struct {
	Replicas int32
	Reason   scale.Reason
	// Informed is false when nothing usable was known. Such a count only keeps
	// the current count and must not be remembered as one.
	Informed bool
	// Source is the metric the count comes from, -1 when it is none of them.
	Source int
	// Idle is set where nobody needs more than the idle count, so that the stated
	// minimum does not hold.
	Idle bool
}

// proposal is one source's answer.
type proposal struct {
	replicas int32
	reason   scale.Reason
	state    state
}

type state uint8

const (
	missing  state = iota // no usable sample
	held                  // too few samples to go by
	answered              // a proposal of its own
	fallback              // no sample, but a count to fall back to
	stated                // the same, and it was asked for by name that it may be lower
)

// Propose asks every metric, and whoever requested a count, and returns the
// largest proposal. It appends one step per source to steps, and writes what the
// metrics say to facts, which has room for each of them.
func Propose(rules *Rules, obs *scale.Observation, facts []scale.MetricFacts, steps []scale.Step) (Desired, []scale.Step) {
	from := scale.Size{Replicas: obs.Target.SpecReplicas, Containers: obs.Target.Containers}
	best := contest{
		combine: rules.Combine, activates: rules.Activates, idle: rules.Idle, current: from.Replicas, desired: blind(from.Replicas, scale.NoData),
	}
	for i := range rules.Metrics {
		if rules.Metrics[i].Input {
			continue
		}
		p := rules.ask(i, obs, &facts[i])
		if p.state == missing {
			p = withoutSample(p, rules.lacks(i, obs.At), from.Replicas)
		}
		if rules.Activates {
			p = best.activity(p, reader{rules, &rules.Metrics[i], obs, &facts[i]})
		}
		if best.combine == Largest || !unheard(p, &rules.Metrics[i], from.Replicas) {
			best.enter(p, i, rules.Metrics[i].OnMissing.Policy == Ignore)
		}
		steps = append(steps, step(p, from, &facts[i]))
	}
	if obs.Requested != nil {
		p := proposal{replicas: max(*obs.Requested, 0), reason: scale.Requested, state: answered}
		asked := scale.MetricFacts{Index: -1, Name: "requested replicas", Value: scale.Amount(p.replicas) * scale.Thousand, Known: true}
		best.active = best.active || p.replicas > 0
		best.enter(p, -1, false)
		steps = append(steps, step(p, from, &asked))
	}
	d := best.result()
	d.Idle = d.Replicas <= rules.Idle && !best.awake()
	return d, steps
}

// ask makes one metric's proposal.
func (r *Rules) ask(i int, obs *scale.Observation, facts *scale.MetricFacts) proposal {
	m := r.Metrics[i].targeted(i, obs)
	*facts = scale.MetricFacts{
		Index: i, Name: m.Name, Of: m.Of, Type: m.Type, Band: m.Band,
		Bytes: m.Kind < Pods && m.Resource == scale.Memory,
	}
	one := reader{r, m, obs, facts}
	if m.Kind == Computed {
		return one.fromFormula()
	}
	if r.Upstream {
		return upstream{one}.propose()
	}
	return one.propose()
}

func step(p proposal, from scale.Size, facts *scale.MetricFacts) scale.Step {
	return scale.Step{
		Stage: scale.StageHorizontal, Reason: p.reason, Metric: facts,
		In: from, Out: from.WithReplicas(p.replicas),
	}
}

// contest finds the largest proposal; the first wins a tie. A missing metric
// stands for the current count unless it is to be ignored, so it forbids
// scaling down and nothing else.
type contest struct {
	combine   Combine
	activates bool
	idle      int32
	current   int32
	desired   Desired
	// least is the smallest proposal.
	least Desired
	// fellBack is set once a metric stands for a count because it has no sample.
	fellBack bool
	// active is set once somebody keeps the workload from its idle count, and
	// sleeps once a metric is not active.
	active, sleeps bool
	// blocked is why the count may not be lowered; empty when it may.
	blocked scale.Reason
}

// blind is what is desired by someone who knows too little.
func blind(current int32, reason scale.Reason) Desired {
	return Desired{Replicas: current, Reason: reason, Source: -1}
}

func (c *contest) enter(p proposal, source int, ignorable bool) {
	c.fellBack = c.fellBack || p.state == fallback
	switch {
	case p.state == held || (p.state == missing && !ignorable):
		c.block(p.reason)
	case p.state == missing:
	case !c.desired.Informed || p.replicas > c.desired.Replicas:
		first := !c.desired.Informed
		c.desired = Desired{Replicas: p.replicas, Reason: p.reason, Informed: true, Source: source}
		if first {
			c.least = c.desired
		}
	case p.replicas < c.least.Replicas:
		c.least = Desired{Replicas: p.replicas, Reason: p.reason, Informed: true, Source: source}
	}
}

// block keeps the count from being lowered. While nobody has answered, it is
// also why nothing is desired.
func (c *contest) block(reason scale.Reason) {
	if c.blocked == "" {
		c.blocked = reason
	}
	if !c.desired.Informed {
		c.desired.Reason = c.blocked
	}
}

func (c *contest) result() Desired {
	switch {
	case c.asleep():
		return Desired{Replicas: c.idle, Reason: scale.NotActivated, Informed: true, Source: -1}
	case c.combine != Largest:
		return c.together()
	}
	if c.blocked != "" && c.desired.Replicas < c.current {
		return blind(c.current, c.blocked)
	}
	return c.desired
}
