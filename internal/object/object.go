package object

import (
	"slices"
	"time"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
)

// Object is a WorkloadAutoscaler and what it compiles to.
type Object struct {
	// Name and Namespace are empty for a bare spec.
	Name, Namespace string

	Spec   v1alpha1.WorkloadAutoscalerSpec
	Policy engine.Policy
	// Notes say what to know where the input held another autoscaler's object.
	Notes []string
}

// Read reads a WorkloadAutoscaler, a bare spec, or an object that convert knows, and
// compiles it. check may add what the verb demands beyond that; its paths start at the
// spec.
func Read(data []byte, check func(Object) fault.List) (Object, fault.List) {
	data, notes, faults := Ours(data)
	if len(faults) > 0 {
		return Object{}, faults
	}
	sources, faults := strict.Split(data)
	switch {
	case len(faults) > 0:
		return Object{}, faults
	case len(sources) != 1:
		return Object{}, fault.List{{Message: "the input must hold one document: a WorkloadAutoscaler, or its spec"}}
	}
	doc, faults := sources[0].Parse()
	if len(faults) > 0 {
		return Object{}, faults
	}
	object, place, faults := decode(doc)
	if len(faults) > 0 {
		return Object{}, faults
	}
	object.Spec = policy.AsAnnotated(object.Spec, object.Annotations, time.Time{})
	compiled, err := policy.Compile(object.Spec, v1alpha1.AdminSettings{})
	out := Object{Name: object.Name, Namespace: object.Namespace, Spec: object.Spec, Policy: compiled, Notes: notes}
	if faults = fault.Of(err); err == nil {
		faults = check(out)
	}
	if faults = strict.Shorten(faults.Under(place)); len(faults) > 0 && len(notes) > 0 {
		return Object{}, faults // of what was made here, which has no lines
	}
	if len(faults) > 0 {
		return Object{}, doc.Locate(faults)
	}
	return out, nil
}

// decode reads the document as what it looks like, and says at which place of
// it the spec stands.
func decode(doc *strict.Document) (v1alpha1.WorkloadAutoscaler, fault.Path, fault.List) {
	var object v1alpha1.WorkloadAutoscaler
	if !isObject(doc) {
		return object, "", doc.Decode(&object.Spec)
	}
	faults := doc.Decode(&object)
	if len(faults) > 0 {
		return object, "spec", faults
	}
	if want := v1alpha1.GroupVersion.String(); object.APIVersion != want {
		faults.Add("apiVersion", "must be %s, got %q", want, object.APIVersion)
	}
	if object.Kind != "WorkloadAutoscaler" {
		faults.Add("kind", "must be WorkloadAutoscaler, got %q", object.Kind)
	}
	return object, "spec", doc.Locate(faults)
}

// isObject tells an object from a bare spec: a spec has none of these fields.
// Faults do not matter here, they are found again when the right type is read.
func isObject(doc *strict.Document) bool {
	var fields map[string]any
	_ = doc.Decode(&fields)
	return slices.ContainsFunc([]string{"apiVersion", "kind", "metadata", "spec"}, func(name string) bool {
		_, ok := fields[name]
		return ok
	})
}
