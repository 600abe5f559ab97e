package sim

import "time"

// A container that ends is started again after a pause that doubles each time,
// and is forgiven once it has run for a while: as the kubelet does it.
const (
	shortestPause = 10 * time.Second
	longestPause  = 5 * time.Minute
	forgivenAfter = 10 * time.Minute
)

// waiting is the kubelet's word for a container in that pause.
const waiting = "CrashLoopBackOff"

// start starts a pod's container. Where chance has it, the start fails at its
// end.
func (w *Workload) start(p *pod, at time.Time) {
	w.version++
	p.started, p.leaksFrom, p.readyAt, p.crashAt = at, at, time.Time{}, time.Time{}
	end := at.Add(w.startUp(p))
	if w.jitter != nil {
		end = end.Add(w.jitter(p.number))
	}
	if w.fails != nil && w.fails(p.number, p.restarts) {
		p.crashAt = end
		return
	}
	p.readyAt = end
}

// restart starts a container again that ended by itself, after a pause.
func (w *Workload) restart(p *pod, at time.Time) {
	if at.Sub(p.started) > forgivenAfter {
		p.failures = 0
	}
	pause := longestPause
	if p.failures < 5 {
		pause = min(shortestPause<<p.failures, longestPause)
	}
	p.failures++
	if p.endedAt = at; p.ready(at) {
		p.notReadyAt = at
	}
	p.restarts++
	w.restarts++
	w.start(p, at.Add(pause))
}

// Settle lets happen what is due at a moment.
func (w *Workload) Settle(at time.Time) { w.settle(at) }

// settle lets happen what is due: containers that crash, pods that are resized,
// and pods that find a node.
func (w *Workload) settle(at time.Time) {
	if w.fails != nil {
		for i := range w.pods {
			if p := &w.pods[i]; !p.crashAt.IsZero() && !p.crashAt.After(at) {
				w.restart(p, p.crashAt)
			}
		}
	}
	w.takeBoostsBack(at)
	w.resizeDue(at)
	w.placeDue(at)
}

// next is when something happens to a pod next, if anything will.
func (w *Workload) next(after time.Time) (next time.Time, ok bool) {
	if w.fails == nil && w.resizer.olds == 0 {
		w.Ready(after)
		return w.counted.until, !w.counted.until.IsZero()
	}
	sooner := func(t time.Time) {
		if t.After(after) && (!ok || t.Before(next)) {
			next, ok = t, true
		}
	}
	for i := range w.pods {
		p := &w.pods[i]
		sooner(p.readyAt)
		if w.fails != nil {
			sooner(p.crashAt)
		}
		if p.old != nil {
			sooner(p.resizeAt)
		}
		if p.settled != nil {
			sooner(w.boostEnds(p, after))
		}
	}
	return next, ok
}
