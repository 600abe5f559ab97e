package proof

import (
	"fmt"
	"slices"
	"time"

	"github.com/tidemark/tidemark/engine/horizontal"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/scale"
)

// gauge is a metric and the marks that a side holds it between.
type gauge struct {
	kind      horizontal.Kind
	name      string
	container string
	// of is the object, and the labels, that it is measured of.
	of       string
	compared scale.TargetType
	band     scale.Band
	// from is its place in the object of its side.
	from fault.Path
}

// gaugeKey tells metrics apart. Two metrics of one name are one gauge: what is
// measured does not depend on who asks.
type gaugeKey struct {
	kind                horizontal.Kind
	name, container, of string
}

func (g *gauge) key() gaugeKey { return gaugeKey{g.kind, g.name, g.container, g.of} }

// moment is a sample: how many pods there are, in which state, and what is
// measured of them.
type moment struct {
	load string
	pods int32
	// unready pods have just started, unmeasured ones have no sample.
	unready, unmeasured int32
	// zero is a load of nothing, blind one that nobody measures.
	zero, blind bool
	// gauges are the metrics of both sides, readings what each of them shows,
	// in the unit that it is compared in.
	gauges   []gauge
	readings map[gaugeKey]scale.Amount
}

// level is a load, as a share of one of the marks.
type level struct {
	words   string
	percent int64
	ofHigh  bool
}

var levels = []level{
	{"nothing", 0, false},
	{"10 % of the lower mark", 10, false},
	{"70 % of the lower mark", 70, false},
	{"95 % of the lower mark", 95, false},
	{"at the upper mark", 100, true},
	{"105 % of the upper mark", 105, true},
	{"130 % of the upper mark", 130, true},
	{"10 times the upper mark", 1000, true},
}

// mostPods bounds a sample: more pods than that make no other decision.
const mostPods = 500

// moments are the samples, the same every time. The marks are those of the
// original where it has the metric.
func moments(old, next decider) []moment {
	base := moment{}
	known := map[gaugeKey]bool{}
	for _, side := range []decider{old, next} {
		if side == nil {
			continue
		}
		for _, g := range side.gauges() {
			if !known[g.key()] {
				known[g.key()] = true
				base.gauges = append(base.gauges, g)
			}
		}
	}
	if len(base.gauges) == 0 {
		return nil
	}
	counts := startingCounts(old, next)
	var out []moment
	for _, pods := range counts {
		for _, l := range levels {
			out = append(out, base.under(pods, l))
		}
	}
	return append(out, base.unusual(counts[len(counts)/2])...)
}

// startingCounts are the counts that samples start from: the minimum, one in
// between, and the maximum.
func startingCounts(old, next decider) []int32 {
	side := old
	if old == nil {
		side = next
	}
	least, most := side.bounds()
	least = min(max(least, 1), mostPods)
	counts := []int32{least}
	if middle := min(most, max(least, 10)); middle > least {
		counts = append(counts, middle)
	}
	if most > counts[len(counts)-1] && most <= mostPods {
		counts = append(counts, most)
	}
	return counts
}

// under is the sample of a load that every pod is under.
func (m moment) under(pods int32, l level) moment {
	m.pods, m.load, m.zero = pods, l.words, l.percent == 0
	m.readings = map[gaugeKey]scale.Amount{}
	for i := range m.gauges {
		g := &m.gauges[i]
		mark := g.band.Low
		if l.ofHigh {
			mark = g.band.High
		}
		m.readings[g.key()] = mark.Share(l.percent, 100)
	}
	return m
}

// unusual are the samples in which something is not as it should be.
func (m moment) unusual(pods int32) []moment {
	blind := m
	blind.pods, blind.load, blind.blind = pods, "no metric is there", true
	out := []moment{blind}
	half := pods / 2
	for _, l := range []level{levels[2], levels[6]} {
		unready, unmeasured := m.under(pods, l), m.under(pods, l)
		unready.unready, unready.load = half, fmt.Sprintf("%s, %d of %d pods not ready", l.words, half, pods)
		unmeasured.unmeasured, unmeasured.load = half, fmt.Sprintf("%s, %d of %d pods without a sample", l.words, half, pods)
		if half > 0 {
			out = append(out, unready, unmeasured)
		}
	}
	return out
}

// Every container requests the same.
const (
	requestCPU    = scale.Thousand
	requestMemory = scale.Thousand << 30
)

// observation is the sample as the engine sees it.
func (m *moment) observation(at time.Time, metrics []horizontal.Metric) scale.Observation {
	obs := scale.Observation{At: at, Target: scale.Target{SpecReplicas: m.pods, StatusReplicas: m.pods}}
	containers := m.containers()
	for i := range m.pods {
		pod := scale.Pod{Name: fmt.Sprintf("pod-%d", i), Ready: scale.Ready, StartedAt: at.Add(-24 * time.Hour),
			ReadyChangedAt: at.Add(-24 * time.Hour), UsageWindow: 30 * time.Second}
		if i >= m.pods-m.unready {
			pod.Ready, pod.StartedAt, pod.ReadyChangedAt = scale.NotReady, at.Add(-10*time.Second), at.Add(-10*time.Second)
		}
		for _, name := range containers {
			c := scale.PodContainer{Name: name, Requests: scale.Resources{}.With(scale.CPU, requestCPU).With(scale.Memory, requestMemory)}
			if i < m.pods-m.unmeasured {
				c.Usage = m.usage(name, containers)
			}
			pod.Containers = append(pod.Containers, c)
		}
		obs.Pods = append(obs.Pods, pod)
	}
	for i := range metrics {
		obs.Samples = append(obs.Samples, m.sample(&metrics[i]))
	}
	return obs
}

// containers are those that metrics name, or one.
func (m *moment) containers() []string {
	var out []string
	for i := range m.gauges {
		if name := m.gauges[i].container; name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return []string{"app"}
	}
	return out
}

// usage is what a container uses: what its own gauge shows, or its share of
// what the pod's does.
func (m *moment) usage(container string, all []string) scale.Resources {
	var out scale.Resources
	for i := range m.gauges {
		g := &m.gauges[i]
		resource, ok := scale.ParseResource(g.name)
		reading, there := m.readings[g.key()]
		if !ok || !there || g.kind == horizontal.Pods || !g.kind.PerPod() {
			continue
		}
		request := requestCPU
		if resource == scale.Memory {
			request = requestMemory
		}
		of := int64(1)
		if g.kind == horizontal.Resource {
			of = int64(len(all))
		}
		amount := reading.Share(1, of)
		if g.compared == scale.Utilization {
			amount = request.Share(int64(reading), 100*int64(scale.Thousand))
		}
		if _, set := out.Get(resource); !set && (g.kind == horizontal.Resource || g.container == container) {
			out = out.With(resource, amount)
		}
	}
	return out
}

// sample is what the source of a metric answers.
func (m *moment) sample(metric *horizontal.Metric) scale.Sample {
	reading, there := m.readings[keyOf(metric)]
	switch {
	case metric.Kind == horizontal.Resource || metric.Kind == horizontal.ContainerResource:
		return scale.Sample{}
	case !there:
		return scale.Sample{Problem: "no data"}
	case metric.Kind == horizontal.Pods:
		var out scale.Sample
		for i := range m.pods {
			out.PerPod = append(out.PerPod, scale.PodValue{Value: reading, Known: i < m.pods-m.unmeasured})
		}
		return out
	case metric.Type == scale.AverageValue:
		return scale.Sample{Series: []scale.Amount{reading.Times(int64(m.pods))}}
	}
	return scale.Sample{Series: []scale.Amount{reading}}
}
