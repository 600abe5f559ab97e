package explain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/tidemark/tidemark/explain"
	"github.com/tidemark/tidemark/internal/convert/proof"
	"github.com/tidemark/tidemark/internal/object"
)

// sample is a load, and what is decided about it.
type sample struct {
	Pods int32  `json:"pods"`
	Load string `json:"load"`
	Want int32  `json:"want"`
	// Because is the reason, and what limited the change if anything did.
	Because string `json:"because"`
}

// writeSamples prints what an object decides about samples of load.
func writeSamples(out io.Writer, o *object.Object, form string) error {
	decisions, err := proof.Decisions(o.Spec)
	if err != nil {
		return err
	}
	samples := []sample{}
	for _, d := range decisions {
		samples = append(samples, sample{d.Pods, d.Load, d.Want.Replicas, explain.Because(d.Decision)})
	}
	switch {
	case form == "svg":
		return errors.New("-o svg draws intervals: give --intervals too, or -o table or json")
	case form == "json":
		return json.NewEncoder(out).Encode(struct {
			Name    string   `json:"name,omitempty"`
			Samples []sample `json:"samples"`
		}{o.Name, samples})
	case len(samples) == 0:
		_, err := fmt.Fprintln(out, "There is no metric to decide by: the count stays within replicas, and moves by what is requested or scheduled.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PODS\tLOAD\tWANT\tBECAUSE")
	for _, d := range samples {
		fmt.Fprintf(table, "%d\t%s\t%d\t%s\n", d.Pods, d.Load, d.Want, d.Because)
	}
	return table.Flush()
}
