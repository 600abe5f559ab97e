package horizontal

import "github.com/tidemark/tidemark/scale"

// tally is what the pods add up to for one metric.
type tally struct {
	counts scale.PodCounts
	// usage and requests are those of the counted pods.
	usage, requests scale.Amount
	// missingRequests and unreadyRequests are what the others request. Pods
	// whose request nobody knows are counted beside, and stand for the largest.
	missingRequests, unreadyRequests scale.Amount
	missingNameless, unreadyNameless int32
	largestRequest                   scale.Amount
}

// fromPods proposes from a metric that has a sample for every pod.
func (r reader) fromPods() proposal {
	t, problem := r.tally()
	r.facts.Pods = t.counts
	if problem != "" {
		return r.missing(problem)
	}
	current := r.seen.Target.SpecReplicas
	l := r.loadOf(t.usage, t.requests, t.counts.Counted)
	r.facts.Value, r.facts.Known = l.value(), true
	side := r.rules.side(l, r.metric.Band)
	if side == scale.None {
		return r.rules.inside(l, r.metric.Band, t.counts.Counted, current)
	}
	filled, n := r.fill(t, side)
	if after := r.rules.side(filled, r.metric.Band); after != side {
		return r.softened(side, after, current)
	}
	return guarded(r.rules.count(filled, r.metric.Band, side, n), r.metric.Band, side, current)
}

func (r reader) loadOf(usage, requests scale.Amount, pods int32) load {
	if r.metric.Type == scale.Utilization {
		return load{usage: usage, unit: fullPercent, base: int64(requests)}
	}
	return load{usage: usage, unit: 1, base: int64(pods)}
}

// softened is the proposal when the pods nothing is known of take the load
// out of the side it seemed to be on.
func (r reader) softened(side, after scale.Direction, current int32) proposal {
	reason := sideReason(r.metric.Band, scale.None)
	if after == -side {
		reason = scale.DirectionGuard
	}
	return proposal{replicas: current, reason: reason, state: answered}
}

// fill adds the pods nothing is known of, on the cautious side: on the way up
// they are idle, on the way down the missing ones are exactly at the mark.
// Pods that are not ready count on the way up only. It returns the load and
// the number of pods in it.
func (r reader) fill(t tally, side scale.Direction) (load, int32) {
	n := t.counts.Counted + t.counts.Missing
	missing := t.missingRequests.Add(t.largestRequest.Times(int64(t.missingNameless)))
	requests := t.requests.Add(missing)
	if side == scale.Up {
		n += t.counts.Unready
		requests = requests.Add(t.unreadyRequests).Add(t.largestRequest.Times(int64(t.unreadyNameless)))
		return r.loadOf(t.usage, requests, n), n
	}
	l := r.loadOf(t.usage, requests, n)
	l.assumed = scale.Product{int64(t.counts.Missing), int64(r.metric.Band.Low)}
	if r.metric.Type == scale.Utilization {
		l.assumed[0] = int64(missing)
	}
	return l, n
}

// tally groups the pods and adds them up. It says so when none of them can be
// used.
func (r reader) tally() (t tally, problem string) {
	sample := r.sample()
	switch {
	case sample.Problem != "":
		return t, sample.Problem
	case r.seen.Pods == nil && r.metric.Kind == Pods:
		return r.tallyUnlisted(sample)
	case r.seen.Pods == nil:
		return t, problemUnlisted
	case len(r.seen.Pods) == 0:
		return t, problemNoPods
	}
	for i := range r.seen.Pods {
		r.add(&t, i, sample)
	}
	switch {
	case t.counts.Counted == 0:
		return t, problemNoUsage
	case r.metric.Type == scale.Utilization && t.requests == 0:
		return t, problemRequests
	}
	return t, ""
}

// tallyUnlisted adds up a Pods metric when only the number of pods is known.
func (r reader) tallyUnlisted(sample scale.Sample) (t tally, problem string) {
	for _, v := range sample.PerPod {
		if !v.Known || v.Value < 0 {
			t.counts.Unusable++
			continue
		}
		t.counts.Counted++
		t.usage = t.usage.Add(v.Value)
	}
	t.counts.Missing = max(t.counts.Unusable, r.seen.Target.StatusReplicas-t.counts.Counted)
	if t.counts.Counted == 0 {
		return t, problemNoUsage
	}
	return t, r.unusable(sample.At, 0)
}

