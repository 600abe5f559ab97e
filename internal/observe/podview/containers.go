package podview

import (
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
