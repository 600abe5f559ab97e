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
itself, encoded, and with -o manifest a WorkloadHistory that holds it: created
before its object, or within ten minutes after that, it is what the object
begins with.

With --apply the recording is handed over to the object of the same name in the
cluster, which need not be new. What it has learned itself stays; of each slot
the larger count is kept. The controller takes it over in its next round.`

const example = `  # What are the bounds of the week?
  tidemark learn -f web.yaml --history replicas.csv

  # From Prometheus, as a picture.
  curl -sG $PROM/api/v1/query_range --data-urlencode 'query=kube_deployment_status_replicas_ready{deployment="web"}' \
      -d start=$FROM -d end=$TO -d step=5m | tidemark learn -f web.yaml --history - -o svg > week.svg

  # Let the object web know them.
  tidemark learn -f web.yaml --history replicas.csv -n shop --apply`

// options are the flags.
type options struct {
	input     flags.Input
	output    flags.Output
	cluster   flags.Cluster
	recording string
	repair    bool
	apply     bool
}

// New returns the verb.
func New() *cobra.Command { return command((*flags.Cluster).Connect) }

// command is New with another way to reach a cluster, for tests.
func command(connect func(*flags.Cluster) (flags.Connection, error)) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:     "learn -f FILE --history FILE [-o table|json|svg|checkpoint|manifest] [--apply]",
		Short:   "Show what would be learned from a recording, or let an object know it",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w, err := o.learn(cmd)
			if err != nil {
				return err
			}
			if err := render[o.output.String()](cmd.OutOrStdout(), w); err != nil || !o.apply {
				return err
			}
			c, err := connect(&o.cluster)
			if err != nil {
				return err
			}
			if w.namespace != "" && !cmd.Flags().Changed("namespace") {
				c.Namespace = w.namespace
			}
			if err := handOver(cmd.Context(), c, w); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "handed over to %s/%s: %d of %d slots of the recording are known\n", c.Namespace, w.name, w.progress.Known, w.progress.Slots)
			return nil
		},
	}
	o.input.Add(cmd)
	o.cluster.Add(cmd)
	cmd.Flags().StringVar(&o.recording, "history", "", "recording of replica counts, - for standard input")
	cmd.Flags().BoolVar(&o.repair, "repair", false, "sort and drop samples that cannot be used, instead of refusing them")
	cmd.Flags().BoolVar(&o.apply, "apply", false, "hand what was learned over to the object of the same name in the cluster")
	o.output.Add(cmd, "table", "json", "svg", "checkpoint", "manifest")
	return cmd
}

// learn reads the object and the recording, and learns.
func (o *options) learn(cmd *cobra.Command) (week, error) {
	if o.recording == "" {
		return week{}, errors.New("--history FILE is required: a recording of replica counts, as CSV or as the answer of a Prometheus range query")
	}
	data, err := o.input.Read(cmd, strict.MaxInput)
	if err != nil {
		return week{}, err
	}
	read, faults := object.Read(data, learns)
	if len(faults) > 0 {
		return week{}, exit.Refuse(cmd.ErrOrStderr(), "", faults)
	}
	if read.Name == "" && (o.apply || o.output.Is("manifest")) {
		return week{}, errors.New("the input must be a WorkloadAutoscaler with a name, not a bare spec: its history has the same name")
	}
	recorded, report, err := readTrace(cmd.InOrStdin(), o.recording, o.repair)
	if err != nil {
		return week{}, err
	}
	if n := report.Repairs(); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d samples were repaired, the first: %s\n", o.recording, n, report.First)
	}
	return learnWeek(read, recorded)
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