// add puts one pod into the group it belongs to.
func (r reader) add(t *tally, i int, sample scale.Sample) {
	pod := &r.seen.Pods[i]
	if pod.Deleting || pod.Phase == scale.Failed || pod.Phase == scale.Succeeded {
		t.counts.Ignored++
		return
	}
	request, known := r.request(pod)
	if known {
		t.largestRequest = max(t.largestRequest, request)
	}
	usage, usable := r.usage(t, pod, i, sample)
	switch {
	case pod.Phase == scale.Pending || (usable && r.unready(pod)):
		t.counts.Unready++
		t.unreadyRequests = t.unreadyRequests.Add(request)
		if !known {
			t.unreadyNameless++
		}
	case !usable || !known:
		t.counts.Missing++
		t.missingRequests = t.missingRequests.Add(request)
		if !known {
			t.missingNameless++
		}
	default:
		t.counts.Counted++
		t.usage, t.requests = t.usage.Add(usage), t.requests.Add(request)
	}
}

// usage returns the pod's sample of the metric, if it has a usable one.
func (r reader) usage(t *tally, pod *scale.Pod, i int, sample scale.Sample) (scale.Amount, bool) {
	value, at, window, known := scale.Amount(0), pod.UsageAt, pod.UsageWindow, false
	if r.metric.Kind == Pods {
		at, window = sample.At, 0
		if i < len(sample.PerPod) {
			value, known = sample.PerPod[i].Value, sample.PerPod[i].Known
		}
	} else {
		value, known = sumContainers(pod, r.metric, usageOf)
	}
	if known && (value < 0 || r.unusable(at, window) != "") {
		t.counts.Unusable++
		return 0, false
	}
	return value, known
}

// request returns what the pod requests of the metric's resource. A pod that
// says nothing itself is taken to request what the target's template does.
func (r reader) request(pod *scale.Pod) (scale.Amount, bool) {
	if r.metric.Type != scale.Utilization {
		return 0, true
	}
	if r.metric.Kind == Resource {
		if own, ok := pod.Requests.Get(r.metric.Resource); ok {
			return own, own > 0
		}
	}
	if sum, ok := sumContainers(pod, r.metric, requestOf); ok {
		return sum, sum > 0
	}
	sum, found := scale.Amount(0), false
	for i := range r.seen.Target.Containers {
		c := &r.seen.Target.Containers[i]
		if r.metric.Kind == ContainerResource && c.Name != r.metric.Container {
			continue
		}
		amount, ok := c.Requests.Get(r.metric.Resource)
		if !ok {
			return 0, false
		}
		sum, found = sum.Add(amount), true
	}
	return sum, found && sum > 0
}

func usageOf(c *scale.PodContainer) *scale.Resources   { return &c.Usage }
func requestOf(c *scale.PodContainer) *scale.Resources { return &c.Requests }

// sumContainers adds up the metric's resource over the pod's containers, or
// takes the one container the metric names. One unknown makes the sum unknown.
func sumContainers(pod *scale.Pod, m *Metric, of func(*scale.PodContainer) *scale.Resources) (sum scale.Amount, ok bool) {
	for i := range pod.Containers {
		c := &pod.Containers[i]
		if m.Kind == ContainerResource && c.Name != m.Container {
			continue
		}
		amount, known := of(c).Get(m.Resource)
		if !known {
			return 0, false
		}
		sum, ok = sum.Add(amount), true
	}
	return sum, ok
}

// unready tells whether the pod's cpu usage says nothing about its load yet:
// it is starting, or it has never been ready. Other metrics count every pod
// that runs.
func (r reader) unready(pod *scale.Pod) bool {
	if r.metric.Kind == Pods || r.metric.Resource != scale.CPU {
		return false
	}
	if pod.Ready == scale.ReadinessAbsent {
		return true
	}
	starting := !pod.StartedAt.IsZero() && pod.StartedAt.Add(r.rules.CPUInitialization).After(r.seen.At)
	if starting {
		return pod.Ready != scale.Ready || r.measuredBeforeReady(pod)
	}
	neverReady := pod.StartedAt.IsZero() || pod.ReadyChangedAt.IsZero() ||
		pod.StartedAt.Add(r.rules.InitialReadiness).After(pod.ReadyChangedAt)
	return pod.Ready != scale.Ready && neverReady
}

// measuredBeforeReady tells whether part of the sample's window lies before
// the pod became ready.
func (r reader) measuredBeforeReady(pod *scale.Pod) bool {
	if pod.ReadyChangedAt.IsZero() {
		return false
	}
	at := pod.UsageAt
	if at.IsZero() {
		at = r.seen.At
	}
	return at.Before(pod.ReadyChangedAt.Add(pod.UsageWindow))
}
