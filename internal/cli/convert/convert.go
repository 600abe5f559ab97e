package convert

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/convert/several"
)

const long = `Turn the objects of other autoscalers into WorkloadAutoscalers.

A path is a file, a folder (its *.yaml, *.yml and *.json, and those below), or -
for standard input, which is read where no path is given. The input is YAML or
JSON, one document or several, or a List as kubectl prints it. Converted are
HorizontalPodAutoscaler (autoscaling/v2, v2beta2, v2beta1 and v1),
WatermarkPodAutoscaler, Hvpa, Tortoise, VerticalPodAutoscaler (v1 and v1beta2),
ScaledObject (keda.sh, and keda.k8s.io of KEDA 1) and zcloud's plain JSON. A
WorkloadAutoscaler is turned back into a HorizontalPodAutoscaler. Documents of
other kinds are passed over, in a folder also those that cannot be read, such as
templates. An object that is refused is named, with the reason; the others are still
converted, and the exit code is 2.

What an object does and the new one does not do itself is written above it, as
comments, and so is what to know before it is applied: that nothing scales the
workload until you act, and who sizes what where two became one. With --strict nothing is written where there is such a loss, and the exit
code is 1, also where a ScaledObject carries on.

Of a ScaledObject, triggers that only KEDA can measure are written too, as a
ScaledObject that points at the new object: what it asks for counts beside the
metrics there.

A VPA shares the object of the HPA, ScaledObject or WatermarkPodAutoscaler of its
workload, where they were found in one folder or are named together. So do an HPA and
a ScaledObject; where they contradict each other neither is converted, and the exit
code is 2. HPAs that KEDA made are left out.

With --report the answer is not the objects but what became of every field:
carried, carried with another meaning, or not carried, each with the reason,
and the defaults of the original that differ from ours. Read it before you
apply the objects.

With --diff the answer is what the original and the new object decide about the
same samples of load, side by side, and a verdict. A difference that the report
announces is shown with the line of the report. What only one side decides by has
to be announced by a line of its own. Anything that is not announced makes the
exit code 1. Where something cannot be computed, it is named, and the verdict is
that nothing is proven.`

const example = `  # Convert every HPA of a namespace.
  kubectl get hpa -o yaml | tidemark convert > autoscalers.yaml

  # Convert a folder, and fail if anything of it is lost.
  tidemark convert deploy/ --strict > autoscalers.yaml

  # What becomes of each field?
  tidemark convert wpa.yaml --report table

  # Does it still decide the same?
  tidemark convert wpa.yaml --diff`

// options are the flags of the verb.
type options struct {
	input          flags.Inputs
	output, report flags.Output
	diff, strict   bool
}

// New returns the verb.
func New() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:     "convert [PATH...] [-f FILE...] [-o yaml|json] [--report table|json | --diff] [--strict]",
		Short:   "Turn objects of other autoscalers into WorkloadAutoscalers",
		Long:    long,
		Example: example,
		RunE:    o.run,
	}
	o.input.Add(cmd)
	o.output.Add(cmd, "yaml", "json")
	o.report.AddOptional(cmd, "report", "report on every field instead of writing the objects", "table", "json")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "compare old and new decisions on samples instead of writing the objects; -o json for programs")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "exit 1, and write no objects, where a new object does not do itself what its original did")
	cmd.MarkFlagsMutuallyExclusive("diff", "report")
	return cmd
}

func (o *options) run(cmd *cobra.Command, args []string) error {
	documents, err := read(cmd, o.input.Paths(args))
	if err != nil {
		return err
	}
	results, refused := convertAll(cmd.ErrOrStderr(), documents)
	results, contradict := several.Join(cmd.ErrOrStderr(), results)
	refused = refused || contradict
	lost := o.strict && tellLosses(cmd.ErrOrStderr(), results)
	switch {
	case o.diff:
		err = writeDiff(cmd, results, &o.output)
	case !o.report.Is(""):
		err = reports[o.report.String()](cmd.OutOrStdout(), results)
	case lost || o.strict && refused:
	default:
		summarize(cmd.ErrOrStderr(), results)
		err = objects[o.output.String()](cmd.OutOrStdout(), results)
	}
	switch {
	case err != nil:
		return err
	case refused:
		return exit.Code(exit.Refused)
	case lost:
		return exit.Code(exit.Failed)
	}
	return nil
}

// convertAll converts every document that can be, and names every other.
func convertAll(stderr io.Writer, documents []document) (results []several.Conversion, refused bool) {
	passed, broken := 0, 0
	for i := range documents {
		doc := &documents[i]
		result, text, err := doc.Convert()
		switch {
		case err != nil && doc.found && doc.Stranger():
			fmt.Fprintf(stderr, "%s%s is passed over: it cannot be read, and names no kind that can be converted\n", doc.Prefix, doc.Name())
			passed++
		case len(doc.Broken) > 0:
			_ = exit.Refuse(stderr, doc.Prefix, doc.Broken)
			broken++
		case errors.Is(err, convert.ErrUnknownKind):
			fmt.Fprintf(stderr, "%s%s of %q is passed over: it %v\n", doc.Prefix, doc.Name(), doc.Text("apiVersion"), err)
			passed++
		case err != nil:
			_ = exit.Refuse(stderr, doc.Prefix+doc.Name()+": ", fault.Of(err))
			broken++
		default:
			results = append(results, several.Conversion{Result: result, Document: text, Folder: doc.folder})
		}
	}
	if broken > 0 {
		fmt.Fprintf(stderr, "%d converted, %d refused, %d passed over\n", len(results), broken, passed)
	}
	return results, broken > 0
}

// summarize points at the report where there is something to be read in it.
func summarize(stderr io.Writer, results []several.Conversion) {
	for _, r := range results {
		counts := map[convert.Fate]int{}
		for _, f := range r.Report.Fields {
			counts[f.Fate]++
		}
		fmt.Fprintf(stderr, "%s: %d carried, %d changed, %d not carried, %d defaults made explicit or different (--report table says which and why)\n",
			several.Title(r.Report), counts[convert.Carried], counts[convert.Changed], counts[convert.NotCarried], counts[convert.Default])
	}
}

// tellLosses names what new objects do not do themselves, and tells whether there is
// anything.
func tellLosses(stderr io.Writer, results []several.Conversion) bool {
	lost := false
	for _, r := range results {
		for _, f := range r.Report.Losses() {
			lost = true
			fmt.Fprintf(stderr, "%s: %s is not carried: %s\n", several.OneLine(several.Title(r.Report)), several.OneLine(f.Path), several.OneLine(f.Note))
		}
	}
	return lost
}
