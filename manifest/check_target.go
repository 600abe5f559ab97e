package manifest

import (
	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
)

// notScalable are Kubernetes' own workloads without a scale subresource. The
// API server accepts a reference to one, and nothing ever comes of it.
var notScalable = map[schema.GroupKind]string{
	{Group: "apps", Kind: "DaemonSet"}: "it runs one pod on each node",
	{Group: "batch", Kind: "Job"}:      "its parallelism is its own",
	{Group: "batch", Kind: "CronJob"}:  "it starts Jobs by the clock",
}

func (c *checker) target() {
	t := c.Target
	if t == (Target{}) {
		c.faults.Add("target", "is required: name the workload by kind and name")
		return
	}
	c.reference("target", v1alpha1.ObjectReference{APIVersion: t.APIVersion, Kind: t.Kind, Name: t.Name})
	group, err := schema.ParseGroupVersion(t.APIVersion)
	switch {
	case err != nil || t.Kind == "":
	case t.APIVersion == "":
		c.faults.Add("target.apiVersion", "is required for a %s: a kind alone may exist in several groups", t.Kind)
	case group.Group == "" && t.Kind != "ReplicationController":
		c.faults.Add("target.apiVersion", "must name an API group, such as apps/v1, got %q", t.APIVersion)
	}
	if why, ok := notScalable[schema.GroupKind{Group: group.Group, Kind: t.Kind}]; ok {
		c.faults.Add("target.kind", "cannot be %s, which has no scale subresource: %s", t.Kind, why)
	}
}

// Limits of a WorkloadAutoscaler's references. No name that can exist in a
// cluster is longer.
const (
	maxKind = 63
	maxName = 253
)

// reference checks a reference to an object.
func (c *checker) reference(at fault.Path, ref v1alpha1.ObjectReference) {
	c.segment(at.Field("kind"), ref.Kind, maxKind, "is required: write the kind of the object, such as Deployment")
	c.segment(at.Field("name"), ref.Name, maxName, "is required: write the name of the object")
	if _, err := schema.ParseGroupVersion(ref.APIVersion); err != nil || len(ref.APIVersion) > maxName {
		c.faults.Add(at.Field("apiVersion"), "must be GROUP/VERSION, such as apps/v1, got %q", shown(ref.APIVersion))
	}
}

// segment checks a word that becomes part of an address in the API.
func (c *checker) segment(at fault.Path, word string, most int, missing string) {
	switch {
	case word == "":
		c.faults.Add(at, "%s", missing)
	case len(word) > most:
		c.faults.Add(at, "must have at most %d characters, got %d", most, len(word))
	default:
		c.words(at, content.IsPathSegmentName(word))
	}
}

// shown is a user's text, cut where it gets too long to read.
func shown(text string) string {
	const most = 64
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}
