package upstream

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	resourcehelpers "k8s.io/component-helpers/resource"
	"k8s.io/kubernetes/pkg/features"
)

// group is a number of pods with what they request and use.
type group struct {
	pods, requests, usage int64
	// unknown is how many of them request an unknown amount; stated is what
	// each of the others requests.
	unknown int64
	stated  []int64
}

// groups is what the pods of a workload are to a metric.
type groups struct {
	counted, missing, unready group
	// lost are pods that lost readiness, where that makes a difference.
	lost group
	// unseen is how many pods serve and have no sample; measured is how many
	// pods have one, and unmeasured how many should.
	unseen, measured, unmeasured int
	// strangers are samples of pods that are not in any group.
	strangers group
	// largest is the largest request there is.
	largest int64
}

// fromPods is a metric that every pod has.
func (m *model) fromPods() Proposal {
	g, ok := m.group()
	if !ok {
		return Proposal{}
	}
	first := demand{usage: m.add(g.counted.usage, g.strangers.usage), requests: g.counted.requests, pods: g.counted.pods + g.strangers.pods}
	r, ok := m.ratio(first)
	if !ok {
		return Proposal{}
	}
	if m.on.Has(PartialHolds) && g.measured < g.unmeasured {
		return count(m.SpecReplicas)
	}
	if m.on.Has(ServingDecide) && m.within(r) {
		return count(m.SpecReplicas)
	}
	growing := g.unready.pods+g.lost.pods > 0 && m.above(r)
	if !growing && g.missing.pods == 0 {
		if m.within(r) {
			return count(m.SpecReplicas)
		}
		return m.guarded(m.ceil(r, g.counted.pods, false), r)
	}
	filled := m.filled(first, &g, r)
	after, ok := m.ratio(filled)
	switch {
	case !ok:
		return Proposal{}
	case m.within(after), m.below(r) && m.above(after), m.above(r) && m.below(after):
		return count(m.SpecReplicas)
	}
	want := m.ceil(after, filled.pods, false)
	if m.below(after) && want > m.SpecReplicas || m.above(after) && want < m.SpecReplicas {
		return count(m.SpecReplicas)
	}
	return count(want)
}

// demand is a usage, what requests it, and by how many pods.
type demand struct {
	usage, requests, pods int64
	// atTarget is how many pods, or how much request, is assumed to be exactly
	// at the target.
	atTarget int64
}

// filled adds the pods nothing is known of.
func (m *model) filled(l demand, g *groups, r ratio) demand {
	if m.above(r) || m.below(r) {
		requests := m.add(g.missing.requests, m.times(g.largest, g.missing.unknown))
		l.pods += g.missing.pods
		l.requests = m.add(l.requests, requests)
		if m.below(r) {
			l = m.busy(l, g, requests)
		}
	}
	if m.above(r) {
		l.pods += g.unready.pods + g.lost.pods
		l.usage = m.add(l.usage, g.lost.usage)
		l.requests = m.add(l.requests, g.lost.requests)
		l.requests = m.add(l.requests, m.add(g.unready.requests, m.times(g.largest, g.unready.unknown)))
	}
	return l
}

// busy adds the missing pods' usage, as it is assumed on the way down. Whole
// percents are taken of each pod's request, shares of all of them together.
func (m *model) busy(l demand, g *groups, requests int64) demand {
	percent := m.marks.target
	if !m.on.Has(MissingAtTarget) {
		percent = max(100, percent)
	}
	switch {
	case m.source.target.AverageUtilization == nil:
		l.atTarget = g.missing.pods
	case !m.on.Has(ExactShares):
		for _, request := range append(g.missing.stated, slices.Repeat([]int64{g.largest}, int(g.missing.unknown))...) {
			l.usage = m.add(l.usage, m.times(request, percent)/100)
		}
	case percent == m.marks.target:
		l.atTarget = requests
	default:
		l.usage = m.add(l.usage, requests)
	}
	return l
}

// group sorts the pods. It fails when the metric is nothing to go by.
func (m *model) group() (g groups, ok bool) {
	samples, ok := m.samples()
	if !ok {
		return g, false
	}
	for _, pod := range m.Pods {
		request, known := m.request(pod)
		if !known && !m.on.Has(RequestsUnknown) {
			return g, false
		}
		phase := pod.Status.Phase
		if pod.DeletionTimestamp != nil || phase == corev1.PodFailed || phase == corev1.PodSucceeded && m.on.Has(SucceededIgnored) {
			delete(samples, pod.Name)
			continue
		}
		s, measured := samples[pod.Name]
		delete(samples, pod.Name)
		if !measured {
			s = m.lookedAt(pod.Name)
		}
		if m.on.Has(SamplesRefused) && measured && (s.value < 0 || m.stale(s.at, s.window)) {
			measured = false
		}
		into := m.groupOf(&g, pod, s, measured, known)
		if into == &g.counted || into == &g.lost {
			into.usage = m.add(into.usage, s.value)
		}
		m.count(into, request, known)
		g.largest = max(g.largest, request)
	}
	m.countStrangers(&g, samples)
	if g.counted.pods == 0 && g.unseen == 0 {
		g.counted, g.lost = g.lost, group{}
	}
	return g, g.counted.pods+g.strangers.pods > 0
}

// count adds one more pod with its request.
func (m *model) count(into *group, request int64, known bool) {
	into.pods++
	into.requests = m.add(into.requests, request)
	if known {
		into.stated = append(into.stated, request)
	} else {
		into.unknown++
	}
}

