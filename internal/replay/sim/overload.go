package sim

import (
	"time"

	"github.com/tidemark/tidemark/scale"
)

// over is since when the demand has been more than the pods can do, zero while it
// is not, and when it was last no longer.
type over struct{ since, ended time.Time }

// overload takes readiness from the pods, or gives it back.
func (p *Plant) overload() {
	if !p.settings.Overload {
		return
	}
	o, now := &p.over, p.demand.value() > p.workload.capacity(p.now)
	if now == !o.since.IsZero() {
		return
	}
	p.workload.version++
	if now {
		o.since = p.now
		return
	}
	o.since, o.ended = time.Time{}, p.now
}

// readiness is how a pod that serves is seen, and since when.
func (p *Plant) readiness(own *pod) (scale.Readiness, time.Time) {
	switch since := p.over.since; {
	case !since.IsZero() && since.After(own.readyAt):
		return scale.NotReady, since
	case !since.IsZero():
		return scale.NotReady, own.readyAt
	case p.over.ended.After(own.readyAt):
		return scale.Ready, p.over.ended
	}
	return scale.Ready, own.readyAt
}
