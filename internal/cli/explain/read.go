package explain

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
)

// read reads a WorkloadAutoscaler, or a bare spec, and compiles it.
func read(data []byte) (subject, fault.List) {
	sources, faults := strict.Split(data)
	switch {
	case len(faults) > 0:
		return subject{}, faults
	case len(sources) != 1:
		return subject{}, fault.List{{Message: "the input must hold one document: a WorkloadAutoscaler, or its spec"}}
	}
	doc, faults := sources[0].Parse()
	if len(faults) > 0 {
		return subject{}, faults
	}
	object, place, faults := decode(doc)
	if len(faults) > 0 {
		return subject{}, faults
	}
	compiled, err := policy.Compile(object.Spec, v1alpha1.AdminSettings{})
	faults = fault.Of(err)
	if err == nil && compiled.Interval == nil {
		faults.Add("intervals", "is missing: there are no intervals to explain")
	}
	if len(faults) > 0 {
		return subject{}, doc.Locate(strict.Shorten(faults.Under(place)))
	}
	return subject{name: object.Name, rules: compiled.Interval}, nil
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
	for _, name := range []string{"apiVersion", "kind", "metadata", "spec"} {
		if _, ok := fields[name]; ok {
			return true
		}
	}
	return false
}
