package demand

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// The annotations: what a workload has to do, what too much of it does to its
// pods, and what a container uses, which the fake kubelets report.
const (
	CPU         = "cluster.tidemark.dev/demand-cpu"
	Memory      = "cluster.tidemark.dev/demand-memory"
	Overload    = "cluster.tidemark.dev/overload"
	usageCPU    = "kwok.x-k8s.io/usage-cpu"
	usageMemory = "kwok.x-k8s.io/usage-memory"
)

// burst is how many times its request a pod without a CPU limit can use.
const burst = 4

// kinds are the resources that can be demanded.
var kinds = []struct {
	demand, usage string
	resource      corev1.ResourceName
	scale         resource.Scale
}{
	{CPU, usageCPU, corev1.ResourceCPU, resource.Milli},
	{Memory, usageMemory, corev1.ResourceMemory, 0},
}

// Share says which usage annotations the pods of a workload must have, by the
// pod's name. Kinds the workload has no demand for are not touched.
func Share(annotations map[string]string, pods []*corev1.Pod) (map[string]map[string]string, error) {
	slices.SortFunc(pods, func(a, b *corev1.Pod) int { return cmp.Compare(a.Name, b.Name) })
	shares := map[string]map[string]string{}
	for _, pod := range pods {
		shares[pod.Name] = map[string]string{}
	}
	for _, kind := range kinds {
		text, ok := annotations[kind.demand]
		if !ok {
			continue
		}
		total, err := resource.ParseQuantity(text)
		if err != nil {
			return nil, err
		}
		parts := split(max(0, total.ScaledValue(kind.scale)), pods)
		over := 0
		for i, pod := range pods {
			part := min(parts[i], capacity(pod, kind.resource, kind.scale))
			if part < parts[i] {
				over++
			}
			part /= max(1, int64(len(pod.Spec.Containers))) // Usage is told for each container.
			shares[pod.Name][kind.usage] = resource.NewScaledQuantity(part, kind.scale).String()
		}
		if kind.resource == corev1.ResourceCPU {
			if err := strike(shares, pods, annotations[Overload], over > 0); err != nil {
				return nil, err
			}
		}
	}
	return shares, nil
}

// split divides a total over the pods that get work so that the parts differ by at most
// one unit and add up to the total.
func split(total int64, pods []*corev1.Pod) []int64 {
	parts := make([]int64, len(pods))
	var at []int
	for i, pod := range pods {
		if isReady(pod) || struck(pod) {
			at = append(at, i)
		}
	}
	for n, i := range at {
		parts[i] = total / int64(len(at))
		if int64(n) < total%int64(len(at)) {
			parts[i]++
		}
	}
	return parts
}

// capacity is the most a pod can use: the sum of its limits or, where one is
// missing, a multiple of the request. Without either there is no bound.
func capacity(pod *corev1.Pod, name corev1.ResourceName, scale resource.Scale) int64 {
	var sum int64
	for i := range pod.Spec.Containers {
		has := inForce(pod, &pod.Spec.Containers[i])
		limit, limited := has.Limits[name]
		request, requested := has.Requests[name]
		switch {
		case limited:
			sum += limit.ScaledValue(scale)
		case requested:
			sum += request.ScaledValue(scale) * burst
		default:
			return 1 << 62
		}
	}
	return sum
}

// inForce is what a container has: a resize that is only asked for helps nobody.
func inForce(pod *corev1.Pod, c *corev1.Container) *corev1.ResourceRequirements {
	for i := range pod.Status.ContainerStatuses {
		if s := &pod.Status.ContainerStatuses[i]; s.Name == c.Name && s.Resources != nil {
			return s.Resources
		}
	}
	return &c.Resources
}

func isReady(pod *corev1.Pod) bool {
	if pod.DeletionTimestamp != nil {
		return false
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}
