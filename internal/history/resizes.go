package history

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// resizing is what the looks have seen of a resize that is under way, in Unix
// milliseconds. It is not kept: after a restart the next resize is learned from.
type resizing struct {
	looked, asked, pending int64
	// total is what the pods were asked to have in all.
	total scale.Amount
}

// ObserveResizes notes how long pods took to get the cpu that they were asked to
// have. A decision is carried out right after its look, so a resize begins with
// the look before the first that sees it; it has lasted at least until the last
// look that still does. One that no look sees took no time worth knowing.
func (h *History) ObserveResizes(obs *scale.Observation) {
	now, r := obs.At.UnixMilli(), &h.resizing
	if !plausible(obs.At) || now <= r.looked {
		return
	}
	pending, total := pendingResizes(obs.Pods)
	switch {
	case pending && r.asked == 0 && r.looked > 0:
		r.asked, r.pending = r.looked, now
	case pending:
		r.pending = now
	case r.asked > 0:
		h.Resizes.Observe(obs.At, time.Duration(r.pending-r.asked)*time.Millisecond)
		r.asked = 0
	case r.looked > 0 && total > r.total:
		h.Resizes.Observe(obs.At, 0)
	}
	r.looked, r.total = now, total
}

// pendingResizes tells whether most pods that serve have less cpu than they were asked
// to have, and what all of them were asked to have. The few whose node defers them do
// not count: they would make every resize look as slow as the slowest.
func pendingResizes(pods []scale.Pod) (pending bool, total scale.Amount) {
	waiting, serving := 0, 0
	for i := range pods {
		if !pods[i].Serves() {
			continue
		}
		short := false
		for j := range pods[i].Containers {
			c := &pods[i].Containers[j]
			asked, _ := c.Requests.Get(scale.CPU)
			total = total.Add(asked)
			if has, known := c.InForce.Get(scale.CPU); known && has < asked {
				short = true
			}
		}
		serving++
		if short {
			waiting++
		}
	}
	return 2*waiting > serving, total
}

// InPlaceReaction is how long it takes until a rise in demand is met by pods that
// grow: it has to be measured, looked at, and the resize has to come.
func (h *History) InPlaceReaction(metricDelay, sync time.Duration) time.Duration {
	took, _ := h.Resizes.Usual()
	return min(metricDelay+sync+took, MaxReaction)
}
