package resize

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/apply/podsize"
)

// podPatch holds the only fields that a resize writes. Containers are merged
// by name. The version is a precondition: a pod of a StatefulSet has the same
// name as the one before it, and the resize subresource does not compare uids.
type podPatch struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion,omitempty"`
	} `json:"metadata"`
	Spec struct {
		Containers     []containerPatch `json:"containers,omitempty"`
		InitContainers []containerPatch `json:"initContainers,omitempty"`
	} `json:"spec"`
}

type containerPatch struct {
	Name      string         `json:"name"`
	Resources resourcesPatch `json:"resources"`
}

type resourcesPatch struct {
	Requests corev1.ResourceList `json:"requests,omitempty"`
	Limits   corev1.ResourceList `json:"limits,omitempty"`
}

func patchOf(c change) ([]byte, error) {
	var patch podPatch
	patch.Metadata.ResourceVersion = c.pod.ResourceVersion
	for _, f := range c.fitted {
		list := &patch.Spec.Containers
		if f.Init {
			list = &patch.Spec.InitContainers
		}
		*list = append(*list, containerPatchOf(f))
	}
	return json.Marshal(patch)
}

func containerPatchOf(f podsize.Fitted) containerPatch {
	return containerPatch{Name: f.Name, Resources: resourcesPatch{Requests: f.Resources.Requests, Limits: f.Resources.Limits}}
}
