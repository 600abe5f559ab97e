package object

import (
	"fmt"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/convert/manifests"
)

// Ours returns an input as one that holds an object of ours: as it is, or what convert
// makes of the autoscaler in it, with notes of that and of what is lost on the way.
// Other objects may stand beside the autoscaler, and an autoscaler for the size beside
// one for the count.
func Ours(data []byte) (ours []byte, notes []string, faults fault.List) {
	documents := manifests.Split(data)
	found := slices.DeleteFunc(documents, func(d manifests.Document) bool {
		return len(d.Broken) > 0 || !convert.IsKind(d.Text("kind"))
	})
	isOurs := func(d manifests.Document) bool { return d.Text("kind") == v1alpha1.Kind }
	switch {
	case len(found) == 0 || !slices.ContainsFunc(found, func(d manifests.Document) bool { return !isOurs(d) }):
		return data, nil, nil
	case slices.ContainsFunc(found, isOurs) || len(found) > 2:
		return nil, nil, several(found)
	}
	var results []convert.Result
	for i := range found {
		result, _, err := found[i].Convert()
		if err != nil {
			return nil, nil, named(&found[i], fault.Of(err))
		}
		results = append(results, result)
	}
	result := &results[0]
	if len(results) == 2 {
		if result = joined(results); result == nil {
			return nil, nil, several(found)
		}
	}
	for i := range results {
		notes = append(notes, notesOf(&results[i].Report)...)
	}
	tree, err := manifests.Tree(result.Object)
	if err != nil {
		return nil, nil, fault.Of(err)
	}
	ours, err = yaml.Marshal(tree)
	return ours, notes, fault.Of(err)
}

// joined is the result of a count and a size of one workload, nil where the two are
// something else.
func joined(results []convert.Result) *convert.Result {
	count, size := &results[0], &results[1]
	if size.Counts() {
		count, size = size, count
	}
	if !count.Counts() || !size.Sizes() || count.Target() != size.Target() || convert.Join(count, size) != nil {
		return nil
	}
	return count
}

// several refuses an input with more autoscalers than one policy can be.
func several(found []manifests.Document) fault.List {
	var names []string
	for i := range found {
		names = append(names, found[i].Name())
	}
	return fault.List{{Message: fmt.Sprintf("the input holds several autoscalers, %q: give the one that is meant in a file of its own", names)}}
}

// named says whose faults they are.
func named(d *manifests.Document, faults fault.List) fault.List {
	out := slices.Clone(faults)
	for i := range out {
		if out[i].Path == "" {
			out[i].Message = d.Name() + ": " + out[i].Message
		}
	}
	return out
}

// notesOf say what an object was read as, and without what.
func notesOf(r *convert.Report) []string {
	out := []string{fmt.Sprintf("the %s %s is read as what tidemark convert makes of it", r.Kind, r.Name)}
	for _, f := range r.Losses() {
		out = append(out, fmt.Sprintf("%s is not carried: %s", f.Path, f.Note))
	}
	return out
}
