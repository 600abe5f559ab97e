package sim

import (
	"time"

	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/engine/boost"
	"github.com/tidemark/tidemark/scale"
)

// Boosting is how new pods start with more cpu than they settle at, and what that is
// good for.
type Boosting struct {
	// Rules are those of the policy; nil is that pods start as they are.
	Rules *boost.Rules
	// StartUpCPU is the share of a start-up, in billionths, that is work for the cpu:
	// it takes half as long with twice as much.
	StartUpCPU int64
}

// UsualStartUpCPU is the share of a start-up that is work for the cpu where nobody says
// otherwise: half of it, as for programs that load and compile code and then wait for
// what they depend on. It matters only to boosted pods.
const UsualStartUpCPU = scale.Parts / 2

// giveBoost lets a new pod start with its boost, as the webhook does.
func (w *Workload) giveBoost(p *pod) {
	if w.Boost.Rules == nil || p.old != nil {
		return
	}
	settled := w.wanted()
	one := scale.Size{Replicas: 1, Containers: []scale.Container{{Name: w.containerName(), Requests: settled.requests, Limits: settled.limits}}}
	to, _ := engine.Boosted(w.Boost.Rules, one, w.seen())
	if size := (podSize{to[0].Requests, to[0].Limits}); size != settled {
		p.old, p.asked, p.settled = &size, &size, &settled
		w.resizer.olds++
	}
}

// loseBoost lets a pod have none that finds no node with it: then it is as if it had
// been created without.
func (w *Workload) loseBoost(p *pod) {
	p.old, p.asked, p.settled = nil, nil, nil
	w.resizer.olds--
}

// startUp is how long a pod takes to start.
func (w *Workload) startUp(p *pod) time.Duration {
	if p.settled == nil || w.Boost.StartUpCPU <= 0 {
		return w.StartUp
	}
	usual, boosted := w.most(*p.settled, p.node), w.most(w.size(p), p.node)
	if boosted <= usual || usual <= 0 {
		return w.StartUp
	}
	busy := scale.Amount(w.StartUp).Share(w.Boost.StartUpCPU, scale.Parts)
	return w.StartUp - time.Duration(busy-busy.Share(int64(usual), int64(boosted)))
}

// boostEnds is when the boost of a pod is to be taken back, by the same rule as in a
// cluster.
func (w *Workload) boostEnds(p *pod, at time.Time) time.Time {
	seen := scale.Pod{ReadyChangedAt: p.readyAt}
	if p.ready(at) {
		seen.Ready = scale.Ready
	}
	return boost.Ends(&seen, p.created, w.Boost.Rules.For())
}

// takeBoostsBack asks pods whose boost is over to have what they settle at.
func (w *Workload) takeBoostsBack(at time.Time) {
	if w.Boost.Rules == nil || w.resizer.olds == 0 {
		return
	}
	for i := range w.pods {
		p := &w.pods[i]
		if p.settled == nil || p.pending || w.boostEnds(p, at).After(at) {
			continue
		}
		to := p.settled
		if p.settled = nil; *to == w.wanted() {
			to = nil
		}
		w.ask(p, at, to)
	}
}

// wantedOf is what is wanted of a pod: while it has its boost, its cpu is left alone,
// unless more than that is wanted.
func (w *Workload) wantedOf(p *pod) podSize {
	want := w.wanted()
	if p.settled == nil {
		return want
	}
	asked, _ := p.asked.requests.Get(scale.CPU)
	if wanted, _ := want.requests.Get(scale.CPU); wanted > asked {
		return want
	}
	return withCPU(want, *p.asked)
}

// shownSize is what a pod was asked to have, as an observer takes it: without a boost.
func (w *Workload) shownSize(p *pod) podSize {
	if p.settled == nil {
		return w.askedSize(p)
	}
	return withCPU(w.askedSize(p), *p.settled)
}

// withCPU is a size with the cpu of another one.
func withCPU(s, of podSize) podSize {
	if request, known := of.requests.Get(scale.CPU); known {
		s.requests = s.requests.With(scale.CPU, request)
	}
	if limit, known := of.limits.Get(scale.CPU); known {
		s.limits = s.limits.With(scale.CPU, limit)
	}
	return s
}
