package horizontal

import "github.com/tidemark/tidemark/scale"

// tally is what the pods add up to for one metric.
type tally struct {
	counts scale.PodCounts
	// usage and requests are those of the counted pods.
	usage, requests scale.Amount
	// lost are the pods that run and lost readiness.
	lost group
	// missing and idle are what the other pods request.
	missing, idle requestSum
	// largestRequest stands for the request of a pod that nobody knows.
	largestRequest scale.Amount
	// unseen is how many pods serve and have no usable sample.
	unseen int32
	// measured is how many pods have a usable sample, and unmeasured how many
	// should have one and do not.
	measured, unmeasured int32
	aside                []scale.Aside
}

// group are pods of which everything is known.
type group struct {
	pods            int32
	usage, requests scale.Amount
	// largest is the largest request.
	largest scale.Amount
}

func (g *group) add(usage, request scale.Amount) {
	g.pods++
	g.usage, g.requests = g.usage.Add(usage), g.requests.Add(request)
	g.largest = max(g.largest, request)
}

// requestSum adds up requests, and counts those that are unknown.
type requestSum struct {
	amount  scale.Amount
	unknown int64
}

func (s *requestSum) add(request known) {
	if !request.ok {
		s.unknown++
		return
	}
	s.amount = s.amount.Add(request.amount)
}

func (s requestSum) total(unknown scale.Amount) scale.Amount {
	return s.amount.Add(unknown.Times(s.unknown))
}

// fromPods proposes from a metric that has a sample for every pod.
func (r reader) fromPods() proposal {
	t, problem := r.tally()
	r.facts.Pods = t.counts
	r.facts.Aside = t.aside
	current := r.obs.Target.SpecReplicas
	switch {
	case problem != "":
		return r.missing(problem)
	case t.measured < t.unmeasured || r.rules.HoldPartial && t.unmeasured > 0:
		return proposal{replicas: current, reason: scale.PartialData, state: held}
	}
	if p, ok := r.headroom(&t); ok {
		r.facts.Known = true
		return p
	}
	l := r.loadOf(t.usage, t.requests, t.counts.Counted)
	r.facts.Value, r.facts.Known = l.value(), true
	side := r.rules.side(l, r.metric.Band)
	if side == scale.None {
		return r.rules.inside(l, r.metric.Band, t.counts.Counted, current)
	}
	filled, n := r.fill(&t, side)
	if after := r.rules.side(filled, r.metric.Band); after != side {
		return r.softened(after, current)
	}
	return guarded(r.count(filled, side, n), r.metric.Band, side, current)
}

func (r reader) loadOf(usage, requests scale.Amount, pods int32) load {
	if r.metric.Type == scale.Utilization {
		return load{usage: usage, unit: fullPercent, base: int64(requests)}
	}
	return load{usage: usage, unit: 1, base: int64(pods)}
}

// softened is the proposal when the pods nothing is known of take the load
// out of the side it seemed to be on.
func (r reader) softened(after scale.Direction, current int32) proposal {
	reason := sideReason(r.metric.Band, scale.None)
	if r.facts.Softened = after == scale.None; !r.facts.Softened {
		reason = scale.DirectionGuard
	}
	return proposal{replicas: current, reason: reason, state: answered}
}

