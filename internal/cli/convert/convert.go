package convert

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/convert"
	"github.com/tidemark/tidemark/internal/strict"
)

const long = `Turn the objects of other autoscalers into WorkloadAutoscalers.

The input is YAML or JSON, one document or several, or a List as kubectl prints
it. Converted are HorizontalPodAutoscaler (autoscaling/v2, v2beta2, v2beta1 and
v1), WatermarkPodAutoscaler, Hvpa, Tortoise, VerticalPodAutoscaler, ScaledObject
and zcloud's plain JSON. A WorkloadAutoscaler is turned back into a
HorizontalPodAutoscaler. Documents of other kinds are passed over.

Of a ScaledObject, triggers that only KEDA can measure are written too, as a
ScaledObject that points at the new object: what it asks for counts beside the
metrics there.

With --report the answer is not the objects but what became of every field:
carried, carried with another meaning, or not carried, each with the reason,
and the defaults of the original that differ from ours. Read it before you
apply the objects.

With --diff the answer is what the original and the new object decide about the
same samples of load, side by side. A difference that the report announces is
shown with the line of the report. One that it does not announce makes the exit
code 1.`

const example = `  # Convert every HPA of a namespace.
  kubectl get hpa -o yaml | tidemark convert > autoscalers.yaml

  # What becomes of each field?
  tidemark convert -f wpa.yaml --report table

  # Does it still decide the same?
  tidemark convert -f wpa.yaml --diff`

// New returns the verb.
func New() *cobra.Command {
	var input flags.Input
	var output, report flags.Output
	var diff bool
	cmd := &cobra.Command{
		Use:     "convert [-f FILE] [-o yaml|json] [--report table|json | --diff]",
		Short:   "Turn objects of other autoscalers into WorkloadAutoscalers",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			data, err := input.Read(cmd, strict.MaxInput)
			if err != nil {
				return err
			}
			results, err := convertAll(cmd.ErrOrStderr(), data)
			if err != nil {
				return err
			}
			if diff {
				return writeDiff(cmd, results, &output)
			}
			if !report.Is("") {
				return reports[report.String()](cmd.OutOrStdout(), results)
			}
			summarize(cmd.ErrOrStderr(), results)
			return objects[output.String()](cmd.OutOrStdout(), results)
		},
	}
	input.Add(cmd)
	output.Add(cmd, "yaml", "json")
	report.AddOptional(cmd, "report", "report on every field instead of writing the objects", "table", "json")
	cmd.Flags().BoolVar(&diff, "diff", false, "compare old and new decisions on samples instead of writing the objects; -o json for programs")
	cmd.MarkFlagsMutuallyExclusive("diff", "report")
	return cmd
}

// conversion is a converted object beside what it was made of.
type conversion struct {
	convert.Result
	document []byte
}

// convertAll converts every document. Nothing is written when one of them has
// a fault, because half of a migration is easily taken for the whole.
func convertAll(stderr io.Writer, data []byte) ([]conversion, error) {
	documents, faults := read(data)
	if len(faults) > 0 {
		return nil, exit.Refuse(stderr, "", faults)
	}
	if len(documents) == 0 {
		return nil, errors.New("the input is empty: write at least one document")
	}
	var results []conversion
	var refused error
	for _, doc := range documents {
		result, err := convert.Convert(doc.json)
		switch {
		case errors.Is(err, convert.ErrUnknownKind):
			fmt.Fprintf(stderr, "%s%s is passed over: it %v\n", doc.prefix, doc.name(), err)
		case err != nil:
			refused = exit.Refuse(stderr, doc.prefix, doc.locate(err))
		default:
			results = append(results, conversion{result, doc.json})
		}
	}
	return results, refused
}

// summarize points at the report where there is something to be read in it.
func summarize(stderr io.Writer, results []conversion) {
	for _, r := range results {
		counts := map[convert.Fate]int{}
		for _, f := range r.Report.Fields {
			counts[f.Fate]++
		}
		fmt.Fprintf(stderr, "%s: %d carried, %d changed, %d not carried, %d defaults made explicit or different (--report table says which and why)\n",
			title(r.Report), counts[convert.Carried], counts[convert.Changed], counts[convert.NotCarried], counts[convert.Default])
	}
}
