package engine

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// stuckAfter is how long pods may have no node, or crash again and again, before no
// more are ordered. Until then they count as ordered: a node autoscaler has to see
// them to bring nodes.
const stuckAfter = 5 * time.Minute

// The words of Kubernetes for what keeps pods from serving.
const (
	unschedulable = "Unschedulable"
	crashLoop     = "CrashLoopBackOff"
)

// stuck tells why more pods would not help, and which show it. Without a node are
// pods of which one has waited for long, while no other found its node. Pods crash
// where half of them or more have not been ready for long, and no other became ready:
// a single one that crashes says nothing about the next.
func (in input) stuck(a *desired) (scale.Reason, *scale.PodNames) {
	pods, at := in.obs.Pods, in.obs.At
	for i := range a.Answers {
		// What a metric counted serves, so it does not have to be looked at again.
		if a.Answers[i].Metric.Pods.Counted >= int32(len(pods)) {
			return "", nil
		}
	}
	var placed, ready bool
	var waits, crashes scale.PodNames
	there := 0
	for i := range pods {
		p := &pods[i]
		if p.Ended() {
			continue
		}
		there++
		switch since := at.Add(-stuckAfter); {
		case p.Pending == unschedulable:
			if !p.PendingSince.IsZero() && !p.PendingSince.After(since) {
				waits.Add(p.Name)
			}
		case p.Waiting == crashLoop && !p.ReadyChangedAt.After(since):
			crashes.Add(p.Name)
		default:
			placed = placed || p.StartedAt.After(since)
			ready = ready || p.Serves() && p.ReadyChangedAt.After(since)
		}
	}
	switch {
	case waits.Count() > 0 && !placed:
		named := waits // A copy, so that looking alone allocates nothing.
		return scale.Unschedulable, &named
	case crashes.Count() > 0 && 2*crashes.Count() >= there && !ready:
		named := crashes
		return scale.CrashLooping, &named
	}
	return "", nil
}
