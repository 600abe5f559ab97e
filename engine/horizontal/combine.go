package horizontal

import "github.com/tidemark/tidemark/scale"

// Combine says how the counts that metrics ask for become one.
type Combine uint8

// The ways to combine. Largest takes the largest count and Smallest the smallest.
// Unanimous moves only as far as all of them agree: up to the smallest count
// where every one asks for more, down to the largest where every one asks for
// fewer.
const (
	Largest Combine = iota
	Smallest
	Unanimous
)

// heard tells whether a proposal counts where others than the largest do, and
// notes the smallest. Without a pod, what pods measure has nothing to say: it would
// keep every other metric from waking the workload.
func (c *contest) heard(p proposal, source int, ignorable bool) bool {
	if c.current == 0 && source >= 0 && c.rules.Metrics[source].Kind.PerPod() && p.state == missing {
		return false
	}
	blocks := p.state == held || (p.state == missing && !ignorable)
	if !blocks && p.state != missing && (!c.least.Informed || p.replicas < c.least.Replicas) {
		c.least = Desired{Replicas: p.replicas, Reason: p.reason, Informed: true, Source: source}
	}
	return true
}

// together is what is desired where others than the largest proposal count. A
// metric without a sample stands for the current count, so it holds it in both
// directions: nobody knows whether it would have agreed.
func (c *contest) together() Desired {
	most, least := c.desired, c.least
	switch {
	case c.blocked != "":
		return blind(c.current, c.blocked)
	case !most.Informed:
		return most
	case c.rules.Combine == Smallest || least.Replicas > c.current:
		return least
	case most.Replicas < c.current || most.Replicas == least.Replicas:
		return most
	}
	return Desired{Replicas: c.current, Reason: scale.NotAllAgree, Informed: true, Source: -1}
}
