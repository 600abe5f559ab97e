package explain

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/engine/interval"
	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/object"
	"github.com/tidemark/tidemark/internal/strict"
)

const long = `Explain the last decision about an object of a cluster, or what a spec means.

With a NAME: what was last decided about the object, every step that led to it,
and its conditions. The status is written when something changes that matters,
so the first line tells when that was; the values of metrics in it are of that
moment. -o json prints the decision and the conditions.

With -f alone: what an object decides about samples of load, from none at all to ten
times too much, and why: the samples that 'tidemark convert --diff' compares by. The
input is a WorkloadAutoscaler, or an object that 'tidemark convert' reads, such as an
HPA or a ScaledObject, which is converted first. What is learned, schedules and
pauses are left out.

With --intervals: the effective intervals of a spec, one line for each replica
count. The count grows when a total is above its UP TO, and shrinks when the
total is at or below its IN AT. The input is a WorkloadAutoscaler, only its spec,
or an Hvpa, which is converted first; HPAs, VPAs and ScaledObjects have no intervals.

With -o svg the answer is a picture: replicas and request per pod over the
total, while the total rises and while it falls. It is drawn by asking the
engine itself, in small steps.`

const example = `  # Why does the workload have the size it has?
  tidemark explain web -n shop

  # What does an HPA do under which load?
  tidemark explain -f hpa.yaml

  # Which total leads to how many replicas?
  tidemark explain --intervals -f web.yaml

  # The same as a picture.
  tidemark explain --intervals -f web.yaml -o svg > web.svg`

// errNothingAsked says what can be asked for.
var errNothingAsked = errors.New("what should be explained? NAME -n NAMESPACE explains the last decision about an object of a cluster, " +
	"-f FILE what it decides under which load, --intervals -f FILE shows the effective intervals of a spec")

// New returns the verb.
func New() *cobra.Command { return command((*flags.Cluster).Connect) }

// command is the verb, with the way to a cluster left open.
func command(connect func(*flags.Cluster) (flags.Connection, error)) *cobra.Command {
	var input flags.Input
	var output flags.Output
	var cluster flags.Cluster
	var intervals bool
	cmd := &cobra.Command{
		Use:     "explain (NAME [-n NAMESPACE] | -f FILE | --intervals [-f FILE]) [-o table|json|svg]",
		Short:   "Explain a decision, or what a spec means",
		Long:    long,
		Example: example,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && !intervals {
				connection, err := connect(&cluster)
				if err != nil {
					return err
				}
				return explainObject(cmd, connection, args[0], output.String())
			}
			samples := !intervals && cmd.Flags().Changed("filename")
			if !intervals && !samples || len(args) > 0 {
				return errNothingAsked
			}
			data, err := input.Read(cmd, strict.MaxInput)
			if err != nil {
				return err
			}
			check := hasIntervals
			if samples {
				check = func(object.Object) fault.List { return nil }
			}
			read, faults := object.Read(data, check)
			if len(faults) > 0 {
				return exit.Refuse(cmd.ErrOrStderr(), "", faults)
			}
			for _, note := range read.Notes {
				fmt.Fprintln(cmd.ErrOrStderr(), note)
			}
			if samples {
				return writeSamples(cmd.OutOrStdout(), &read, output.String())
			}
			return render[output.String()](cmd.OutOrStdout(), subject{name: read.Name, rules: read.Policy.Interval})
		},
	}
	cmd.Flags().BoolVar(&intervals, "intervals", false, "show the effective intervals of the spec")
	input.Add(cmd)
	cluster.Add(cmd)
	output.Add(cmd, "table", "json", "svg")
	return cmd
}

// subject is the object that is explained.
type subject struct {
	// name is the object's; empty for a bare spec.
	name  string
	rules *interval.Rules
}

// render holds the forms of the answer, by the word that asks for them.
var render = map[string]func(io.Writer, subject) error{
	"table": writeTable,
	"json":  writeJSON,
	"svg":   writeSVG,
}

func hasIntervals(o object.Object) fault.List {
	var faults fault.List
	if o.Policy.Interval == nil {
		faults.Add("intervals", "is missing: there are no intervals to explain; without --intervals, -f shows what is decided under which load")
	}
	return faults
}
