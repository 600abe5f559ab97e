package plan

import "time"

// Speakers says which pods tell what size the workload has now, for the next
// decision. Pods are seen against what was decided last, at a moment.
//
// While less is taken from one pod after the other, the ones that have been
// served speak: the workload is on its way there, and a decision that took it for
// where it was would decide the same again, a little different each time, and
// start the round anew. More is given to all at once, so a pod that still lacks
// something is one that could not have it, and then everyone speaks. A pod that is
// younger than the decision has had no turn yet and says nothing, unless all are.
func Speakers(pods []Pod, decided time.Time) []int {
	var old, served []int
	growing := false
	for i := range pods {
		p := &pods[i]
		asPlanned := !p.Grows && !p.Shrinks
		// Pods know their first moment by the second.
		if !asPlanned && !p.CreatedAt.Before(decided.Truncate(time.Second)) {
			continue
		}
		old = append(old, i)
		growing = growing || p.Grows
		if asPlanned {
			served = append(served, i)
		}
	}
	switch {
	case len(served) > 0 && !growing:
		return served
	case len(old) > 0:
		return old
	}
	all := make([]int, len(pods))
	for i := range all {
		all[i] = i
	}
	return all
}
