package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// MemoryUse is how much memory a pod uses; the zero value is not simulated. A pod
// whose memory reaches its limit (or, without one, its request) is killed and
// restarted.
type MemoryUse struct {
	// Base is used at rest, PerCore for each core of work that a pod does, and
	// Leak is what each hour adds until the container is restarted.
	Base, PerCore, Leak scale.Amount
}

// Simulated tells whether anything is known about the memory of pods.
func (m *MemoryUse) Simulated() bool { return *m != MemoryUse{} }

// hourly is an hour in milliseconds: the unit in which leaks are exact.
const hourly = int64(time.Hour / time.Millisecond)

// of is what a pod uses when it does so much work.
func (m *MemoryUse) of(p *pod, work scale.Amount, at time.Time) scale.Amount {
	age := max(at.Sub(p.leaksFrom).Milliseconds(), 0)
	return m.atRest(work).Add(m.Leak.Share(age, hourly))
}

// atRest is what a pod uses that has just been started.
func (m *MemoryUse) atRest(work scale.Amount) scale.Amount {
	return m.Base.Add(m.PerCore.Share(int64(work), int64(scale.Thousand)))
}

// memoryLimit is what a pod may use; false where there is no bound.
func (s podSize) memoryLimit() (scale.Amount, bool) {
	if limit, ok := s.limits.Get(scale.Memory); ok {
		return limit, true
	}
	return s.requests.Get(scale.Memory)
}

// killOutOfMemory kills the pods whose memory has reached its limit. The others
// then have more to do, so it goes on until nobody is killed.
func (p *Plant) killOutOfMemory() {
	m, w := &p.settings.Memory, p.workload
	if !m.Simulated() {
		return
	}
	for again := true; again; {
		again = false
		work := p.present().perPod
		for i := range w.pods {
			one := &w.pods[i]
			if !one.ready(p.now) {
				continue
			}
			if limit, bound := w.size(one).memoryLimit(); bound && m.of(one, work, p.now) >= limit {
				one.killedAt = p.now
				w.restart(one, p.now)
				p.score.OutOfMemory++
				again = true
			}
		}
	}
}

// nextOutOfMemory is when the next pod's leak reaches its limit, if the work
// stays as it is.
func (p *Plant) nextOutOfMemory() (next time.Time, ok bool) {
	m, w := &p.settings.Memory, p.workload
	if m.Leak <= 0 {
		return next, false
	}
	rest := m.atRest(p.present().perPod)
	for i := range w.pods {
		one := &w.pods[i]
		limit, bound := w.size(one).memoryLimit()
		if !bound || !one.ready(p.now) {
			continue
		}
		// The share is rounded up, so the limit is reached then.
		millis := max(limit-rest, 0).Share(hourly, int64(m.Leak))
		if millis > scale.Amount(longestLeak.Milliseconds()) {
			continue
		}
		at := one.leaksFrom.Add(time.Duration(millis) * time.Millisecond)
		if at.After(p.now) && (!ok || at.Before(next)) {
			next, ok = at, true
		}
	}
	return next, ok
}

// longestLeak is how long a leak may take: what takes longer does not happen in
// any replay, and would not fit into a duration.
const longestLeak = 100 * 365 * 24 * time.Hour
