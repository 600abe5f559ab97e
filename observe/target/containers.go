package target

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

// Now returns the sizes that the workload's containers have now.
//
// Decided requests reach pods by a resize or when they are created, and never
// the template, so pods know better. While sizes change, pods differ. What most
// of them have is what the workload has: a single pod that could not be resized
// yet, or the first that was, must not make the decision look done or undone.
// Of sizes that are equally frequent the youngest pod's counts, because that is
// where the workload is going. Pods that are ending or have ended do not count,
// nor do pods whose containers are not those of the others' template: after a
// rollout that renames a container the new pods speak. Without any pod the
// template's sizes stand.
func Now(template []scale.Container, pods []*corev1.Pod) []scale.Container {
	type shape struct {
		containers []scale.Container
		pods       int
		youngest   *corev1.Pod
	}
	var shapes []shape
	for _, pod := range pods {
		if pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
			continue
		}
		containers := podview.Containers(&pod.Spec)
		if template != nil && !sameNames(template, containers) {
			continue
		}
		i := slices.IndexFunc(shapes, func(s shape) bool { return slices.Equal(s.containers, containers) })
		if i < 0 {
			shapes = append(shapes, shape{containers: containers, pods: 1, youngest: pod})
			continue
		}
		shapes[i].pods++
		if younger(pod, shapes[i].youngest) > 0 {
			shapes[i].youngest = pod
		}
	}
	if len(shapes) == 0 {
		return template
	}
	return slices.MaxFunc(shapes, func(a, b shape) int {
		return cmp.Or(cmp.Compare(a.pods, b.pods), younger(a.youngest, b.youngest))
	}).containers
}

// younger compares the ages of pods; the name decides between equals, so that
// the order of a list never does.
func younger(a, b *corev1.Pod) int {
	return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
}

// sameNames tells whether every container of the template is in the pod. A pod
// may have more: those that a webhook injected.
func sameNames(template, pod []scale.Container) bool {
	for i := range template {
		if !slices.ContainsFunc(pod, func(c scale.Container) bool { return c.Name == template[i].Name }) {
			return false
		}
	}
	return true
}
