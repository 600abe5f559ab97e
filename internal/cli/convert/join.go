package convert

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/tidemark/tidemark/internal/convert"
)

// workload is what tells workloads apart. Those of one name in two folders may be of
// two clusters.
type workload struct{ folder, namespace, kind, name string }

// joinAll lets each workload that has one autoscaler for its count and one for its
// size have one object.
func joinAll(stderr io.Writer, results []conversion) {
	counts, sizes := map[workload][]*conversion{}, map[workload][]*conversion{}
	var order []workload
	for i := range results {
		r := &results[i]
		ref := r.Target()
		key := workload{filepath.Dir(r.file), r.Report.Namespace, ref.Kind, ref.Name}
		switch {
		case ref.Name == "":
		case r.Counts():
			counts[key] = append(counts[key], r)
			order = append(order, key)
		case r.Sizes():
			sizes[key] = append(sizes[key], r)
		}
	}
	for _, key := range order {
		if len(counts[key]) != 1 || len(sizes[key]) != 1 {
			continue
		}
		count, size := counts[key][0], sizes[key][0]
		if err := convert.Join(&count.Result, &size.Result); err != nil {
			fmt.Fprintf(stderr, "%s and %s have one workload, and cannot share an object: %v\n", title(count.Report), title(size.Report), err)
		}
	}
}