// fill adds the pods that have no say in the direction, on the cautious side.
// On the way up a pod that lost readiness counts with what it uses, because an
// overload takes readiness first; others that do not serve, and those nothing is
// known of, are idle. On the way down pods that do not serve are left out, and
// those nothing is known of are exactly at the mark. It returns the load and the
// number of pods in it.
func (r reader) fill(t *tally, side scale.Direction) (load, int32) {
	n := t.counts.Counted + t.counts.Missing
	missing := t.missing.total(t.largestRequest)
	requests := t.requests.Add(missing)
	if side == scale.Up {
		n += t.counts.Unready
		t.weigh()
		requests = requests.Add(t.lost.requests).Add(t.idle.total(t.largestRequest))
		return r.loadOf(t.usage.Add(t.lost.usage), requests, n), n
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
	case r.obs.Pods == nil && r.metric.Kind == Pods:
		return r.tallyUnlisted(sample)
	case r.obs.Pods == nil:
		return t, problemUnlisted
	case len(r.obs.Pods) == 0:
		return t, problemNoPods
	}
	usual, like := r.usual(), group{}
	for i := range r.obs.Pods {
		if usage, request, ok := usual.of(&r.obs.Pods[i]); ok {
			like.add(usage, request)
		} else {
			r.add(&t, i, &sample)
		}
	}
	t.count(like)
	t.measured += t.counts.Counted
	t.letLostSpeak()
	switch {
	case t.counts.Counted == 0 && t.unseen == 0 && t.counts.Unready > 0:
		return t, problemNoneServes
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
	t.counts.Missing = max(t.counts.Unusable, r.obs.Target.StatusReplicas-t.counts.Counted)
	t.measured, t.unmeasured = t.counts.Counted, t.counts.Missing
	if t.counts.Counted == 0 {
		return t, problemNoUsage
	}
	return t, r.unusable(sample.At, 0)
}

// add puts one pod into the group it belongs to.
func (r reader) add(t *tally, i int, sample *scale.Sample) {
	pod := &r.obs.Pods[i]
	standing := r.standing(pod)
	if standing == scale.Ended {
		t.counts.Ignored++
		return
	}
	var usage, request known
	if r.metric.Kind == Pods {
		usage = valueOf(sample, i)
	} else {
		usage, request = r.metric.sums(pod, true)
	}
	if r.metric.Type != scale.Utilization {
		request = known{ok: true}
	} else if !request.ok || request.amount <= 0 || r.alike() {
		request = r.templateRequest()
	}
	t.largestRequest = max(t.largestRequest, request.amount)
	unusable := usage.bad || (usage.ok && (usage.amount < 0 || r.badMoment(pod, sample)))
	usage.ok = usage.ok && !unusable
	switch {
	case standing > scale.Starting || (usage.ok && standing == scale.Starting):
		t.setAside(pod, standing)
		t.idle.add(request)
		t.measured += one(usage.ok)
	case !usage.ok || !request.ok:
		t.counts.Missing++
		t.counts.Unusable += one(unusable)
		t.missing.add(request)
		t.unseen += one(standing == scale.Serving && pod.Serves())
		t.unmeasured += one(!pod.Young(r.obs.At, r.rules.StartUp()))
	case standing == scale.LostReadiness:
		t.setAside(pod, standing)
		t.lost.add(usage.amount, request.amount)
		t.measured++
	default:
		t.count(group{1, usage.amount, request.amount, request.amount})
	}
}

// count adds pods that have a say.
func (t *tally) count(g group) {
	t.counts.Counted += g.pods
	t.usage, t.requests = t.usage.Add(g.usage), t.requests.Add(g.requests)
	t.largestRequest = max(t.largestRequest, g.largest)
}

// known is an amount, if there is one; bad is set where there was one that
// nobody can use.
type known struct {
	amount  scale.Amount
	ok, bad bool
}

// plus adds another amount; one unknown makes the sum unknown.
func (k known) plus(amount scale.Amount, ok bool) known {
	return known{k.amount.Add(amount), k.ok && ok, k.bad}
}

// sums adds up the metric's resource over the pod's containers, or takes the
// one container the metric names. A pod's own request stands for the sum. What
// counts of a request is what is in force; the HPA takes what was asked for, which
// for a pod that starts with a boost is the boost.
func (m *Metric) sums(pod *scale.Pod, inForce bool) (usage, request known) {
	inForce = inForce || pod.Boosted
	found := false
	usage.ok, request.ok = true, true
	for i := range pod.Containers {
		c := &pod.Containers[i]
		if m.Kind == ContainerResource && c.Name != m.Container {
			continue
		}
		found = true
		usage = usage.plus(c.Usage.Get(m.Resource))
		usage.bad = usage.bad || c.Usage.Unusable(m.Resource)
		if inForce {
			request = request.plus(c.Has(m.Resource))
		} else {
			request = request.plus(c.Requests.Get(m.Resource))
		}
	}
	usage.ok, request.ok = usage.ok && found, request.ok && found
	if m.Kind == Resource {
		own, ok := pod.Requests.Get(m.Resource)
		if has, known := pod.InForce.Get(m.Resource); known && inForce {
			own = has
		}
		if ok {
			request = known{amount: own, ok: true}
		}
	}
	return usage, request
}

// valueOf is a pod's value of a Pods metric.
func valueOf(sample *scale.Sample, i int) known {
	if i >= len(sample.PerPod) {
		return known{}
	}
	v := sample.PerPod[i]
	return known{v.Value, v.Known, v.Unusable}
}

// badMoment tells whether a pod's sample is too old or from the future.
func (r reader) badMoment(pod *scale.Pod, sample *scale.Sample) bool {
	at, window := pod.UsageAt, pod.UsageWindow
	if r.metric.Kind == Pods {
		at, window = sample.At, 0
	}
	if at.After(r.obs.At.Add(-r.rules.StaleAfter)) && !at.After(r.obs.At) {
		return false
	}
	return r.unusable(at, window) != ""
}

// alike tells whether what the target requests stands for what each pod does.
func (r reader) alike() bool { return r.metric.Alike && r.templateRequest().ok }

// templateRequest is what the target's template requests. It stands in for a
// pod that does not say, as in a rollout that adds requests.
func (r reader) templateRequest() known {
	sum := known{}
	for i := range r.obs.Target.Containers {
		c := &r.obs.Target.Containers[i]
		if r.metric.Kind == ContainerResource && c.Name != r.metric.Container {
			continue
		}
		amount, ok := c.Requests.Get(r.metric.Resource)
		if !ok {
			return known{}
		}
		sum = known{amount: sum.amount.Add(amount), ok: true}
	}
	return known{amount: sum.amount, ok: sum.ok && sum.amount > 0}
}
