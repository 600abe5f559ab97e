package sim

import (
	"fmt"
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

	pods []pod
	born int
	// jitter, where it is set, adds to the start-up of a pod by its number.
	jitter func(pod int) time.Duration
}

type pod struct {
	name    string
	started time.Time
	// readyAt is zero for a pod that never becomes ready.
	readyAt time.Time
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
	return pod{name: fmt.Sprintf("%s-%d", ContainerName, w.born), started: started}
}

func (w *Workload) containerName() string {
	if w.Container == "" {
		return ContainerName
	}
	return w.Container
}

// Replicas is how many pods there are.
func (w *Workload) Replicas() int32 { return int32(len(w.pods)) }

// Ready is how many pods are ready.
func (w *Workload) Ready(at time.Time) int32 {
	n := int32(0)
	for _, p := range w.pods {
		if p.ready(at) {
			n++
		}
	}
	return n
}

func (p pod) ready(at time.Time) bool { return !p.readyAt.IsZero() && !p.readyAt.After(at) }

// nextReady is when the next pod becomes ready, if one will.
func (w *Workload) nextReady(after time.Time) (next time.Time, ok bool) {
	for _, p := range w.pods {
		if p.readyAt.After(after) && (!ok || p.readyAt.Before(next)) {
			next, ok = p.readyAt, true
		}
	}
	return next, ok
}

// Scale starts pods, or removes the youngest.
func (w *Workload) Scale(at time.Time, replicas int32) {
	for w.Replicas() < replicas {
		p := w.newPod(at)
		p.readyAt = at.Add(w.StartUp)
		if w.jitter != nil {
			p.readyAt = p.readyAt.Add(w.jitter(w.born))
		}
		w.pods = append(w.pods, p)
	}
	w.pods = w.pods[:max(replicas, 0)]
}

// Apply carries a decision out: the count, and what each pod requests.
func (w *Workload) Apply(at time.Time, want scale.Size) {
	if len(want.Containers) > 0 {
		w.Requests, w.Limits = want.Containers[0].Requests, want.Containers[0].Limits
	}
	w.Scale(at, want.Replicas)
}

// Target returns the workload's own view of its size.
func (w *Workload) Target() scale.Target {
	t := scale.Target{SpecReplicas: w.Replicas(), StatusReplicas: w.Replicas()}
	if !w.Requests.Empty() {
		t.Containers = []scale.Container{{Name: w.containerName(), Requests: w.Requests, Limits: w.Limits}}
	}
	return t
}

// Pods returns the pods as an observer would see them; usage tells what a pod
// uses, ready or not.
func (w *Workload) Pods(at time.Time, usage func(ready bool) scale.Resources) []scale.Pod {
	out := make([]scale.Pod, len(w.pods))
	for i, p := range w.pods {
		ready := p.ready(at)
		out[i] = scale.Pod{
			Name: p.name, StartedAt: p.started, ReadyChangedAt: p.started, UsageAt: at,
			Containers: []scale.PodContainer{{Name: w.containerName(), Requests: w.Requests, Usage: usage(ready)}},
		}
		if ready {
			out[i].Ready, out[i].ReadyChangedAt = scale.Ready, p.readyAt
		}
	}
	return out
}
