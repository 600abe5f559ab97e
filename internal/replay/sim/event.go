package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// Event is something that happens to the pods at a moment. A recording of demand
// knows no events; a script of what should happen does.
type Event struct {
	At time.Time
	// Rollout replaces all pods, a quarter of them at a time.
	Rollout bool
	// Crash, where it is set, keeps pods out of service.
	Crash *CrashLoop
}

// CrashLoop keeps the oldest pods out of service from now on, each using so much
// cpu. No pods end it.
type CrashLoop struct {
	Pods int
	CPU  scale.Amount
}

// eventsDue lets happen what is due of the events.
func (p *Plant) eventsDue() {
	for len(p.events) > 0 && !p.events[0].At.After(p.now) {
		e := p.events[0]
		p.events = p.events[1:]
		if e.Rollout {
			p.workload.rollOut()
		}
		if e.Crash != nil {
			p.workload.crashLoop(*e.Crash, p.now)
		}
	}
	p.workload.replaceDue(p.now)
}

// rollOut marks all pods to be replaced.
func (w *Workload) rollOut() {
	for i := range w.pods {
		if !w.pods[i].outdated {
			w.pods[i].outdated = true
			w.outdated++
		}
	}
}

// replaceDue replaces as many outdated pods as may be out of service.
func (w *Workload) replaceDue(at time.Time) {
	if w.outdated == 0 {
		return
	}
	n := int(w.Replicas())
	most := max(n/4, 1) - (n - int(w.Ready(at)))
	for i := range w.pods {
		p := &w.pods[i]
		if !p.outdated || most <= 0 && p.ready(at) {
			continue
		}
		if p.ready(at) {
			most--
		}
		w.leave(p)
		*p = w.newPod(at)
		w.giveBoost(p)
		w.place(p, at)
	}
}

// crashLoop keeps the oldest pods out of service, and brings back those that were.
func (w *Workload) crashLoop(c CrashLoop, at time.Time) {
	for i := range w.pods {
		p := &w.pods[i]
		switch {
		case i < c.Pods && !p.looping:
			p.looping, p.burns, p.notReadyAt, p.readyAt = true, c.CPU, at, time.Time{}
			// It is in back-off all the time: what it does in between is no work.
			p.started = at.Add(settledFor)
			p.restarts++
			w.restarts++
		case i >= c.Pods && p.looping:
			p.looping, p.burns, p.started, p.readyAt = false, 0, at, at
		}
	}
	w.version++
}
