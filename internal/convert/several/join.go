package several

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tidemark/tidemark/internal/convert"
)

// workload is what tells workloads apart. Those of one name that were found in two
// folders may be of two clusters.
type workload struct{ folder, namespace, kind, name string }

// Join lets each workload have one object: of an autoscaler for its count and one for
// its size, and of an HPA and a ScaledObject that agree. What KEDA made itself is left
// out, and what contradicts each other is refused; both are told.
func Join(told io.Writer, results []Conversion) (left []Conversion, refused bool) {
	left, refused = withoutMade(told, results)
	counts, sizes := map[workload][]*Conversion{}, map[workload][]*Conversion{}
	var order []workload
	for i := range left {
		r := &left[i]
		ref := r.Target()
		key := workload{r.Folder, r.Report.Namespace, ref.Kind, ref.Name}
		switch {
		case ref.Name == "":
		case r.Counts():
			if len(counts[key]) == 0 {
				order = append(order, key)
			}
			counts[key] = append(counts[key], r)
		case r.Sizes():
			sizes[key] = append(sizes[key], r)
		}
	}
	for _, key := range order {
		count, contradict := joinCounts(told, counts[key])
		if refused = refused || contradict; count == nil || len(sizes[key]) != 1 {
			continue
		}
		size := sizes[key][0]
		if err := convert.Join(&count.Result, &size.Result); err != nil {
			fmt.Fprintf(told, "%s and %s have one workload, and cannot share an object: %v\n", Title(count.Report), Title(size.Report), err)
		}
	}
	return slices.DeleteFunc(left, func(r Conversion) bool { return r.Object == nil }), refused
}

// joinCounts is the one that decides about the count of a workload; nil where there is
// no such one. An HPA and a ScaledObject are made one, or none where they contradict
// each other: nobody can say which of them is meant.
func joinCounts(told io.Writer, all []*Conversion) (one *Conversion, refused bool) {
	if len(all) == 1 {
		return all[0], false
	}
	scaled, hpa := all[0], all[1]
	if hpa.Report.Kind == "ScaledObject" {
		scaled, hpa = hpa, scaled
	}
	if len(all) > 2 || scaled.Report.Kind != "ScaledObject" || hpa.Report.Kind != "HorizontalPodAutoscaler" {
		var names []string
		for _, r := range all {
			names = append(names, OneLine(Title(r.Report)))
		}
		fmt.Fprintf(told, "%s scale one workload: each becomes an object of its own, and only one of them can be applied\n", strings.Join(names, " and "))
		return nil, false
	}
	if err := convert.JoinCounts(&scaled.Result, &hpa.Result); err != nil {
		fmt.Fprintf(told, "%s and %s scale one workload and contradict each other: %v. Neither is converted: remove the one that is not meant\n",
			OneLine(Title(scaled.Report)), OneLine(Title(hpa.Report)), err)
		scaled.Object, hpa.Object = nil, nil
		return nil, true
	}
	return scaled, false
}

// withoutMade leaves out the HPAs that KEDA made. That is a refusal where the
// ScaledObject is not there, because an autoscaler is missing then.
func withoutMade(told io.Writer, results []Conversion) (left []Conversion, refused bool) {
	type name struct{ namespace, name string }
	scaled := map[name]bool{}
	for _, r := range results {
		if r.Report.Kind == "ScaledObject" {
			scaled[name{r.Report.Namespace, r.Report.Name}] = true
		}
	}
	for _, r := range results {
		switch {
		case r.MadeBy == "":
			left = append(left, r)
		case scaled[name{r.Report.Namespace, r.MadeBy}]:
			fmt.Fprintf(told, "%s is passed over: KEDA made it of ScaledObject %s, which is converted\n", OneLine(Title(r.Report)), OneLine(r.MadeBy))
		default:
			refused = true
			fmt.Fprintf(told, "%s is refused: KEDA made it of ScaledObject %s and would make it again: convert that one, as kubectl get scaledobject %[2]s -o yaml "+
				"prints it\n", OneLine(Title(r.Report)), OneLine(r.MadeBy))
		}
	}
	return left, refused
}
