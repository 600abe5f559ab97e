package probe

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/internal/record"
	"github.com/tidemark/tidemark/scale"
)

// scaled is the observation of a call with one metric's values multiplied. Nothing
// of the call itself is changed.
func scaled(c *record.Call, metric int, factor int64) scale.Observation {
	obs, m := c.Observation, &c.Policy.Horizontal.Metrics[metric]
	times := func(a scale.Amount) scale.Amount { return a.Share(factor, parts) }
	switch {
	case m.Kind == horizontal.Resource || m.Kind == horizontal.ContainerResource:
		obs.Pods = usage(obs.Pods, m, times)
		obs.Learned = outlook(obs.Learned, m, times)
	case metric < len(obs.Samples):
		obs.Samples = slices.Clone(obs.Samples)
		s := &obs.Samples[metric]
		s.Series, s.PerPod = slices.Clone(s.Series), slices.Clone(s.PerPod)
		for i := range s.Series {
			s.Series[i] = times(s.Series[i])
		}
		for i := range s.PerPod {
			s.PerPod[i].Value = times(s.PerPod[i].Value)
		}
	}
	return obs
}

// usage multiplies what the containers that a metric looks at use.
func usage(pods []scale.Pod, m *horizontal.Metric, times func(scale.Amount) scale.Amount) []scale.Pod {
	pods = slices.Clone(pods)
	for i := range pods {
		pods[i].Containers = slices.Clone(pods[i].Containers)
		for j := range pods[i].Containers {
			container := &pods[i].Containers[j]
			if m.Kind == horizontal.ContainerResource && container.Name != m.Container {
				continue
			}
			if used, ok := container.Usage.Get(m.Resource); ok {
				container.Usage = container.Usage.With(m.Resource, times(used))
			}
		}
	}
	return pods
}

// outlook multiplies what is expected of a resource: had more been used, more
// would be expected.
func outlook(l *scale.Learned, m *horizontal.Metric, times func(scale.Amount) scale.Amount) *scale.Learned {
	if l == nil || !m.Headroom || len(l.Headroom) == 0 {
		return l
	}
	out := *l
	out.Headroom = slices.Clone(l.Headroom)
	for i := range out.Headroom {
		h := &out.Headroom[i]
		if h.Resource != m.Resource {
			continue
		}
		h.Expected = times(h.Expected)
		h.Demand = slices.Clone(h.Demand)
		for j := range h.Demand {
			h.Demand[j].Amount = times(h.Demand[j].Amount)
		}
	}
	return &out
}

// passed is an observation as it would be if it were made later and nothing had
// changed: what is measured is measured again.
func passed(obs scale.Observation, after time.Duration) scale.Observation {
	obs.At = obs.At.Add(after)
	obs.Pods, obs.Samples = slices.Clone(obs.Pods), slices.Clone(obs.Samples)
	for i := range obs.Pods {
		if !obs.Pods[i].UsageAt.IsZero() {
			obs.Pods[i].UsageAt = obs.Pods[i].UsageAt.Add(after)
		}
	}
	for i := range obs.Samples {
		if !obs.Samples[i].At.IsZero() {
			obs.Samples[i].At = obs.Samples[i].At.Add(after)
		}
	}
	return obs
}
