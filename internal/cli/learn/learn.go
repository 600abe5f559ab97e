package learn

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/object"
	"github.com/tidemark/tidemark/internal/strict"
	"github.com/tidemark/tidemark/trace"
)

const long = `Show what would be learned from a recording of replica counts.

The recording is CSV with a header, time,value, or the answer of a Prometheus
range query, of how many replicas were ready. The answer is the week: for each
slot the bounds that would hold then, with the largest count behind them as a
picture's colour. A slot without data has no opinion.

With -o svg the answer is a heat map. With -o checkpoint it is the history
itself, encoded: an object that is given it starts learned.`

const example = `  # What are the bounds of the week?
  tidemark learn -f web.yaml --history replicas.csv

  # From Prometheus, as a picture.
  curl -sG $PROM/api/v1/query_range --data-urlencode 'query=kube_deployment_status_replicas_ready{deployment="web"}' \
      -d start=$FROM -d end=$TO -d step=5m | tidemark learn -f web.yaml --history - -o svg > week.svg`

// New returns the verb.
func New() *cobra.Command {
	var input flags.Input
	var output flags.Output
	var recording string
	var repair bool
	cmd := &cobra.Command{
		Use:     "learn -f FILE --history FILE [-o table|json|svg|checkpoint]",
		Short:   "Show what would be learned from a recording",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if recording == "" {
				return errors.New("--history FILE is required: a recording of replica counts, as CSV or as the answer of a Prometheus range query")
			}
			data, err := input.Read(cmd, strict.MaxInput)
			if err != nil {
				return err
			}
			read, faults := object.Read(data, learns)
			if len(faults) > 0 {
				return exit.Refuse(cmd.ErrOrStderr(), "", faults)
			}
			recorded, report, err := readTrace(cmd.InOrStdin(), recording, repair)
			if err != nil {
				return err
			}
			if n := report.Repairs(); n > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d samples were repaired, the first: %s\n", recording, n, report.First)
			}
			week, err := learnWeek(read, recorded)
			if err != nil {
				return err
			}
			return render[output.String()](cmd.OutOrStdout(), week)
		},
	}
	input.Add(cmd)
	cmd.Flags().StringVar(&recording, "history", "", "recording of replica counts, - for standard input")
	cmd.Flags().BoolVar(&repair, "repair", false, "sort and drop samples that cannot be used, instead of refusing them")
	output.Add(cmd, "table", "json", "svg", "checkpoint")
	return cmd
}

func learns(o object.Object) fault.List {
	var faults fault.List
	if o.Spec.Learn == nil {
		faults.Add("learn", "is missing: say learn: {} to learn with the defaults")
	}
	return faults
}

// readTrace reads a recording; what starts with a brace is Prometheus's.
func readTrace(stdin io.Reader, path string, repair bool) (trace.Trace, trace.Report, error) {
	source := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return trace.Trace{}, trace.Report{}, err
		}
		defer file.Close()
		source = file
	}
	text, err := io.ReadAll(io.LimitReader(source, strict.MaxInput))
	if err != nil {
		return trace.Trace{}, trace.Report{}, fmt.Errorf("reading %s: %w", path, err)
	}
	format := trace.Format{Kind: trace.CSV, Repair: repair}
	if strings.HasPrefix(strings.TrimSpace(string(text[:min(len(text), 64)])), "{") {
		format.Kind = trace.Prometheus
	}
	recorded, report, err := trace.Read(strings.NewReader(string(text)), format)
	if err != nil {
		return recorded, report, fmt.Errorf("%s: %w", path, err)
	}
	return recorded, report, nil
}
