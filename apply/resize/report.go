package resize

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/apply"
	"github.com/tidemark/tidemark/scale"
)

// report collects what a round did.
type report struct {
	changes []apply.Change
	// reasons are those for waiting, in their order, and waiting are the pods
	// by reason: a thousand pods that wait for the same are one sentence.
	reasons []string
	waiting map[string]*scale.PodNames
	// evicted is set once an eviction was asked for.
	evicted bool
}

func (r *report) resized(c change) {
	for _, f := range c.fitted {
		for _, field := range f.Changes {
			field.Path = fmt.Sprintf("pods[%s].%s", c.pod.Name, field.Path)
			field.Reason = c.why
			r.changes = append(r.changes, field)
		}
	}
}

func (r *report) replaced(pod *corev1.Pod, why string) {
	r.changes = append(r.changes, apply.Change{Path: fmt.Sprintf("pods[%s]", pod.Name), From: "running", To: "evicted", Reason: why})
}

func (r *report) waits(pod *corev1.Pod, why string) {
	if r.waiting == nil {
		r.waiting = map[string]*scale.PodNames{}
	}
	if r.waiting[why] == nil {
		r.reasons = append(r.reasons, why)
		r.waiting[why] = &scale.PodNames{}
	}
	r.waiting[why].Add(pod.Name)
}

func (r *report) outcome() apply.Outcome {
	out := apply.Outcome{Changes: r.changes}
	for _, why := range r.reasons {
		out.Waiting = append(out.Waiting, apply.Wait{Who: "pod " + r.waiting[why].String(), Why: why})
	}
	return out
}
