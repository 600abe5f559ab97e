package learn

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/learner"
	"github.com/tidemark/tidemark/internal/object"
	"github.com/tidemark/tidemark/internal/replay/trace"
	"github.com/tidemark/tidemark/internal/strict"
)

const long = `Show what would be learned from a recording of replica counts.

The recording is CSV with a header, time,value, or the answer of a Prometheus
range query, of how many replicas were ready. The answer is the week: for each
slot the bounds that would hold then, with the largest count behind them as a
picture's color. A slot without data has no opinion.

With -o svg the answer is a heat map. With -o checkpoint it is the history
itself, encoded, and with -o manifest a WorkloadHistory that holds it: created
before its object, or within ten minutes after that, it is what the object
begins with.

With --apply the recording is handed over to the object of the same name in the
cluster, which need not be new. It is learned with the settings that the object
has there. What the object has learned itself stays; of each slot the larger count
is kept. The controller takes it over in its next round. What the recording dates
in the future is left out.`

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
			asked, recorded, err := o.read(cmd)
			if err != nil {
				return err
			}
			if o.apply {
				return o.teach(cmd, connect, asked, recorded)
			}
			w, err := learnWeek(asked, recorded)
			if err != nil {
				return err
			}
			return render[o.output.String()](cmd.OutOrStdout(), w)
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

// teach hands the recording over to the object in the cluster. It is learned under
// the settings that the object has there: under others it could not be used.
func (o *options) teach(cmd *cobra.Command, connect func(*flags.Cluster) (flags.Connection, error), asked object.Object, recorded trace.Trace) error {
	c, err := connect(&o.cluster)
	if err != nil {
		return err
	}
	if asked.Namespace != "" && !cmd.Flags().Changed("namespace") {
		c.Namespace = asked.Namespace
	}
	obj, err := receiver(cmd.Context(), c, asked.Name)
	if err != nil {
		return err
	}
	if differ := learner.SettingsOf(asked.Spec).Differences(learner.SettingsOf(obj.Spec)); len(differ) > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "it is learned as %s/%s says, not as the file does: of spec.learn, %s\n", c.Namespace, asked.Name, strings.Join(differ, ", "))
	}
	asked.Spec = obj.Spec
	w, err := learnWeek(asked, recorded)
	if err != nil {
		return err
	}
	if err := render[o.output.String()](cmd.OutOrStdout(), w); err != nil {
		return err
	}
	if err := handOver(cmd.Context(), c, obj, w.learned); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "handed over to %s/%s: %d of %d slots of the recording are known\n", c.Namespace, w.name, w.Progress.Known, w.Progress.Slots)
	return nil
}

// read reads the object and the recording.
func (o *options) read(cmd *cobra.Command) (object.Object, trace.Trace, error) {
	if o.recording == "" {
		return object.Object{}, trace.Trace{},
			errors.New("--history FILE is required: a recording of replica counts, as CSV or as the answer of a Prometheus range query")
	}
	data, err := o.input.Read(cmd, strict.MaxInput)
	if err != nil {
		return object.Object{}, trace.Trace{}, err
	}
	read, faults := object.Read(data, learns)
	if len(faults) > 0 {
		return object.Object{}, trace.Trace{}, exit.Refuse(cmd.ErrOrStderr(), "", faults)
	}
	for _, note := range read.Notes {
		fmt.Fprintln(cmd.ErrOrStderr(), note)
	}
	if read.Name == "" && (o.apply || o.output.Is("manifest")) {
		return object.Object{}, trace.Trace{}, errors.New("the input must be a WorkloadAutoscaler with a name, not a bare spec: its history has the same name")
	}
	recorded, report, err := readTrace(cmd, o.recording, o.repair)
	if err != nil {
		return object.Object{}, trace.Trace{}, err
	}
	if n := report.Repairs(); n > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d samples were repaired, the first: %s\n", o.recording, n, report.First)
	}
	if o.apply || o.output.Is("manifest") {
		if n := past(&recorded, time.Now()); n > 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d samples are dated in the future and are left out\n", o.recording, n)
		}
	}
	return read, recorded, nil
}

// past leaves out what is dated in the future, which an object would take for what
// it has seen itself, and returns how much that is.
func past(t *trace.Trace, now time.Time) int {
	all := len(t.Points)
	t.Points = slices.DeleteFunc(t.Points, func(p trace.Point) bool { return p.At.After(now) })
	return all - len(t.Points)
}

func learns(o object.Object) fault.List {
	var faults fault.List
	if o.Spec.Learn == nil {
		faults.Add("learn", "is missing: say learn: {} to learn with the defaults")
	}
	return faults
}

// readTrace reads a recording; what starts with a brace is Prometheus's.
func readTrace(cmd *cobra.Command, path string, repair bool) (trace.Trace, trace.Report, error) {
	source, err := flags.Open(cmd, path)
	if err != nil {
		return trace.Trace{}, trace.Report{}, err
	}
	defer source.Close()
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
