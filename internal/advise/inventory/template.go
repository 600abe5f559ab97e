package inventory

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/tidemark/tidemark/scale"
)

// template is what a pod of a workload requests, and may use where each of its
// containers has a limit. A resource that nothing is said of is not stated.
func template(object *unstructured.Unstructured) (requests, limits scale.Resources) {
	tree, _, _ := unstructured.NestedMap(object.Object, "spec", "template")
	var pod corev1.PodTemplateSpec
	if runtime.DefaultUnstructuredConverter.FromUnstructured(tree, &pod) != nil {
		return requests, limits
	}
	containers := pod.Spec.Containers
	for i := range pod.Spec.InitContainers {
		if c := &pod.Spec.InitContainers[i]; c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			containers = append(containers, *c)
		}
	}
	for _, r := range []scale.Resource{scale.CPU, scale.Memory} {
		asked, most, bounded := scale.Amount(0), scale.Amount(0), len(containers) > 0
		for i := range containers {
			of := &containers[i].Resources
			limit, limited := of.Limits[corev1.ResourceName(r.String())]
			request, stated := of.Requests[corev1.ResourceName(r.String())]
			if !stated {
				request = limit // as the API server has it
			}
			bounded = bounded && limited
			asked, most = asked.Add(scale.Amount(request.MilliValue())), most.Add(scale.Amount(limit.MilliValue()))
		}
		if asked > 0 {
			requests = requests.With(r, asked)
		}
		if bounded && most > 0 {
			limits = limits.With(r, most)
		}
	}
	return requests, limits
}
