package sim

import (
	"time"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/scale"
)

// Resizing is how pods that run get new requests: in the rounds that the
// controller plans as well, and with what becomes of a resize on a node.
type Resizing struct {
	// Update is how pods may be brought to their size; empty is in place, and
	// by eviction where that does not help.
	Update plan.Update
	// MinReplicas and Requirements have the meaning they have in a plan.Policy.
	MinReplicas  int32
	Requirements []scale.EvictionRequirement
	// Delay is how long it takes until a resize is in force.
	Delay time.Duration
	// Deferred and Infeasible are the shares of resizes, in billionths, for which
	// a node has no room for as long as DeferredFor, or never.
	Deferred, Infeasible int64
	DeferredFor          time.Duration
	// Restarts is set where a resize restarts the container.
	Restarts bool
	// TemplateSized is set where new pods begin with what the first ones had:
	// where no webhook gives them their size.
	TemplateSized bool
}

// podSize is what a pod requests and may use.
type podSize struct{ requests, limits scale.Resources }

// grows and shrinks tell whether a pod that goes from one size to another gets
// more of something, and less of something. A limit where there was none is
// less.
func (s podSize) changes(to podSize) (grows, shrinks bool) {
	for _, r := range scale.EveryResource {
		before, had := s.requests.Get(r)
		after, has := to.requests.Get(r)
		grows = grows || has && (!had || after > before)
		shrinks = shrinks || has && had && after < before
		before, had = s.limits.Get(r)
		after, has = to.limits.Get(r)
		grows = grows || has && had && after > before
		shrinks = shrinks || has && (!had || after < before)
	}
	return grows, shrinks
}

// requested tells of which resources another size requests more, and of which less.
func (s podSize) requested(to podSize) (higher, lower [len(scale.EveryResource)]bool) {
	for _, r := range scale.EveryResource {
		before, had := s.requests.Get(r)
		after, has := to.requests.Get(r)
		higher[r], lower[r] = has && (!had || after > before), has && had && after < before
	}
	return higher, lower
}

// raised is the size with at least as much of everything as another.
func (s podSize) raised(to podSize) podSize {
	return podSize{atLeast(s.requests, to.requests), atLeast(s.limits, to.limits)}
}

func atLeast(has, least scale.Resources) scale.Resources {
	for _, r := range scale.EveryResource {
		now, known := has.Get(r)
		if amount, wanted := least.Get(r); wanted && (!known || amount > now) {
			has = has.With(r, amount)
		}
	}
	return has
}

// resizer is how a workload's pods are resized.
type resizer struct {
	Resizing
	// byRounds is set in a plant. A workload alone has at once what it should.
	byRounds bool
	// olds is how many pods do not have the wanted size, or were not asked to.
	olds int
	// template is what new pods begin with where nobody sizes them.
	template podSize
	// luck, where it is set, says what becomes of a resize.
	luck func(pod, asked int) scale.Resize

	seen    []plan.Pod
	which   []int
	actions []plan.Action
}

// ResizeInRounds lets a workload be resized as a cluster does it. Luck says what
// becomes of a resize, by the pod's number and how often it was asked before.
func (w *Workload) ResizeInRounds(how Resizing, luck func(pod, asked int) scale.Resize) {
	w.resizer = resizer{Resizing: how, byRounds: true, template: w.wanted()}
	if how.Deferred > 0 || how.Infeasible > 0 {
		w.resizer.luck = luck
	}
}

// wanted is the size that was decided.
func (w *Workload) wanted() podSize { return podSize{w.Requests, w.Limits} }

// size is what a pod requests and may use now.
func (w *Workload) size(p *pod) podSize {
	if p.old != nil {
		return *p.old
	}
	return w.wanted()
}

// askedSize is what a pod was asked to have.
func (w *Workload) askedSize(p *pod) podSize {
	if p.asked != nil {
		return *p.asked
	}
	return w.wanted()
}

// resize wants another size for all pods. Rounds bring them there.
func (w *Workload) resize(at time.Time, want podSize) {
	if want == w.wanted() {
		return
	}
	before := w.wanted()
	grows, shrinks := before.changes(want)
	w.Requests, w.Limits = want.requests, want.limits
	w.version++
	if !w.resizer.byRounds {
		return
	}
	if grows && !shrinks && w.growsAtOnce() {
		for i := range w.pods {
			w.pods[i].servedAt = at
		}
		w.resizes += int64(len(w.pods))
		return
	}
	for i := range w.pods {
		switch p := &w.pods[i]; {
		case p.pending:
			// It is created anew with what is wanted then.
		case p.old == nil:
			p.old, p.asked = &before, &before
			w.resizer.olds++
		case p.asked == nil:
			p.asked = &before
		}
	}
}

// restarts tells whether a pod that is resized is started again.
func (r *resizer) restarts() bool { return r.Restarts || r.Update == plan.Recreate }

