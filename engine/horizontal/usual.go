package horizontal

import "github.com/tidemark/tidemark/scale"

// usual knows the pods that need no closer look: those that have been running
// and ready for long, have one container with the size it was asked to have, and a
// fresh sample. Most pods are like this, and every decision looks at all of them.
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
	at := r.obs.At
	return usual{
		resource: r.metric.Resource, looked: r.metric.Kind == Resource && r.metric.Type == scale.Utilization && !r.metric.Alike,
		fresh: at.Add(-r.rules.StaleAfter).Unix(), now: at.Unix(), grown: at.Add(-r.rules.CPUInitialization).Unix(),
	}
}

// of returns what a usual pod uses and requests. It reports false for any other.
func (u *usual) of(pod *scale.Pod) (usage, request scale.Amount, ok bool) {
	if !u.looked || !pod.Serves() || len(pod.Containers) != 1 || pod.Requests.States(u.resource) {
		return 0, 0, false
	}
	started := max(pod.StartedAt.Unix(), pod.RestartedAt.Unix())
	if at := pod.UsageAt.Unix(); at <= u.fresh || at > u.now || started >= u.grown {
		return 0, 0, false
	}
	c := &pod.Containers[0]
	usage, used := c.Usage.Usable(u.resource)
	request, requested := c.Requests.Usable(u.resource)
	return usage, request, used && requested && request > 0 && !c.InForce.States(u.resource)
}
