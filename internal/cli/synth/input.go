package synth

import (
	"fmt"
	"io"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/strict"
)

// input is everything that was read, in its order.
type input []*document

// document is one document of the input: the compact form of an autoscaler,
// or a workload.
type document struct {
	source *strict.Document
	// compact is nil for a workload, workload is nil for a compact form.
	compact  *compact
	workload *workload

	// object is what is printed.
	object any
	// faults and warnings know their lines.
	faults, warnings fault.List
}

// maxDocuments is more than one file of autoscalers can mean to have.
const maxDocuments = 1000

// read reads every document. The faults are those of the input as a whole;
// those of a document are kept with it, so that all of them can be told.
func read(data []byte) (input, fault.List) {
	sources, faults := strict.Split(data)
	switch {
	case len(faults) > 0:
		return nil, faults
	case len(sources) == 0:
		return nil, fault.List{{Message: "the input is empty: write at least {target: {kind: Deployment, name: web}, maxReplicas: 10}"}}
	case len(sources) > maxDocuments:
		return nil, fault.List{{Message: fmt.Sprintf("the input holds %d documents: at most %d are read", len(sources), maxDocuments)}}
	}
	var in input
	for _, s := range sources {
		in = append(in, readDocument(s))
	}
	return in, nil
}

func readDocument(s strict.Source) *document {
	source, faults := s.Parse()
	d := &document{source: source, faults: faults}
	if len(faults) > 0 {
		return d
	}
	var whole tree
	if isWorkload := len(source.Decode(&whole)) == 0 && whole.text("apiVersion") != ""; isWorkload {
		if kind := whole.text("kind"); convert.IsKind(kind) {
			d.fault("kind", "is %s, which is an autoscaler already: synth makes one of its compact form, and tidemark convert reads those there are", kind)
			return d
		}
		d.workload, d.faults = readWorkload(source, whole)
		return d
	}
	d.compact, d.faults, d.warnings = readCompact(source)
	return d
}

// objects are what is printed, in the order of the input.
func (in input) objects() []any {
	var out []any
	for _, d := range in {
		out = append(out, d.object)
	}
	return out
}

// tell prints faults and warnings, by the document's number where there are
// several, and returns whether anything is wrong. Beside a fault, warnings
// would only distract.
func (in input) tell(stderr io.Writer) (bad bool) {
	for _, d := range in {
		bad = bad || len(d.faults) > 0
	}
	for i, d := range in {
		prefix := exit.Numbered(i+1, len(in))
		if bad {
			_ = exit.Refuse(stderr, prefix, strict.Shorten(d.faults))
		} else {
			_ = exit.Refuse(stderr, "warning: "+prefix, d.warnings)
		}
	}
	return bad
}
