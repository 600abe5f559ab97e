package synth

import (
	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/manifest"
)

// compact is the compact form of an autoscaler.
type compact struct {
	Kind manifest.Kind `json:"kind,omitempty"`
	manifest.Autoscaler
}

// readCompact reads a compact form. Where there are faults, what was readable
// is returned beside them, so that faults of meaning can be told as well.
func readCompact(source *strict.Document) (*compact, fault.List, fault.List) {
	var c compact
	faults := source.Decode(&c)
	var warnings fault.List
	readMaxPods("scaleUpPolicies", c.ScaleUpPolicies, &warnings)
	readMaxPods("scaleDownPolicies", c.ScaleDownPolicies, &warnings)
	return &c, faults, source.Locate(warnings)
}

// readMaxPods reads a word of the cdk8s-plus draft as the word that
// autoscaling/v2 has for it (readings C1).
func readMaxPods(field fault.Path, policies []manifest.Policy, warnings *fault.List) {
	for i := range policies {
		if policies[i].Type == "MaxPods" {
			policies[i].Type = v1alpha1.PodsScalingPolicy
			warnings.Add(field.Index(i).Field("type"), "MaxPods does not exist in autoscaling/v2 and is read as Pods: write Pods")
		}
	}
}

// build makes the objects of all compact forms. A kind that was asked for on
// the command line goes before the one in the document.
func (in input) build(asked manifest.Kind) {
	for _, d := range in {
		if d.compact != nil {
			d.build(asked)
		}
	}
}

func (d *document) build(asked manifest.Kind) {
	kind := d.compact.Kind
	switch {
	case asked != "":
		kind = asked
	case kind == "":
		kind = manifest.HorizontalPodAutoscaler
	}
	object, err := d.compact.Object(kind)
	d.object = object
	d.warnings = append(d.warnings, d.source.Locate(d.compact.Warnings(kind))...)
	found := outside(d.faults, fault.Of(err))
	d.faults = append(d.faults, d.source.Locate(found)...)
}

// outside leaves out the faults of meaning that may only follow from a fault
// of form: those at its place, above it or below it.
func outside(form, meaning fault.List) fault.List {
	var out fault.List
	for _, m := range meaning {
		follows := false
		for _, f := range form {
			follows = follows || m.Path.Within(f.Path) || f.Path.Within(m.Path)
		}
		if !follows {
			out = append(out, m)
		}
	}
	return out
}
