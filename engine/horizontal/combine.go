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

// unheard tells whether a proposal must not count where others than the largest do:
// without a pod, what pods measure would keep every other metric from waking the
// workload.
func unheard(p proposal, m *Metric, current int32) bool {
	return current == 0 && p.state == missing && m.Kind.PerPod()
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
	case c.fellBack && least.Replicas < c.current:
		return blind(c.current, scale.NoData)
	case c.combine == Smallest || least.Replicas > c.current:
		return least
	case most.Replicas < c.current || most.Replicas == least.Replicas:
		return most
	}
	return Desired{Replicas: c.current, Reason: scale.NotAllAgree, Informed: true, Source: -1}
}