// countStrangers adds samples of pods that nobody listed.
func (m *model) countStrangers(g *groups, samples map[string]sample) {
	if m.source.resource != "" || m.on.Has(StrangersIgnored) {
		return
	}
	for _, s := range samples {
		g.strangers.pods++
		g.strangers.usage = m.add(g.strangers.usage, s.value)
	}
}

// groupOf is the group that a pod belongs to.
func (m *model) groupOf(g *groups, pod *corev1.Pod, s sample, measured, known bool) *group {
	starting, serves := m.starting(pod, s), m.serves(pod)
	switch {
	case pod.Status.Phase == corev1.PodPending || measured && starting:
		if measured {
			g.measured++
		}
		return &g.unready
	case !measured || !known:
		if start := pod.Status.StartTime; start == nil || !start.Add(cpuInitialization).After(m.At) {
			g.unmeasured++
		}
		if serves && !starting {
			g.unseen++
		}
		return &g.missing
	}
	g.measured++
	if !serves {
		return &g.lost
	}
	return &g.counted
}

// serves tells whether the pod has a say in the direction.
func (m *model) serves(pod *corev1.Pod) bool {
	if m.source.resource != corev1.ResourceCPU || !m.on.Has(ServingDecide) {
		return true
	}
	status, _ := readyCondition(pod)
	return pod.Status.Phase == corev1.PodRunning && status == corev1.ConditionTrue
}

// lookedAt is when a pod without a value was measured: that a container has none
// does not change when the others were.
func (m *model) lookedAt(pod string) sample {
	for i := range m.Usage {
		if u := &m.Usage[i]; u.Pod == pod {
			return sample{at: u.At, window: u.Window}
		}
	}
	return sample{at: m.At}
}

// sample is one pod's value.
type sample struct {
	value  int64
	at     time.Time
	window time.Duration
}

// samples are all values the metrics API has, by the names of pods.
func (m *model) samples() (map[string]sample, bool) {
	out := map[string]sample{}
	if m.source.resource == "" {
		for _, v := range m.Answers[0].PerPod {
			out[v.Pod] = sample{value: v.Milli, at: m.Answers[0].At}
		}
		return out, len(m.Answers[0].PerPod) > 0 && len(m.Pods) > 0
	}
	for i := range m.Usage {
		u := &m.Usage[i]
		sum, measured := int64(0), len(u.Containers) > 0
		for _, c := range u.Containers {
			if m.source.container == "" || m.source.container == c.Name {
				value, ok := c.Milli[m.source.resource]
				sum, measured = m.add(sum, value), measured && ok
			}
		}
		if measured && (m.source.container == "" || hasContainer(u, m.source.container)) {
			out[u.Pod] = sample{sum, u.At, u.Window}
		}
	}
	return out, len(m.Usage) > 0 && len(m.Pods) > 0
}

func hasContainer(u *PodUsage, name string) bool {
	for _, c := range u.Containers {
		if c.Name == name {
			return true
		}
	}
	return false
}

// stale tells whether a moment is too far from now for a sample.
func (m *model) stale(at time.Time, window time.Duration) bool {
	age := m.At.Sub(at)
	return age > 5*time.Minute+window || age < -30*time.Second
}

// request is what the pod requests of the metric's resource, if that matters.
func (m *model) request(pod *corev1.Pod) (int64, bool) {
	if m.source.target.AverageUtilization == nil {
		return 0, true
	}
	request, known := m.statedRequest(pod)
	if !m.on.Has(RequestsUnknown) || known && request > 0 {
		return request, known
	}
	request, known = m.sumRequests(m.Template)
	return request, known && request > 0
}

func (m *model) statedRequest(pod *corev1.Pod) (int64, bool) {
	if m.source.container == "" && utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources) && resourcehelpers.IsPodLevelRequestsSet(pod) {
		q, ok := resourcehelpers.PodRequests(pod, resourcehelpers.PodResourcesOptions{})[m.source.resource]
		return q.MilliValue(), ok
	}
	running := append([]corev1.Container{}, pod.Spec.Containers...)
	for _, c := range pod.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			running = append(running, c)
		}
	}
	return m.sumRequests(running)
}

func (m *model) sumRequests(containers []corev1.Container) (sum int64, known bool) {
	for _, c := range containers {
		if m.source.container != "" && m.source.container != c.Name {
			continue
		}
		q, ok := c.Resources.Requests[m.source.resource]
		if !ok {
			return 0, false
		}
		sum, known = m.add(sum, q.MilliValue()), true
	}
	return sum, known
}

// starting tells whether a pod's cpu usage says nothing of its load yet.
func (m *model) starting(pod *corev1.Pod, s sample) bool {
	if m.source.resource != corev1.ResourceCPU {
		return false
	}
	status, changed := readyCondition(pod)
	if status == "" {
		return true
	}
	unready := status == corev1.ConditionFalse || !m.serves(pod)
	start := pod.Status.StartTime
	switch {
	case start == nil:
		return unready || !m.on.Has(StartAssumed)
	case start.Add(cpuInitialization).After(m.At):
		return unready || s.at.Before(changed.Add(s.window))
	}
	return unready && start.Add(initialReadiness).After(changed)
}

// readyCondition is the pod's readiness and since when; empty when unknown.
func readyCondition(pod *corev1.Pod) (corev1.ConditionStatus, time.Time) {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status, condition.LastTransitionTime.Time
		}
	}
	return "", time.Time{}
}
