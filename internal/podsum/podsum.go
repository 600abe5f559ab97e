package podsum

import "github.com/tidemark/tidemark/scale"

// Sum is what pods do together.
type Sum struct {
	// Known is set where the pods were listed.
	Known bool
	// Ready is how many of them serve.
	Ready int32
	// Used is the cpu that all of them use. It is measured where at least half of those
	// that serve are: fewer do not speak for all.
	Used     scale.Amount
	Measured bool
	// Requested is the cpu that those which serve request, where they do.
	Requested scale.Amount
}

// Of sums up pods; nil are pods that nobody listed.
func Of(pods []scale.Pod) Sum {
	out := Sum{Known: pods != nil}
	measured := int32(0)
	for i := range pods {
		serves, known := pods[i].Serves(), false
		for j := range pods[i].Containers {
			c := &pods[i].Containers[j]
			if amount, ok := c.Usage.Get(scale.CPU); ok {
				out.Used, known = out.Used.Add(amount), true
			}
			if amount, ok := c.Has(scale.CPU); ok && serves {
				out.Requested = out.Requested.Add(amount)
			}
		}
		if !serves {
			continue
		}
		out.Ready++
		if known {
			measured++
		}
	}
	out.Measured = out.Known && 2*measured >= out.Ready && (measured > 0 || out.Ready == 0)
	return out
}