// growsAtOnce tells whether one round and no time bring every pod to a larger
// size, so that nothing has to be planned.
func (w *Workload) growsAtOnce() bool {
	r := &w.resizer
	inPlace := r.Update == "" || r.Update == plan.InPlace || r.Update == plan.InPlaceOrRecreate
	return inPlace && r.Delay <= 0 && r.olds == 0 && r.luck == nil && !r.Restarts && w.nodes == nil
}

// round plans a round and carries it out.
func (w *Workload) round(at time.Time) {
	r := &w.resizer
	if r.olds == 0 {
		return
	}
	r.seen, r.which = r.seen[:0], r.which[:0]
	for i := range w.pods {
		if p := &w.pods[i]; !p.pending {
			r.seen, r.which = append(r.seen, w.planned(p, at)), append(r.which, i)
		}
	}
	r.actions = plan.Round(r.actions[:0], r.seen, 0, plan.Policy{
		Update: r.Update, NewPodsAreSized: !r.TemplateSized, Replicas: w.Replicas(), Now: at,
		MinReplicas: r.MinReplicas, Requirements: r.Requirements,
	})
	for _, act := range r.actions {
		p := &w.pods[r.which[act.Pod]]
		switch act.Verb {
		case plan.Resize:
			w.askWanted(p, at)
		case plan.Grow:
			to := w.askedSize(p).raised(w.wantedOf(p))
			w.ask(p, at, &to)
		case plan.Evict:
			w.leave(p)
			p.restarts++
			w.restarts++
			w.giveBoost(p)
			w.place(p, at)
		}
	}
	w.resizeDue(at)
}

// planned is a pod as the plan sees it.
func (w *Workload) planned(p *pod, at time.Time) plan.Pod {
	out := plan.Pod{
		Name: p.name, Ready: p.ready(at), CreatedAt: p.created, ServedAt: p.servedAt,
		Restarts: w.resizer.Restarts, GrowingRestarts: w.resizer.Restarts, Resize: p.resize, Since: p.resizeSince,
	}
	if p.asked != nil {
		out.Grows, out.Shrinks = p.asked.changes(w.wantedOf(p))
	}
	out.Higher, out.Lower = w.size(p).requested(w.wanted())
	return out
}

// askWanted asks a pod to have what is wanted of it.
func (w *Workload) askWanted(p *pod, at time.Time) {
	if to := w.wantedOf(p); to != w.wanted() {
		w.ask(p, at, &to)
		return
	}
	p.settled = nil
	w.ask(p, at, nil)
}

// ask asks a pod to have a size; nil is the wanted one.
func (w *Workload) ask(p *pod, at time.Time, to *podSize) {
	r := &w.resizer
	p.asked, p.servedAt, p.resizes = to, at, p.resizes+1
	w.resizes++
	p.resize, p.resizeSince, p.resizeAt = scale.ResizeInProgress, at, at.Add(r.Delay)
	w.version++
	if grows, _ := w.size(p).changes(w.askedSize(p)); !grows || r.luck == nil {
		return
	}
	switch p.resize = max(r.luck(p.number, p.resizes), scale.ResizeInProgress); p.resize {
	case scale.ResizeInfeasible:
		p.resizeAt = time.Time{}
	case scale.ResizeDeferred:
		p.resizeAt = p.resizeAt.Add(r.DeferredFor)
	}
}

// resizeDue lets the resizes take effect whose time has come.
func (w *Workload) resizeDue(at time.Time) {
	if w.resizer.olds == 0 {
		return
	}
	for i := range w.pods {
		p := &w.pods[i]
		if p.resize == scale.NoResize || p.resize == scale.ResizeInfeasible || p.resizeAt.After(at) {
			continue
		}
		to := w.askedSize(p)
		if !w.swap(p, to.requests) {
			if p.resize != scale.ResizeDeferred {
				p.resize, p.resizeSince = scale.ResizeDeferred, at
				w.version++
			}
			continue
		}
		w.inForce(p, to)
		if w.resizer.Restarts {
			p.restarts++
			w.restarts++
			p.notReadyAt = at
			w.start(p, at)
		}
	}
}

// inForce notes that a pod has what it was asked to have.
func (w *Workload) inForce(p *pod, size podSize) {
	p.resize, p.resizeSince, p.resizeAt = scale.NoResize, time.Time{}, time.Time{}
	w.version++
	if p.asked == nil {
		p.old = nil
		w.resizer.olds--
		return
	}
	p.old = &size
}

// nowSized is the size that the workload shows while pods differ.
func (w *Workload) nowSized() podSize {
	if w.resizer.olds == 0 {
		return w.wanted()
	}
	i := plan.Majority(len(w.pods),
		func(i, j int) bool { return w.shownSize(&w.pods[i]) == w.shownSize(&w.pods[j]) },
		func(i, j int) bool { return w.pods[i].number > w.pods[j].number })
	if i < 0 {
		return w.wanted()
	}
	return w.shownSize(&w.pods[i])
}
