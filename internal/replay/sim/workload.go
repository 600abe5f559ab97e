package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tidemark/tidemark/scale"
)

// ContainerName is the name of the one container every simulated pod has, if
// the workload does not say otherwise.
const ContainerName = "app"

// Workload is a set of identical pods.
type Workload struct {
	// Requests are what each pod requests.
	Requests scale.Resources
	// Limits are what each pod may use.
	Limits scale.Resources
	// StartUp is how long a new pod takes to become ready.
	StartUp time.Duration
	// Container is the name of the container; empty is ContainerName.
	Container string
	// Boost is how new pods start.
	Boost Boosting
	// Ceiling is the most cpu that a pod's application can use; zero is no bound.
	Ceiling scale.Amount

	pods []pod
	born int
	// jitter, where it is set, adds to the start-up of a pod by its number.
	jitter func(pod int) time.Duration
	// fails, where it is set, tells whether a pod's start fails, by the pod's
	// number and how often it was started before.
	fails func(pod, restarts int) bool
	// restarts is how often containers were restarted.
	restarts int64
	// version changes whenever a pod comes, goes, restarts or is resized: what
	// was listed before then is out of date.
	version int
	counted count
	shown   []scale.Container
	// template is the size that the first look found: no decision changes it.
	template []scale.Container
	resizer  resizer
	nodes    *nodes
	// namespace is what the namespace allows, and refused how many pods were ordered
	// that it does not.
	namespace Namespace
	refused   int32
	// outdated is how many pods a rollout has not replaced yet.
	outdated int
	// shares is set where others are on the nodes.
	shares bool
	others others
	// resizes is how often pods were asked to change their size.
	resizes int64
}

// pod is one pod. Its container may be started more than once.
type pod struct {
	name   string
	number int
	// created is when the pod was, zero while it finds no node; started is when
	// its container was started last.
	created, started time.Time
	// notReadyAt is when the pod was last not ready any more, or made, and endedAt when
	// its container ended by itself.
	notReadyAt, endedAt time.Time
	// readyAt is zero for a pod that does not become ready from this start, and
	// crashAt for one that does not crash at its end.
	readyAt, crashAt time.Time
	// restarts is how often the container was restarted, failures how often in
	// a row.
	restarts, failures int
	// killedAt is when memory last ran out, and leaksFrom since when it leaks.
	killedAt, leaksFrom time.Time
	// old is the size of a pod that has not the wanted one, and asked what it
	// was asked to have where that is not the wanted one either.
	old, asked *podSize
	// settled is what a pod settles at that has its start-up boost; nil is none.
	settled *podSize
	// servedAt is when it was last asked to change its size, and resizes how
	// often it was.
	servedAt time.Time
	resizes  int
	// resize is how far a resize has come, and since when; it takes effect at
	// resizeAt.
	resize                scale.Resize
	resizeSince, resizeAt time.Time
	// node is where the pod runs; pending is set while it finds none, which has been so
	// since waitsSince.
	node       int
	pending    bool
	waitsSince time.Time
	// outdated is set until a rollout has replaced the pod, and looping while it
	// is kept out of service, using what it burns.
	outdated, looping bool
	burns             scale.Amount
}

// startedAgo makes a pod that has been running for a day one that has for another
// time.
func (p *pod) startedAgo(now time.Time, age time.Duration) {
	at := now.Add(-age)
	p.created, p.started, p.notReadyAt = at, at, at
	if !p.readyAt.IsZero() {
		p.readyAt = at
	}
}

// settledFor is how long the pods a workload begins with have been running.
const settledFor = 24 * time.Hour

// NewWorkload returns a workload that has been running for a day. Pods beyond
// the ready ones never become ready.
func NewWorkload(at time.Time, replicas, ready int32) *Workload {
	w := &Workload{}
	for i := range replicas {
		p := w.newPod(at.Add(-settledFor))
		if i < ready {
			p.readyAt = p.started
		}
		w.pods = append(w.pods, p)
	}
	return w
}

func (w *Workload) newPod(started time.Time) pod {
	w.born++
	return pod{name: fmt.Sprintf("%s-%d", ContainerName, w.born), number: w.born, created: started, started: started, notReadyAt: started}
}

func (w *Workload) containerName() string {
	if w.Container == "" {
		return ContainerName
	}
	return w.Container
}

