package webhook

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gomodules.xyz/jsonpatch/v2"
	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/internal/apply/podsize"
)

// SizedBy is the annotation of a pod that got its size here. Its value is the
// object's name and what was set.
const SizedBy = "tidemark.dev/sized-by"

// NotSized is the annotation of a pod that kept the size of its template,
// because it could not be created with the decided one. Its value is the
// object's name and why.
const NotSized = "tidemark.dev/not-sized"

// NotBoosted is the annotation of a pod that starts without the boost that its
// object states. Its value is the object's name and why.
const NotBoosted = "tidemark.dev/not-boosted"

// patchOf replaces the resources of the fitted containers. It names these fields
// alone, so that fields of a newer Kubernetes than ours come through.
func patchOf(fitted []podsize.Fitted) []jsonpatch.Operation {
	var patch []jsonpatch.Operation
	for _, f := range fitted {
		list := "containers"
		if f.Init {
			list = "initContainers"
		}
		patch = append(patch, jsonpatch.NewOperation("add", fmt.Sprintf("/spec/%s/%d/resources", list, f.Index), f.Resources))
	}
	return patch
}

// annotate adds annotations beside those that a pod has.
func annotate(pod *corev1.Pod, notes map[string]string) []jsonpatch.Operation {
	if len(pod.Annotations) == 0 {
		return []jsonpatch.Operation{jsonpatch.NewOperation("add", "/metadata/annotations", notes)}
	}
	var patch []jsonpatch.Operation
	for _, key := range slices.Sorted(maps.Keys(notes)) {
		patch = append(patch, jsonpatch.NewOperation("add", "/metadata/annotations/"+strings.ReplaceAll(key, "/", "~1"), notes[key]))
	}
	return patch
}

// summary tells what was set, such as "app requests.cpu=750m".
func summary(fitted []podsize.Fitted) string {
	var all []string
	for _, f := range fitted {
		for _, change := range f.Changes {
			_, field, _ := strings.Cut(change.Path, ".resources.")
			all = append(all, fmt.Sprintf("%s %s=%s", f.Name, field, change.To))
		}
	}
	return strings.Join(all, ", ")
}
