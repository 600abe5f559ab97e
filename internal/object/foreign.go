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
		return nil, nil, several(found, nil)
	}
	var results []convert.Result
	for i := range found {
		result, _, err := found[i].Convert()
		if err != nil {
			return nil, nil, named(&found[i], fault.Of(err))
		}
		results = append(results, result)
	}
	results, why := joined(results)
	if why != nil || len(results) == 0 {
		return nil, nil, several(found, why)
	}
	for i := range results {
		notes = append(notes, notesOf(&results[i].Report)...)
	}
	tree, err := manifests.Tree(results[0].Object)
	if err != nil {
		return nil, nil, fault.Of(err)
	}
	ours, err = yaml.Marshal(tree)
	return ours, notes, fault.Of(err)
}

// joined are the results, the one whose object is that of all of them first: a count and
// a size of one workload share it, and so do an HPA and a ScaledObject. The HPA that
// KEDA made of the ScaledObject beside it is left out. There are none where the results
// are something else, and an error where two contradict each other.
func joined(results []convert.Result) ([]convert.Result, error) {
	if len(results) == 1 {
		return results, nil
	}
	first, other := &results[0], &results[1]
	if second := other.Report.Kind; second == "ScaledObject" || other.Counts() && !first.Counts() {
		first, other = other, first
	}
	switch scaled := first.Report.Kind == "ScaledObject"; {
	case first.Target() != other.Target():
		return nil, nil
	case scaled && other.MadeBy == first.Report.Name:
		return []convert.Result{*first}, nil
	case scaled && other.Report.Kind == "HorizontalPodAutoscaler":
		if err := convert.JoinCounts(first, other); err != nil {
			return nil, err
		}
	case !first.Counts() || !other.Sizes() || convert.Join(first, other) != nil:
		return nil, nil
	}
	return []convert.Result{*first, *other}, nil
}

// several refuses an input with more autoscalers than one policy can be.
func several(found []manifests.Document, why error) fault.List {
	var names []string
	for i := range found {
		names = append(names, found[i].Name())
	}
	reason := ""
	if why != nil {
		reason = " that contradict each other (" + why.Error() + ")"
	}
	return fault.List{{Message: fmt.Sprintf("the input holds several autoscalers%s, %q: give the one that is meant in a file of its own", reason, names)}}
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
