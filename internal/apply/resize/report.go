package resize

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/apply"
	"github.com/tidemark/tidemark/scale"
)

// report collects what a round did.
type report struct {
	changes []apply.Change
	// reasons are those for waiting, in their order, and waiting are the pods
	// by reason: a thousand pods that wait for the same are one sentence.
	reasons []string
	waiting map[string][]string
	// obstacle is what the API server said of a size that the namespace does not
	// allow, and obstacles are what has to be removed, by the reason in words.
	obstacle  string
	obstacles map[string]scale.Reason
	// sizes are what the pods are brought to.
	sizes []scale.Container
	// evicted is set once an eviction was asked for.
	evicted bool
}

func (r *report) noteResized(c change) {
	for _, f := range c.fitted {
		for _, field := range f.Changes {
			field.Path = apply.PodPath(c.pod.Name) + "." + field.Path
			field.Reason = c.why
			r.changes = append(r.changes, field)
		}
	}
}

func (r *report) noteReplaced(pod *corev1.Pod, why string) {
	r.changes = append(r.changes, apply.Change{Path: apply.PodPath(pod.Name), From: "running", To: "evicted", Reason: why})
}

// noteRefused notes a pod that the namespace does not allow its size.
func (r *report) noteRefused(pod *corev1.Pod) {
	reason, why := apply.NamespaceRefusal(r.obstacle)
	r.waits(pod, why)
	r.obstacles[why] = reason
}

func (r *report) waits(pod *corev1.Pod, why string) {
	if r.waiting == nil {
		r.waiting, r.obstacles = map[string][]string{}, map[string]scale.Reason{}
	}
	if len(r.waiting[why]) == 0 {
		r.reasons = append(r.reasons, why)
	}
	r.waiting[why] = append(r.waiting[why], pod.Name)
}

func (r *report) outcome() apply.Outcome {
	out := apply.Outcome{Changes: r.changes, Sizes: r.sizes}
	for _, why := range r.reasons {
		names := r.waiting[why]
		var shown scale.PodNames
		for _, name := range names {
			shown.Add(name)
		}
		out.Waiting = append(out.Waiting, apply.Wait{Reason: r.obstacles[why], Who: "pod " + shown.String(), Pods: names, Why: why})
	}
	return out
}
