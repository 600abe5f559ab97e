package linted

import (
	"bytes"
	"cmp"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/lint"
	"github.com/tidemark/tidemark/internal/replay/sim"
	"github.com/tidemark/tidemark/scale"
)

// Warnings says what lint warns of in a spec for the pods of a plant: the rule and
// the path of each finding. What it says of values differs from one spec to the
// next, so it is left out.
func Warnings(pods sim.Settings) func(v1alpha1.WorkloadAutoscalerSpec) []string {
	return func(spec v1alpha1.WorkloadAutoscalerSpec) []string {
		if spec.TargetRef.Name == "" {
			spec.TargetRef = v1alpha1.TargetReference{APIVersion: "apps/v1", Kind: "Deployment", Name: "replayed"}
		}
		var out []string
		for _, f := range lint.Check(lint.Read("", bytes.NewReader(manifests(spec, pods)))) {
			if f.Severity >= lint.Warning {
				out = append(out, f.Rule+" "+f.Path)
			}
		}
		return out
	}
}

// manifests are the object and the workload that it scales. What is put together
// from typed values can always be written.
func manifests(spec v1alpha1.WorkloadAutoscalerSpec, pods sim.Settings) []byte {
	type document = map[string]any
	object, _ := yaml.Marshal(document{
		"apiVersion": v1alpha1.GroupVersion.String(), "kind": v1alpha1.Kind, "metadata": document{"name": spec.TargetRef.Name}, "spec": spec,
	})
	return bytes.Join([][]byte{object, Workload(spec.TargetRef, "", pods)}, []byte("---\n"))
}

// Workload is the manifest of the workload that an object scales, with the pods of a
// plant.
func Workload(ref v1alpha1.TargetReference, namespace string, pods sim.Settings) []byte {
	type document = map[string]any
	container := document{
		"name": cmp.Or(pods.Container, sim.ContainerName), "resources": document{"requests": stated(pods.Requests), "limits": stated(pods.Limits)},
	}
	metadata := document{"name": ref.Name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	out, _ := yaml.Marshal(document{
		"apiVersion": ref.APIVersion, "kind": ref.Kind, "metadata": metadata,
		"spec": document{"template": document{"spec": document{"containers": []document{container}}}},
	})
	return out
}

// stated are the resources that are stated, as a manifest has them.
func stated(of scale.Resources) map[string]string {
	out := map[string]string{}
	for _, r := range scale.EveryResource {
		if amount, known := of.Get(r); known {
			out[r.String()] = r.Format(amount)
		}
	}
	return out
}
