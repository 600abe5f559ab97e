package horizontal

import "github.com/tidemark/tidemark/scale"

// headroom proposes from measured growth: as many pods as hold the usage and
// what it may grow by until new pods can help. It reports whether it could;
// until enough is known, the band serves.
func (r reader) headroom(t *tally) (proposal, bool) {
	growth := r.growth()
	if !r.metric.Headroom || growth == nil || t.requests <= 0 {
		return proposal{}, false
	}
	current := r.obs.Target.SpecReplicas
	usage, likely := r.served(t), growth.Expected
	full := growth.Full
	if likely == 0 {
		likely, full = usage, r.saturated()
	}
	if lost := t.lost.usage; lost > 0 && (full || podsFor(t, likely.Add(growth.Headroom)) > t.counts.Counted+t.counts.Missing) {
		// The pods that serve point up, so those that an overload took readiness
		// from count with what they use.
		t.weigh()
		weighed := *growth
		usage, likely, weighed.Expected = usage.Add(lost), likely.Add(lost), likely.Add(lost)
		growth = &weighed
	}
	r.facts.Value, r.facts.Headroom = usage, growth
	if full {
		return r.full(t, usage), true
	}
	want := max(1, podsFor(t, likely.Add(growth.Headroom)))
	p := proposal{replicas: want, reason: scale.HeadroomShort, state: answered}
	switch {
	case want > current:
	case r.facts.Unsure:
		p.replicas, p.reason = current, scale.HeadroomKept
	case want < current && scale.NewRatio(scale.Product{int64(want), 1}, scale.Product{},
		scale.Product{int64(current), 1}).Cmp(scale.Parts-r.rules.ToleranceDown) < 0:
		p.reason = scale.HeadroomAmple
	default:
		p.replicas, p.reason = current, scale.HeadroomKept
	}
	return p, true
}

// served is what the pods that serve use in all. Those without a sample are taken
// to do as much as the others.
func (r reader) served(t *tally) scale.Amount {
	if t.unseen == 0 {
		return t.usage
	}
	unseen, unsure := r.obs.Unmeasured(func(pod *scale.Pod) bool {
		usage, _ := r.metric.sums(pod, true)
		return usage.ok
	})
	r.facts.Unsure = unsure
	return t.usage.Share(int64(t.counts.Counted+unseen), int64(t.counts.Counted))
}

// podsFor is how many pods have so much, at what one requests on average.
func podsFor(t *tally, total scale.Amount) int32 {
	return scale.NewRatio(scale.Product{int64(total), int64(t.counts.Counted)}, scale.Product{}, scale.Product{int64(t.requests), 1}).Ceil(1)
}

// full is the proposal while pods use all they may: twice what they use, and
// never less than there is. What is started is not seen in the usage before the
// next samples, so the count itself must not be doubled again meanwhile.
func (r reader) full(t *tally, usage scale.Amount) proposal {
	want := max(r.obs.Target.SpecReplicas, podsFor(t, usage.Times(2)))
	return proposal{replicas: want, reason: scale.Saturated, state: answered}
}

// growth is what history knows of the metric's growth.
func (r reader) growth() *scale.LearnedHeadroom {
	if r.obs.Learned == nil {
		return nil
	}
	for i := range r.obs.Learned.Headroom {
		h := &r.obs.Learned.Headroom[i]
		if h.Resource == r.metric.Resource && h.Container == r.metric.Container {
			return h
		}
	}
	return nil
}

// saturated tells whether half of the pods that serve or more use all that they
// may. Then their usage no longer shows the demand, only that it is larger. Where
// no pod serves, those that have a say instead are asked.
func (r reader) saturated() bool {
	var full, all [scale.Starting]int
	for i := range r.obs.Pods {
		pod := &r.obs.Pods[i]
		standing := r.standing(pod)
		if standing >= scale.Starting {
			continue
		}
		all[standing]++
		for j := range pod.Containers {
			if r.atLimit(&pod.Containers[j]) {
				full[standing]++
				break
			}
		}
	}
	of := scale.Serving
	if all[of] == 0 {
		of = scale.LostReadiness
	}
	return all[of] > 0 && 2*full[of] >= all[of]
}

// atLimit tells whether a container uses its limit in force, but for two percent that
// measuring takes away.
func (r reader) atLimit(c *scale.PodContainer) bool {
	if r.metric.Kind == ContainerResource && c.Name != r.metric.Container {
		return false
	}
	usage, known := c.Usage.Get(r.metric.Resource)
	for i := range r.obs.Target.Containers {
		t := &r.obs.Target.Containers[i]
		if t.Name != c.Name {
			continue
		}
		bound, limited := c.MayUse(t, r.metric.Resource)
		return known && limited && usage >= bound.Share(98, 100)
	}
	return false
}
