package podview

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/observe/quantity"
	"github.com/tidemark/tidemark/scale"
)

// Containers returns the sizes of the containers that run as long as a pod
// does: its containers, then its restartable init containers.
func Containers(spec *corev1.PodSpec) []scale.Container {
	out := make([]scale.Container, 0, len(spec.Containers))
	for i := range spec.Containers {
		out = append(out, containerOf(&spec.Containers[i]))
	}
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			out = append(out, containerOf(c))
		}
	}
	return out
}

func containerOf(c *corev1.Container) scale.Container {
	return scale.Container{Name: c.Name, Requests: quantity.Requests(c.Resources.Requests), Limits: quantity.Requests(c.Resources.Limits)}
}

// restartsForCPU tells whether a container is restarted when its cpu is resized.
func restartsForCPU(spec *corev1.PodSpec, name string) bool {
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if list[i].Name != name {
				continue
			}
			return slices.ContainsFunc(list[i].ResizePolicy, func(p corev1.ContainerResizePolicy) bool {
				return p.ResourceName == corev1.ResourceCPU && p.RestartPolicy == corev1.RestartContainer
			})
		}
	}
	return false
}
