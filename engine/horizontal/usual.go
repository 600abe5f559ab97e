package horizontal

import "github.com/tidemark/tidemark/scale"

// usual knows the pods that need no closer look: those that have been running
// and ready for long, have one container, and a fresh sample. Most pods are like
// this, and every decision looks at all of them.
type usual struct {
	resource scale.Resource
	// looked is false where no pod of the metric is usual.
	looked bool
	// A sample is fresh when it was taken after fresh and not after now; a pod
	// has started when that was before grown. They are in whole Unix seconds: a
	// moment that is within one of a bound takes the closer look.
	fresh, now, grown int64
}

func (r reader) usual() usual {
	at := r.seen.At
	return usual{
		resource: r.metric.Resource, looked: r.metric.Kind == Resource && r.metric.Type == scale.Utilization && !r.metric.Alike,
		fresh: at.Add(-r.rules.StaleAfter).Unix(), now: at.Unix(), grown: at.Add(-r.rules.CPUInitialization).Unix(),
	}
}

// of returns what a usual pod uses and requests. It reports false for any other.
func (u *usual) of(pod *scale.Pod) (usage, request scale.Amount, ok bool) {
	if !u.looked || pod.Ready != scale.Ready || pod.Phase != scale.Running || pod.Deleting || len(pod.Containers) != 1 || !pod.Requests.Empty() {
		return 0, 0, false
	}
	if at := pod.UsageAt.Unix(); at <= u.fresh || at > u.now || pod.StartedAt.Unix() >= u.grown {
		return 0, 0, false
	}
	c := &pod.Containers[0]
	usage, used := c.Usage.Get(u.resource)
	request, requested := c.Has(u.resource)
	return usage, request, used && requested && usage >= 0 && request > 0 && !c.Usage.Unusable(u.resource)
}