// Replicas is how many pods there are.
func (w *Workload) Replicas() int32 { return int32(len(w.pods)) }

// Ready is how many pods are ready. They are counted again when a pod came or
// went, or when the next of them becomes ready.
func (w *Workload) Ready(at time.Time) int32 {
	c := &w.counted
	if c.valid && c.version == w.version && !at.Before(c.from) && (c.until.IsZero() || at.Before(c.until)) {
		return c.ready
	}
	*c = count{valid: true, version: w.version, from: at}
	for i := range w.pods {
		switch p := &w.pods[i]; {
		case p.ready(at):
			c.ready++
		case p.readyAt.After(at) && (c.until.IsZero() || p.readyAt.Before(c.until)):
			c.until = p.readyAt
		}
	}
	return c.ready
}

// count is how many pods were ready from a moment on, until before another one,
// which is zero when no more will be.
type count struct {
	valid       bool
	version     int
	from, until time.Time
	ready       int32
}

func (p *pod) ready(at time.Time) bool { return !p.readyAt.IsZero() && !p.readyAt.After(at) }

// Scale starts pods, as far as the namespace allows, or removes some: those that are
// not ready first, then the youngest, as a ReplicaSet does.
func (w *Workload) Scale(at time.Time, replicas int32) {
	ordered := replicas
	replicas = w.admitted(ordered)
	w.refused = ordered - replicas
	for w.Replicas() < replicas {
		p := w.newPod(at)
		if t := &w.resizer.template; w.resizer.TemplateSized && *t != w.wanted() {
			p.old, p.asked = t, t
			w.resizer.olds++
		}
		w.giveBoost(&p)
		w.place(&p, at)
		w.pods = append(w.pods, p)
	}
	left := int(max(replicas, 0))
	if left < len(w.pods) && w.Ready(at) < w.Replicas() {
		slices.SortStableFunc(w.pods, func(a, b pod) int { return cmp.Compare(unready(&a, at), unready(&b, at)) })
	}
	for i := left; i < len(w.pods); i++ {
		w.leave(&w.pods[i])
		w.version++
	}
	w.pods = w.pods[:left]
}

// unready is 1 for a pod that is not ready, and otherwise 0.
func unready(p *pod, at time.Time) int {
	if p.ready(at) {
		return 0
	}
	return 1
}

// Apply carries a decision out: the count, and what each pod requests. In a
// plant pods are resized in rounds, of which this is one.
func (w *Workload) Apply(at time.Time, want scale.Size) {
	if len(want.Containers) > 0 {
		if size := (podSize{want.Containers[0].Requests, want.Containers[0].Limits}); !w.namespace.refuses(size, w.Replicas()) {
			w.resize(at, size)
		}
	}
	w.Scale(at, want.Replicas)
	w.round(at)
	w.settle(at)
}

// Target returns the workload's own view of its size. Sizes are never changed in
// place, so the containers are made once for each size.
func (w *Workload) Target() scale.Target {
	t := scale.Target{SpecReplicas: w.Replicas() + w.refused, StatusReplicas: w.Replicas()}
	if w.Requests.Empty() {
		return t
	}
	size := w.nowSized()
	now := scale.Container{Name: w.containerName(), Requests: size.requests, Limits: size.limits}
	if len(w.shown) == 0 || w.shown[0] != now {
		w.shown = []scale.Container{now}
	}
	if w.template == nil {
		w.template = w.shown
	}
	t.Containers, t.Template = w.shown, w.template
	return t
}

// Pods returns the pods as an observer would see them; usage tells what a pod
// uses, ready or not.
func (w *Workload) Pods(at time.Time, usage func(ready bool) scale.Resources) []scale.Pod {
	out := make([]scale.Pod, len(w.pods))
	for i := range w.pods {
		p := &w.pods[i]
		ready := p.ready(at)
		out[i] = scale.Pod{
			Name: p.name, StartedAt: p.started, ReadyChangedAt: p.started, UsageAt: at, ResizeSince: p.resizeSince, Boosted: p.settled != nil,
			Containers: []scale.PodContainer{w.observed(p)},
		}
		out[i].Containers[0].Usage = usage(ready)
		if ready {
			out[i].Ready, out[i].ReadyChangedAt = scale.Ready, p.readyAt
		}
	}
	return out
}
