package target

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/apply/plan"
	"github.com/tidemark/tidemark/internal/observe/podview"
	"github.com/tidemark/tidemark/scale"
)

// Now returns the sizes that the workload's containers have now.
//
// Decided requests reach pods by a resize or when they are created, and never
// the template, so pods know better; while sizes change, plan.Majority says
// which of them. Pods that are ending or have ended do not count, nor do pods
// whose containers are not those of the others' template: after a rollout that
// renames a container the new pods speak. Without any pod the template's sizes
// stand.
func Now(template []scale.Container, pods []*corev1.Pod) []scale.Container {
	var sizes [][]scale.Container
	var of []*corev1.Pod
	for _, pod := range pods {
		if life := podview.Life(pod); life.Ended() {
			continue
		}
		if containers := podview.Settled(pod); template == nil || sameNames(template, containers) {
			sizes, of = append(sizes, containers), append(of, pod)
		}
	}
	i := plan.Majority(len(sizes),
		func(i, j int) bool { return slices.Equal(sizes[i], sizes[j]) },
		func(i, j int) bool { return younger(of[i], of[j]) > 0 })
	if i < 0 {
		return template
	}
	return sizes[i]
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
