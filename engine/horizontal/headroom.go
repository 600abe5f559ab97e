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
	current := r.seen.Target.SpecReplicas
	// Missing pods are taken to do as much as the others.
	n := t.counts.Counted + t.counts.Missing
	usage := t.usage.Share(int64(n), int64(t.counts.Counted))
	r.facts.Value, r.facts.Headroom = usage, growth
	if r.saturated() {
		return proposal{replicas: max(current, doubled(current)), reason: scale.Saturated, state: answered}, true
	}
	// Pods needed: (usage + growth) over what one pod requests on average.
	load := scale.NewRatio(
		scale.Product{int64(usage.Add(growth.Extra)), int64(t.counts.Counted)}, scale.Product{}, scale.Product{int64(t.requests), 1})
	want := max(1, load.Ceil(1))
	p := proposal{replicas: want, reason: scale.HeadroomShort, state: answered}
	switch {
	case want > current:
	case want < current && scale.NewRatio(scale.Product{int64(want), 1}, scale.Product{}, scale.Product{int64(current), 1}).Cmp(scale.Parts-r.rules.ToleranceDown) < 0:
		p.reason = scale.HeadroomAmple
	default:
		p.replicas, p.reason = current, scale.HeadroomKept
	}
	return p, true
}

func doubled(n int32) int32 { return int32(min(2*int64(n), 1<<31-1)) }

// growth is what history knows of the metric's growth.
func (r reader) growth() *scale.LearnedHeadroom {
	if r.seen.Learned == nil {
		return nil
	}
	for i := range r.seen.Learned.Headroom {
		h := &r.seen.Learned.Headroom[i]
		if h.Resource == r.metric.Resource && h.Container == r.metric.Container {
			return h
		}
	}
	return nil
}

// saturated tells whether half of the pods or more use all that they may. Then
// their usage no longer shows the demand, only that it is larger.
func (r reader) saturated() bool {
	full, all := 0, 0
	for i := range r.seen.Pods {
		pod := &r.seen.Pods[i]
		if pod.Deleting || pod.Phase != scale.Running {
			continue
		}
		all++
		for j := range pod.Containers {
			if r.full(&pod.Containers[j]) {
				full++
				break
			}
		}
	}
	return all > 0 && 2*full >= all
}

// full tells whether a container uses its limit, but for two percent that
// measuring takes away.
func (r reader) full(c *scale.PodContainer) bool {
	if r.metric.Kind == ContainerResource && c.Name != r.metric.Container {
		return false
	}
	usage, known := c.Usage.Get(r.metric.Resource)
	for i := range r.seen.Target.Containers {
		t := &r.seen.Target.Containers[i]
		if bound, ok := t.Limits.Get(r.metric.Resource); ok && known && t.Name == c.Name {
			return usage >= bound.Share(98, 100)
		}
	}
	return false
}
