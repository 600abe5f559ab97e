package simulate

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/simulate/inputs"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/strict"
)

const long = `Replay one policy over a recorded demand and score it.

The demand is CSV with a header, time,value, or the answer of a Prometheus range
query: the work that arrives each second, in cores. The pods of the replay share
it. They take time to start, cannot do more than they request, and are seen as
late as real ones; what they cannot do is dropped and counted. The decisions are
made by the engine that runs in the cluster, with its memory and, where the
object learns, its history.

The score is the cost in core-hours and GiB-hours, the share of work that was
dropped, the minutes in which some was, how often the size changed, how many
pods were started, and what it would have cost who knows the future.`

const example = `  # How would this object have done last week?
  tidemark simulate -f web.yaml --demand week.csv

  # The demand is in requests: let its mean need ten pods. Every decision, too.
  tidemark simulate -f web.yaml --demand requests.csv --mean-pods 10 -o csv --timeline`

// New returns the verb.
func New() *cobra.Command {
	var file flags.Input
	var given inputs.Inputs
	var output flags.Output
	var timeline bool
	cmd := &cobra.Command{
		Use:     "simulate -f FILE --demand FILE [-o table|json|csv] [--timeline]",
		Short:   "Replay one policy over a recorded demand",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			name := cmd.Flag("filename").Value.String()
			if name == "-" && given.Stdin() {
				return errors.New("-f and --demand cannot both be standard input")
			}
			data, err := file.Read(cmd, strict.MaxInput)
			if err != nil {
				return err
			}
			policy, err := inputs.Policy(cmd, name, data)
			if err != nil {
				return err
			}
			r, err := given.Replay(cmd)
			if err != nil {
				return err
			}
			inputs.Tell(cmd.ErrOrStderr(), name, r.Warnings(policy))
			results, err := r.Run([]replay.Policy{policy}, replay.Options{Timeline: timeline, Progress: cmd.ErrOrStderr()})
			if err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), &output, results[0])
		},
	}
	file.Add(cmd)
	given.Add(cmd)
	cmd.Flags().BoolVar(&timeline, "timeline", false, "print the decisions as well: in json and csv every one, in a table those that change the count")
	output.Add(cmd, "table", "json", "csv")
	return cmd
}

// write prints the result. Lines of two kinds would make CSV useless, so there
// a timeline stands alone.
func write(out io.Writer, form *flags.Output, r replay.Result) error {
	switch {
	case form.Is("json"):
		return replay.WriteJSON(out, r)
	case r.Timeline != nil && form.Is("csv"):
		return replay.WriteTimelineCSV(out, r)
	case r.Timeline != nil:
		return replay.WriteTimelineTable(out, r)
	case form.Is("csv"):
		return replay.WriteCSV(out, []replay.Result{r})
	}
	return replay.WriteTable(out, []replay.Result{r})
}
