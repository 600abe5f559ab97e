package horizontal

import "github.com/tidemark/tidemark/scale"

// standing tells whether the pod has a say. Only what a pod uses of cpu depends
// on whether it serves: one that starts or crashes burns cpu without doing any
// work, but its memory is real. For other metrics every pod that runs counts.
func (r reader) standing(pod *scale.Pod) scale.Standing {
	switch {
	case r.metric.Kind != Pods && r.metric.Resource == scale.CPU:
		return pod.Standing(r.obs.At, r.rules.StartUp())
	case pod.Ended():
		return scale.Ended
	case pod.Phase == scale.Pending:
		return scale.NotStarted
	}
	return scale.Serving
}

// setAside notes a pod that has no say in the direction.
func (t *tally) setAside(pod *scale.Pod, standing scale.Standing) {
	t.counts.Unready++
	a := t.asideAs(standing)
	if a == nil {
		t.aside = append(t.aside, scale.Aside{Standing: standing})
		a = &t.aside[len(t.aside)-1]
	}
	a.Pods++
	if pod.Name != "" && len(a.Names) < scale.MostNames {
		a.Names = append(a.Names, pod.Name)
	}
}

func (t *tally) asideAs(standing scale.Standing) *scale.Aside {
	for i := range t.aside {
		if t.aside[i].Standing == standing {
			return &t.aside[i]
		}
	}
	return nil
}

// weigh notes that the usage of pods that lost readiness counts.
func (t *tally) weigh() {
	if a := t.asideAs(scale.LostReadiness); a != nil {
		a.Weighed = true
	}
}

// letLostSpeak lets the pods that lost readiness decide the direction where none
// serves: an overload can take readiness from all of them. Pods that start, or
// restart again and again, still have no say.
func (t *tally) letLostSpeak() {
	if t.counts.Counted+t.unseen > 0 || t.lost.pods == 0 {
		return
	}
	t.weigh()
	t.counts.Unready -= t.lost.pods
	t.count(t.lost)
	t.lost = group{}
}

// one is a pod, if it is so.
func one(is bool) int32 {
	if is {
		return 1
	}
	return 0
}
