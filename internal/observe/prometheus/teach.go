package prometheus

import (
	"math"
	"time"

	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/scale"
)

// assumedDelay is how old a metric is taken to have been when it was acted on.
const assumedDelay = 30 * time.Second

// Teach feeds the past of a workload to a learner, as if it had watched. The
// learner should know nothing yet but what came before: what it knows already
// would count twice.
//
// Ready pods fill the slots of the week. What all pods used is shared evenly
// among those that were ready then, one sample a minute, and fills the
// histograms of usage: peaks of single pods are not in it, and live samples
// add them. Usage at the containers' present limit says what was served, not
// what was asked for, so growth does not learn from it.
func (p Past) Teach(l *learner.Learner, containers []scale.Container) {
	ready := make(map[int64]int32, len(p.Ready))
	for _, point := range p.Ready {
		n := countOf(point.Value)
		ready[point.At.Unix()] = n
		l.History.Slots.Observe(point.At, n)
	}
	for i := range containers {
		c := &containers[i]
		for _, point := range p.Usage[c.Name] {
			if n := ready[point.At.Unix()]; n > 0 {
				l.History.Usage.Observe(point.At, c.Name, scale.CPU, point.Value.Share(1, int64(n)))
			}
		}
	}
	if l.Headroom && len(l.Places) > 0 {
		p.teachGrowth(l, containers, ready)
	}
}

// countOf turns thousandths of a pod into whole ones.
func countOf(a scale.Amount) int32 {
	return int32(min(max(a/scale.Thousand, 0), math.MaxInt32))
}

// teachGrowth follows the usage of the container that the learner follows, or
// of all of them together. A moment at which one is unknown is left out.
func (p Past) teachGrowth(l *learner.Learner, containers []scale.Container, ready map[int64]int32) {
	var followed []scale.Container
	for _, c := range containers {
		if l.Places[0] == "" || l.Places[0] == c.Name {
			followed = append(followed, c)
		}
	}
	if len(followed) == 0 {
		return
	}
	totals := make([]map[int64]scale.Amount, len(followed))
	for i, c := range followed {
		totals[i] = make(map[int64]scale.Amount, len(p.Usage[c.Name]))
		for _, point := range p.Usage[c.Name] {
			totals[i][point.At.Unix()] = point.Value
		}
	}
	within := l.History.Reaction(assumedDelay, l.Sync)
	for _, point := range p.Usage[followed[0].Name] {
		at, sum, usable := point.At.Unix(), scale.Amount(0), true
		for i, c := range followed {
			used, known := totals[i][at]
			sum, usable = sum.Add(used), usable && known && !full(c, used, ready[at])
		}
		if usable {
			l.History.Growth.Observe(point.At, sum, within)
		}
	}
}

// full tells whether the pods used, on average, all that a container may.
func full(c scale.Container, used scale.Amount, ready int32) bool {
	limit, limited := c.Limits.Get(scale.CPU)
	return limited && ready > 0 && used >= limit.Times(int64(ready))
}
