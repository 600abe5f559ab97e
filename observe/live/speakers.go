package live

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/apply/plan"
	"github.com/tidemark/tidemark/apply/podsize"
)

// speakers are the pods that tell what size the workload has now: all of them,
// unless the object is bringing them to another.
func speakers(obj *v1alpha1.WorkloadAutoscaler, running []*corev1.Pod) []*corev1.Pod {
	rules, last := podsize.RulesOf(&obj.Spec), obj.Status.LastDecision
	if last == nil || !rules.Any() {
		return running
	}
	want := rules.Only(podsize.Decided(last.Want))
	var members []*corev1.Pod
	var seen []plan.Pod
	for _, pod := range running {
		if pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			continue
		}
		one := plan.Pod{CreatedAt: pod.CreationTimestamp.Time}
		for _, f := range podsize.Fit(pod, want) {
			one.Grows, one.Shrinks = one.Grows || f.Grows, one.Shrinks || f.Shrinks
		}
		members, seen = append(members, pod), append(seen, one)
	}
	out := make([]*corev1.Pod, 0, len(members))
	for _, i := range plan.Speakers(seen, last.At.Time) {
		out = append(out, members[i])
	}
	return out
}
