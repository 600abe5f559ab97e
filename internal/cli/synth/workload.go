package synth

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/manifest"
)

// workload is a workload that stands beside its autoscaler.
type workload struct {
	tree   tree
	target manifest.Target
	// namespace is empty where the manifest leaves it to kubectl.
	namespace string
	// claimed tells that an autoscaler has it as its target.
	claimed bool
}

// readWorkload reads a workload. Kubernetes' own are read strictly, so that a
// misspelled request is a fault here and not a surprise later. Of every other
// kind only the name is known: where its pod template stands is its own affair.
func readWorkload(source *strict.Document, whole tree) (*workload, fault.List) {
	meta := whole.below("metadata")
	w := &workload{tree: whole, namespace: meta.text("namespace")}
	w.target = manifest.Reference(whole.text("apiVersion"), whole.text("kind"), meta.text("name")).In(w.namespace)
	template, faults := podTemplate(source, whole)
	if template != nil {
		w.target = w.target.WithTemplate(*template)
	}
	return w, faults
}

// podTemplate reads the pod template of the kinds that are known.
func podTemplate(source *strict.Document, whole tree) (*corev1.PodTemplateSpec, fault.List) {
	switch whole.text("apiVersion") + " " + whole.text("kind") {
	case "apps/v1 Deployment":
		var d appsv1.Deployment
		faults := source.Decode(&d)
		return &d.Spec.Template, faults
	case "apps/v1 StatefulSet":
		var s appsv1.StatefulSet
		faults := source.Decode(&s)
		return &s.Spec.Template, faults
	case "apps/v1 ReplicaSet":
		var r appsv1.ReplicaSet
		faults := source.Decode(&r)
		return &r.Spec.Template, faults
	case "v1 ReplicationController":
		var r corev1.ReplicationController
		faults := source.Decode(&r)
		return r.Spec.Template, faults
	}
	return nil, nil
}

// connect gives each autoscaler the workload it scales. A workload that no
// autoscaler scales is a misspelled name.
func (in input) connect() {
	for _, d := range in {
		if d.compact == nil {
			continue
		}
		if w := in.workloadOf(d.compact); w != nil {
			w.workload.claimed = true
			if len(w.faults) == 0 {
				d.compact.Target = w.workload.target
			}
		}
	}
	for _, d := range in {
		if d.workload == nil {
			continue
		}
		if !d.workload.claimed && len(d.faults) == 0 {
			d.fault("metadata.name",
				"no autoscaler in this input has this %s as its target: check kind, name, apiVersion and namespace, or remove the document", d.workload.tree.text("kind"))
		}
		d.dropReplicas()
	}
}

func (d *document) fault(path fault.Path, format string, args ...any) {
	var list fault.List
	list.Add(path, format, args...)
	d.faults = append(d.faults, d.source.Locate(list)...)
}

// workloadOf finds the workload that a compact form has as its target.
func (in input) workloadOf(c *compact) *document {
	for _, d := range in {
		w := d.workload
		if w == nil || w.target.Kind != c.Target.Kind || w.target.Name != c.Target.Name {
			continue
		}
		sameVersion := c.Target.APIVersion == "" || c.Target.APIVersion == w.target.APIVersion
		sameNamespace := c.Namespace == "" || w.namespace == "" || c.Namespace == w.namespace
		if sameVersion && sameNamespace {
			return d
		}
	}
	return nil
}

// dropReplicas takes the count out of a workload: the autoscaler owns it, and
// applying the manifest again would reset it (readings C5).
func (d *document) dropReplicas() {
	d.object = d.workload.tree
	spec := d.workload.tree.below("spec")
	count := spec["replicas"]
	delete(spec, "replicas")
	if count == nil {
		return
	}
	var list fault.List
	list.Add("spec.replicas", "is dropped, because the autoscaler owns it: it was %s", fmt.Sprint(count))
	d.warnings = append(d.warnings, d.source.Locate(list)...)
}
