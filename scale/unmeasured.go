package scale

// Unmeasured is how many pods served when the others were measured, and have no
// sample themselves. What a pod does that became ready later is in what the
// others were measured to do. Unsure tells whether one became ready in between,
// so that its part is neither. Measured tells whether a pod has a sample.
func (o *Observation) Unmeasured(measured func(*Pod) bool) (pods int32, unsure bool) {
	from, to := o.At, o.At
	for i := range o.Pods {
		p := &o.Pods[i]
		if !p.Serves() || p.UsageAt.IsZero() || !measured(p) {
			continue
		}
		// A sample is a mean: it shows what was so for most of its window.
		if shows := p.UsageAt.Add(-p.UsageWindow / 2); shows.Before(from) {
			from, to = shows, p.UsageAt
		}
	}
	for i := range o.Pods {
		switch p := &o.Pods[i]; {
		case !p.Serves() || measured(p):
		case !p.ReadyChangedAt.After(from):
			pods++
		case !p.ReadyChangedAt.After(to):
			unsure = true
		}
	}
	return pods, unsure
}
