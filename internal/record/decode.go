package record

import (
	"iter"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/engine"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/policy"
	"github.com/tidemark/tidemark/scale"
)

// Call is a document that is ready to be decided.
type Call struct {
	Policy engine.Policy
	// Spec is what the policy was compiled from.
	Spec        v1alpha1.WorkloadAutoscalerSpec
	Observation scale.Observation
	Memory      engine.Memory
}

// Result is what became of one document of an input.
type Result struct {
	// Number is the document's place in the input, from 1; Of is how many
	// documents the input holds.
	Number, Of int
	// Call is ready when there are no Faults.
	Call   Call
	Faults fault.List
}

// Decode reads every document of an input, one at a time and independently of
// each other. An input that cannot be split into documents is one result with
// its faults.
func Decode(data []byte) iter.Seq[Result] {
	return func(yield func(Result) bool) {
		sources, faults := strict.Split(data)
		if len(sources) == 0 && len(faults) == 0 {
			faults = fault.List{{Message: "the input is empty: write a document with spec and observation"}}
		}
		if len(faults) > 0 {
			yield(Result{Number: 1, Of: 1, Faults: faults})
			return
		}
		for i, source := range sources {
			call, faults := decode(source)
			if !yield(Result{Number: i + 1, Of: len(sources), Call: call, Faults: faults}) {
				return
			}
		}
	}
}

func decode(source strict.Source) (Call, fault.List) {
	parsed, faults := source.Parse()
	if len(faults) > 0 {
		return Call{}, faults
	}
	if faults := anObject(parsed); len(faults) > 0 {
		return Call{}, faults
	}
	var doc Document
	faults = parsed.Decode(&doc)
	if outside(faults) {
		return Call{}, faults
	}
	call, more := doc.call(faults)
	more = independent(more, faults, parsed)
	faults = append(faults, parsed.Locate(strict.Shorten(more))...)
	if len(faults) > 0 {
		return Call{}, faults
	}
	return call, nil
}

// anObject refuses a manifest, which is what people have at hand: of an object
// alone nothing can be decided.
func anObject(parsed *strict.Document) fault.List {
	if !parsed.Holds("kind") || !parsed.Holds("apiVersion") {
		return nil
	}
	var faults fault.List
	faults.Add("kind", "this is a manifest, and a document of a decision has a spec and an observation: put the spec of a WorkloadAutoscaler below spec "+
		"and what was seen below observation, record both with tidemark record, or replay the manifest over a demand with tidemark simulate")
	return parsed.Locate(faults)
}

// outside tells whether a fault concerns the document as a whole, such as a
// misspelled part. What else is missing would then only be its consequence.
func outside(faults fault.List) bool {
	return slices.ContainsFunc(faults, func(f fault.Fault) bool {
		return !f.Path.Within("spec") && !f.Path.Within("admin") && !f.Path.Within("observation") && !f.Path.Within("memory")
	})
}

// independent keeps the faults of meaning that no fault of form can be the cause
// of. Where a part has such a fault, what is missing there, or lies above or
// below it, may only be its consequence.
func independent(meaning, form fault.List, doc *strict.Document) fault.List {
	var out fault.List
	for _, f := range meaning {
		caused := false
		for _, u := range form {
			part, _, _ := strings.Cut(string(u.Path), ".")
			caused = caused || (f.Path.Within(fault.Path(part)) && (f.Path.Within(u.Path) || u.Path.Within(f.Path) || !doc.Holds(f.Path)))
		}
		if !caused {
			out = append(out, f)
		}
	}
	return out
}

// call builds the engine's input and looks for faults of meaning in what could
// be read of the document.
func (d *Document) call(unreadable fault.List) (Call, fault.List) {
	readable := true
	for _, f := range unreadable {
		readable = readable && !f.Path.Within("spec") && !f.Path.Within("admin")
	}
	call := Call{Spec: d.Spec, Memory: d.Memory}
	var compiled *engine.Policy
	p, err := policy.Compile(d.Spec, d.Admin)
	if err == nil && readable {
		call.Policy, compiled = p, &p
	}
	faults := underSpec(fault.Of(err))
	obs, more := d.observation(compiled)
	call.Observation = obs
	faults = append(faults, more.Under("observation")...)
	return call, append(faults, memoryFaults(&d.Memory).Under("memory")...)
}

// underSpec puts the faults of a policy where they belong: those of the
// administrator's settings have a place of their own.
func underSpec(all fault.List) fault.List {
	for i, f := range all {
		if !strings.HasPrefix(string(f.Path), "admin.") {
			all[i].Path = fault.Path("spec").Field(string(f.Path))
		}
	}
	return all
}
