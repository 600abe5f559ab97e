package horizontal

import (
	"math"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// upstream makes one metric's proposal exactly as the Kubernetes HPA does,
// with its rounding, its integer percentages and its floats: an answer that
// differs by one pod because 0.07 × 100 is not 7 in binary is part of what
// "the same as before" means. The arithmetic is kept here, apart, and the
// only way from a float to a count is replicasOf, which cannot overflow.
type upstream struct{ reader }

// replicasOf rounds up and saturates. Upstream converts some of these without
// a check, which leaves the result to the processor; we never do.
func replicasOf(f float64) int32 {
	switch f = math.Ceil(f); {
	case f >= math.MaxInt32:
		return math.MaxInt32
	case f <= math.MinInt32 || math.IsNaN(f):
		return math.MinInt32
	}
	return int32(f)
}

// Tolerances are the tolerances as the HPA computes with them.
type Tolerances struct {
	Up, Down float64
}

func (u upstream) within(ratio float64) bool {
	return 1-u.rules.UpstreamTolerances.Down <= ratio && ratio <= 1+u.rules.UpstreamTolerances.Up
}

func (u upstream) answer(want int32, ratio float64) proposal {
	side := scale.Up
	switch {
	case u.within(ratio) || math.IsNaN(ratio):
		side = scale.None
	case ratio < 1:
		side = scale.Down
	}
	return proposal{replicas: want, reason: sideReason(u.metric.Band, side), state: answered}
}

func (u upstream) propose() proposal {
	if !u.metric.Band.Single() {
		// Watermarks are no concept of the HPA, so there is nothing to be equal to.
		return u.reader.propose()
	}
	if u.metric.Kind.PerPod() {
		return u.fromPods()
	}
	s := u.sample()
	switch {
	case s.Problem != "":
		return u.missing(s.Problem)
	case len(s.Series) == 0:
		return u.missing(problemNothing)
	case u.metric.BySource && s.Target <= 0:
		return u.missing(problemTarget)
	case u.metric.Type == scale.AverageValue:
		return u.perReplica(s.Series)
	}
	return u.byRatio(s.Series)
}

// perReplica divides a total by a target per pod.
func (u upstream) perReplica(series []scale.Amount) proposal {
	usage := int64(0)
	for _, v := range series {
		if usage += int64(v); usage < 0 && u.metric.Kind == External {
			usage = math.MaxInt64
			break
		}
	}
	u.facts.Value, u.facts.Known = scale.Amount(usage), true
	replicas := u.obs.Target.StatusReplicas
	target := float64(u.metric.Band.High)
	ratio := float64(usage) / (target * float64(replicas))
	if !u.within(ratio) {
		replicas = replicasOf(float64(usage) / target)
		u.counted(1, scale.Amount(usage), replicas)
	}
	return u.answer(replicas, ratio)
}

// byRatio multiplies the ready pods by the ratio of value and target.
func (u upstream) byRatio(series []scale.Amount) proposal {
	usage := int64(0)
	for _, v := range series {
		if v > 0 && usage > math.MaxInt64-int64(v) {
			usage = math.MaxInt64
			break
		}
		usage += int64(v)
	}
	u.facts.Value, u.facts.Known = scale.Amount(usage), true
	current := u.obs.Target.SpecReplicas
	ratio := float64(usage) / float64(u.metric.Band.High)
	switch {
	case current == 0:
		want := replicasOf(ratio)
		u.counted(1, scale.Amount(usage), want)
		return u.answer(want, ratio)
	case u.within(ratio):
		return u.answer(current, ratio)
	case u.obs.Pods != nil && len(u.obs.Pods) == 0:
		return u.missing(problemNoPods)
	}
	ready := u.readyPods()
	want := replicasOf(ratio * float64(ready))
	u.counted(ready, scale.Amount(usage), want)
	return u.answer(want, ratio)
}

// counted notes how a count was computed from what pods have each.
func (u upstream) counted(pods int32, each scale.Amount, want int32) {
	u.facts.Sum = scale.Sum{Rounded: scale.Up, Pods: pods, Used: each, Count: want}
}

func (u upstream) readyPods() int32 {
	if u.obs.Pods == nil {
		return u.obs.Target.StatusReplicas
	}
	ready := int32(0)
	for i := range u.obs.Pods {
		if u.obs.Pods[i].Phase == scale.Running && u.obs.Pods[i].Ready == scale.Ready {
			ready++
		}
	}
	return ready
}

// podSums is what upstream keeps in its maps of pods and requests.
type podSums struct {
	samples, ready, unready, missing           int64
	usage, requests                            int64
	missingRequests, unreadyRequests, fallback int64
}

func (u upstream) fromPods() proposal {
	sums, problem := u.sum()
	u.facts.Pods = scale.PodCounts{Counted: int32(sums.ready), Unready: int32(sums.unready), Missing: int32(sums.missing)}
	if problem != "" {
		return u.missing(problem)
	}
	current := u.obs.Target.SpecReplicas
	ratio, ok := u.ratio(sums)
	if !ok {
		return u.missing(problemRequests)
	}
	u.facts.Value, u.facts.Known = u.shown(sums), true
	growing := sums.unready > 0 && ratio > 1
	if !growing && sums.missing == 0 {
		if u.within(ratio) {
			return u.answer(current, ratio)
		}
		want := replicasOf(ratio * float64(sums.ready))
		u.counted(int32(sums.ready), u.facts.Value, want)
		return u.answer(want, ratio)
	}
	filled := u.fill(sums, ratio, growing)
	after, ok := u.ratio(filled)
	if !ok {
		return u.missing(problemRequests)
	}
	if u.within(after) || (ratio < 1 && after > 1) || (ratio > 1 && after < 1) {
		u.facts.Softened = !u.within(ratio)
		return u.answer(current, 1)
	}
	want := replicasOf(after * float64(filled.samples))
	u.counted(int32(filled.samples), u.shown(filled), want)
	if (after < 1 && want > current) || (after > 1 && want < current) {
		return proposal{replicas: current, reason: scale.DirectionGuard, state: answered}
	}
	return u.answer(want, after)
}

// fill adds the missing pods as idle on the way up and as fully used on the
// way down, and the unready ones as idle on the way up.
func (u upstream) fill(s podSums, ratio float64, growing bool) podSums {
	if s.missing > 0 && ratio != 1 {
		s.samples += s.missing
		s.requests += s.missingRequests
		if ratio < 1 {
			s.usage += s.fallback
		}
	}
	if growing {
		s.samples += s.unready
		s.requests += s.unreadyRequests
	}
	return s
}

func (u upstream) ratio(s podSums) (float64, bool) {
	target := float64(u.metric.Band.High)
	if u.metric.Type != scale.Utilization {
		return float64(s.usage/s.samples) / target, true
	}
	if s.requests == 0 {
		return 0, false
	}
	percent := int32(s.usage * 100 / s.requests)
	return float64(percent) / (target / 1000), true
}

func (u upstream) shown(s podSums) scale.Amount {
	if u.metric.Type == scale.Utilization {
		return scale.Amount(int32(s.usage*100/s.requests)) * scale.Thousand
	}
	return scale.Amount(s.usage / s.samples)
}

// sum groups the pods as upstream does: finished ones count, strangers too.
func (u upstream) sum() (s podSums, problem string) {
	sample := u.sample()
	switch {
	case sample.Problem != "":
		return s, sample.Problem
	case u.obs.Pods == nil && u.metric.Kind == Pods:
		t, problem := u.tallyUnlisted(sample)
		n := int64(t.counts.Counted)
		s = podSums{samples: n, ready: n, missing: int64(t.counts.Missing), usage: int64(t.usage)}
		s.fallback = s.missing * int64(u.metric.Band.High)
		return s, problem
	case u.obs.Pods == nil:
		return s, problemUnlisted
	case len(u.obs.Pods) == 0:
		return s, problemNoPods
	}
	usual := u.usual()
	for i := range u.obs.Pods {
		if usage, request, ok := usual.of(&u.obs.Pods[i]); ok {
			s.count(usage, request)
		} else if !u.add(&s, i, &sample) {
			return s, problemRequests
		}
	}
	if u.metric.Kind == Pods {
		for _, v := range sample.Strangers {
			s.samples++
			s.usage += int64(v)
		}
	}
	if s.samples == 0 {
		return s, problemNoUsage
	}
	return s, ""
}

// add puts one pod into its group; false means its request is unknown, which
// upstream takes as a failure of the whole metric.
func (u upstream) add(s *podSums, i int, sample *scale.Sample) bool {
	pod := &u.obs.Pods[i]
	usage, request := u.metric.sums(pod, false)
	if u.metric.Kind == Pods {
		usage = valueOf(sample, i)
	}
	if u.metric.Type != scale.Utilization {
		request = known{ok: true}
	}
	if !request.ok || pod.Deleting || pod.Phase == scale.Failed {
		return request.ok
	}
	switch {
	case pod.Phase == scale.Pending || (usage.ok && u.unready(pod)):
		s.unready++
		s.unreadyRequests += int64(request.amount)
	case !usage.ok:
		s.missing++
		s.missingRequests += int64(request.amount)
		s.fallback += u.assumed(int64(request.amount))
	default:
		s.count(usage.amount, request.amount)
	}
	return true
}

// count adds a pod that is ready and measured.
func (s *podSums) count(usage, request scale.Amount) {
	s.ready++
	s.samples++
	s.usage += int64(usage)
	s.requests += int64(request)
}

// assumed is what a missing pod is taken to use on the way down: all it
// requests, or the target where that is more.
func (u upstream) assumed(request int64) int64 {
	if u.metric.Type != scale.Utilization {
		return int64(u.metric.Band.High)
	}
	return request * max(100, int64(u.metric.Band.High)/1000) / 100
}

func (u upstream) unready(pod *scale.Pod) bool {
	if u.metric.Kind == Pods || u.metric.Resource != scale.CPU {
		return false
	}
	if pod.Ready == scale.ReadinessAbsent {
		return true
	}
	if pod.StartedAt.Add(u.rules.CPUInitialization).After(u.obs.At) {
		return pod.Ready == scale.NotReady || u.usageAt(pod).Before(pod.ReadyChangedAt.Add(pod.UsageWindow))
	}
	return pod.Ready == scale.NotReady && pod.StartedAt.Add(u.rules.InitialReadiness).After(pod.ReadyChangedAt)
}

func (u upstream) usageAt(pod *scale.Pod) time.Time {
	if pod.UsageAt.IsZero() {
		return u.obs.At
	}
	return pod.UsageAt
}
