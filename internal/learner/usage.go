package learner

import (
	"time"

	"github.com/tidemark/tidemark/internal/history"
	"github.com/tidemark/tidemark/scale"
)

// use is what the pods used, as it was last measured.
type use struct {
	total scale.Amount
	// at is when it was measured, delay how long ago that was.
	at    time.Time
	delay time.Duration
	// ready is how many pods serve now, limit what each may use, 0 for none, and
	// request what each requests in force.
	ready          int32
	limit, request scale.Amount
	// served is how many pods the total comes from: those that were ready when
	// it was measured and are still there.
	served int32
	// seen is how many of those that serve now were measured.
	seen int32
	// most is what the busiest pod used.
	most scale.Amount
	// ceiling is the most that the application of a pod uses, where that is less
	// than it may.
	ceiling scale.Amount
	// saturated is set when the pods used all that they could.
	saturated bool
	// bursts is set where they are given less than they use.
	bursts bool
	// full is set when they used so much of it that some of them hid demand.
	full  bool
	known bool
	// startUp is how long the start of a pod lasts.
	startUp scale.StartUp
	// container is the one that is looked at; empty is the whole pod.
	container string
}

// usedBy is the cpu that a container of a pod used, or the whole pod did; false
// where that was not measured.
func usedBy(pod *scale.Pod, container string) (sum scale.Amount, measured bool) {
	for i := range pod.Containers {
		c := &pod.Containers[i]
		if used, known := c.Usage.Get(scale.CPU); known && (container == "" || c.Name == container) {
			sum, measured = sum.Add(max(used, 0)), true
		}
	}
	return sum, measured
}

// unmeasured is how many pods served as well, and were not measured.
func (u *use) unmeasured(obs *scale.Observation) int32 {
	if u.seen >= u.ready {
		return 0
	}
	pods, _ := obs.Unmeasured(func(pod *scale.Pod) bool {
		_, measured := usedBy(pod, u.container)
		return measured
	})
	return pods
}

// usageOf sums the cpu that a container used over the pods that serve, or that
// the whole pods did. Pods that do not serve show no demand: they start, or crash
// again and again. Where none serves, those that lost readiness count, because an
// overload takes it first. The decision goes by the same pods.
func (l *Learner) usageOf(obs *scale.Observation) use {
	out := use{at: obs.At, startUp: l.StartUp, container: l.Places[0]}
	for i := range obs.Pods {
		pod := &obs.Pods[i]
		if !pod.UsageAt.IsZero() && pod.UsageAt.Before(out.at) {
			out.at = pod.UsageAt
		}
		if pod.Serves() {
			out.ready++
		}
	}
	out.delay = obs.At.Sub(out.at)
	out.limit, out.request = out.limitInForce(obs, l.Places[0]), out.requestInForce(obs, l.Places[0])
	for i := range obs.Pods {
		out.add(&obs.Pods[i], obs.At, l.Places[0])
	}
	return out
}

// counts tells whether the pod's usage shows demand, and whether it already did at
// an earlier moment.
func (u *use) counts(pod *scale.Pod, now, then time.Time) (counts, did bool) {
	switch {
	case pod.Serves():
		return true, !pod.ReadyChangedAt.After(then)
	case u.ready == 0 && pod.Standing(now, u.startUp) == scale.LostReadiness:
		return true, true
	}
	return false, false
}

// add adds one pod.
func (u *use) add(pod *scale.Pod, now time.Time, container string) {
	counts, did := u.counts(pod, now, u.at)
	sum, measured := usedBy(pod, container)
	if measured && pod.Serves() {
		u.seen++
	}
	if !measured || !counts {
		return
	}
	u.total, u.most, u.known = u.total.Add(sum), max(u.most, sum), true
	if did {
		u.served++
	}
}

// asOf takes the measurement for what it is: one of an earlier moment. Pods that
// have gone since did their part then, and whether the rest were full depends on
// the limit they had then.
func (u *use) asOf(obs *scale.Observation, g *history.Growth) {
	then, when, ok := g.After(u.at)
	if !ok {
		then, when = u.look(), obs.At
	}
	still := int32(0)
	for i := range obs.Pods {
		if _, did := u.counts(&obs.Pods[i], obs.At, when); did {
			still++
		}
	}
	if before, known := g.Before(u.at); known && before.Ready < then.Ready {
		// Pods that became ready since did nothing then.
		then.Ready, still = before.Ready, u.served
	}
	if unseen := u.unmeasured(obs); unseen > 0 && u.served > 0 {
		u.total = u.total.Share(int64(u.served)+int64(unseen), int64(u.served))
		u.served += unseen
	}
	if gone := then.Ready - still; gone > 0 && u.served > 0 {
		u.total = u.total.Share(int64(u.served)+int64(gone), int64(u.served))
		u.served += gone
	}
	if u.served <= 0 {
		return
	}
	u.ceiling = g.Ceiling(history.PodUse{
		At: u.at.UnixMilli(), Most: u.most, Mean: u.total / scale.Amount(u.served), Limit: then.Limit, Request: then.Request, Bursts: u.bursts,
	})
	// Measuring takes up to two percent away.
	could := then.Limit.Times(int64(u.served))
	u.saturated, u.full = could > 0 && u.total >= could.Share(98, 100), could > 0 && u.total >= could.Share(fullPercent, 100)
}

// look is the size of the workload now.
func (u *use) look() history.Look {
	return history.Look{Ready: u.ready, Limit: u.limit, Request: u.request}
}

// requestInForce is what one pod that counts requests on average, of a container or
// of all; 0 where one requests nothing.
func (u *use) requestInForce(obs *scale.Observation, name string) scale.Amount {
	sum, pods := scale.Amount(0), int64(0)
	for i := range obs.Pods {
		pod := &obs.Pods[i]
		if counts, _ := u.counts(pod, obs.At, u.at); !counts {
			continue
		}
		pods++
		for j := range pod.Containers {
			c := &pod.Containers[j]
			if name != "" && c.Name != name {
				continue
			}
			has, known := c.Has(scale.CPU)
			if !known {
				return 0
			}
			sum = sum.Add(has)
		}
	}
	return sum / scale.Amount(max(pods, 1))
}

// limitInForce is what one pod that counts may use: the mean of the limits in
// force, of a container or of all; 0 where one has none.
func (u *use) limitInForce(obs *scale.Observation, name string) scale.Amount {
	sum, pods := scale.Amount(0), int64(0)
	for i := range obs.Pods {
		if counts, _ := u.counts(&obs.Pods[i], obs.At, u.at); !counts {
			continue
		}
		pods++
		for j := range obs.Target.Containers {
			of := &obs.Target.Containers[j]
			if name != "" && of.Name != name {
				continue
			}
			limit, ok := mayUse(&obs.Pods[i], of)
			if !ok {
				return 0
			}
			sum = sum.Add(limit)
		}
	}
	return sum / scale.Amount(max(pods, 1))
}

// mayUse is the most cpu that a container of a pod may use.
func mayUse(pod *scale.Pod, of *scale.Container) (scale.Amount, bool) {
	for i := range pod.Containers {
		if c := &pod.Containers[i]; c.Name == of.Name {
			return c.MayUse(of, scale.CPU)
		}
	}
	return of.Limits.Get(scale.CPU)
}
