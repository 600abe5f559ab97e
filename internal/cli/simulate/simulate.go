package simulate

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/replay"
)

const long = `Replay one policy over a recorded demand and score it.

The policy is a WorkloadAutoscaler, its spec, or the object of another autoscaler
that 'tidemark convert' knows; what is lost by converting it is told.

The demand is CSV with a header, time,value, or the answer of a Prometheus range
query: the work that arrives each second, in cores. The pods of the replay share
it. They take time to start, are seen as late as real ones, and burst as far as
their limits allow and their neighbors leave room; work waits a second for a pod
that is busy, and what then cannot be done is dropped and counted. All of this can
be changed by flags; --plant ideal turns it off. The decisions are made by the
engine that runs in the cluster, with its memory and, where the object learns, its
history.

The score is the cost in core-hours and GiB-hours, as requested and as billed, the
share of work that was dropped and that was late, how often the size changed, how
many pods were started and resized, and what it would have cost who knows the
future.

Instead of a file, --policy names one of these yardsticks:

` + inputs.Yardsticks

const example = `  # How would this object have done last week?
  tidemark simulate -f web.yaml --demand week.csv

  # The demand is in requests: let its mean need ten pods. Every decision, too.
  tidemark simulate -f web.yaml --demand requests.csv --mean-pods 10 -o csv --timeline

  # Why did it scale up at ten?
  tidemark simulate -f web.yaml --demand week.csv --explain-at 2026-01-05T10:00:00Z

  # How would Knative have done?
  tidemark simulate --policy kpa:70 --demand week.csv

  # Four weeks that were made up, as a page to look at.
  tidemark simulate -f web.yaml --demand 'generate:weekly?days=28' --report week.html`

// New returns the verb.
func New() *cobra.Command {
	var given inputs.One
	var output flags.Output
	var timeline bool
	var moment string
	cmd := &cobra.Command{
		Use:     "simulate (-f FILE | --policy POLICY) --demand FILE [-o table|json|csv] [--timeline] [--report FILE]",
		Short:   "Replay one policy over a recorded demand",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := given.Read(cmd); err != nil {
				return err
			}
			r := given.Replay
			if moment != "" {
				return explainAt(cmd.OutOrStdout(), r, given.Policy, moment)
			}
			results, err := r.Run([]replay.Policy{given.Policy}, replay.Options{Timeline: timeline, Course: given.Wanted(), Progress: cmd.ErrOrStderr()})
			if err != nil {
				return err
			}
			given.TellMeasured(cmd, results)
			if err := given.Write(given.Title(), r, results); err != nil {
				return err
			}
			return write(cmd.OutOrStdout(), &output, results[0])
		},
	}
	given.Add(cmd)
	given.AddNamed(cmd)
	cmd.Flags().StringVar(&moment, "explain-at", "", "explain the decision of a moment instead: a time in RFC 3339, or after the start, such as 36h")
	cmd.Flags().BoolVar(&timeline, "timeline", false,
		"print the decisions as well: in json and csv every one, in a table those that change the count or the size of the pods")
	output.Add(cmd, "table", "json", "csv")
	return cmd
}

// explainAt prints the decision of a moment, with every step.
func explainAt(out io.Writer, r *replay.Replay, p replay.Policy, moment string) error {
	at, err := r.Moment(moment)
	if err != nil {
		return fmt.Errorf("--explain-at: %w", err)
	}
	text, err := r.Explain(p, at)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(out, text)
	return err
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
