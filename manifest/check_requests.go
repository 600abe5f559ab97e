package manifest

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// asksForRequests tells whether a metric is compared with requests.
func (m Metric) asksForRequests() bool {
	return m.ofResource() && (m.AverageUtilization != nil || m.hasMarks() && m.marksType() == v1alpha1.UtilizationTarget)
}

// running are the containers that run for as long as the pod does: init
// containers that are restarted are among them.
func (t Target) running() []corev1.Container {
	if t.template == nil {
		return nil
	}
	out := append([]corev1.Container(nil), t.template.Spec.Containers...)
	for _, c := range t.template.Spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			out = append(out, c)
		}
	}
	return out
}

func (t Target) containerNames() []string {
	var out []string
	for _, c := range t.running() {
		out = append(out, c.Name)
	}
	return out
}

// requests checks that the target's pods have the requests that a metric is a
// share of. The API server accepts a metric without them, and it then never
// has a value.
func (c *checker) requests(at fault.Path, m Metric, intro string) {
	name := corev1.ResourceName(m.Name)
	if c.Target.template == nil || name != corev1.ResourceCPU && name != corev1.ResourceMemory {
		return
	}
	whole := m.Type == v1alpha1.ResourceMetricType
	if pod := c.Target.template.Spec.Resources; whole && pod != nil && requested(*pod, name) {
		return
	}
	var without []string
	for _, container := range c.Target.running() {
		if (whole || container.Name == m.Container) && !requested(container.Resources, name) {
			without = append(without, container.Name)
		}
	}
	switch {
	case len(c.Target.running()) == 0:
		c.faults.Add(at, "%s the target cannot have: its pod template has no containers", intro)
	case len(without) > 0 && whole:
		c.faults.Add(at, "%s every container must have: no %s request in %s; add one, or use averageValue or a ContainerResource metric", intro, name,
			listed(without))
	case len(without) > 0:
		c.faults.Add(at, "%s the container must have: no %s request in %s; add one, or use averageValue", intro, name, listed(without))
	}
}

// requested tells whether there is something to take a share of. Kubernetes
// copies a limit into a request that is left out.
func requested(r corev1.ResourceRequirements, name corev1.ResourceName) bool {
	amount, ok := r.Requests[name]
	if !ok {
		amount = r.Limits[name]
	}
	return amount.Sign() > 0
}
