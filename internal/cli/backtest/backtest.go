package backtest

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/simulate/inputs"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/strict"
)

const long = `Replay several policies over one recorded demand and compare them.

A policy is a file with a WorkloadAutoscaler, or one of these yardsticks:

  hpa:60      a HorizontalPodAutoscaler with a target of 60 percent cpu, default
              behavior and no maximum: the upstream algorithm
  static:20   twenty pods, always
  oracle      knows the demand of the next start-up time: the least that serves
              all of it

Each is replayed as by 'tidemark simulate', which explains the demand, the pods
and the score.`

const example = `  # Is the new object better than the HPA that runs now?
  tidemark backtest --demand week.csv --policy web.yaml --policy hpa:60 --policy oracle

  # The demand is in requests: let its mean need ten pods.
  tidemark backtest --demand requests.csv --mean-pods 10 --policy web.yaml --policy static:20 -o json`

// New returns the verb.
func New() *cobra.Command {
	var given inputs.Inputs
	var output flags.Output
	var names []string
	cmd := &cobra.Command{
		Use:     "backtest --demand FILE --policy POLICY [--policy POLICY]... [-o table|json|csv]",
		Short:   "Compare policies over a recorded demand",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			policies, err := read(cmd, names)
			if err != nil {
				return err
			}
			r, err := given.Replay(cmd)
			if err != nil {
				return err
			}
			for _, p := range policies {
				inputs.Tell(cmd.ErrOrStderr(), p.Name, r.Warnings(p))
			}
			results, err := r.Run(policies, replay.Options{Progress: cmd.ErrOrStderr()})
			if err != nil {
				return err
			}
			return render[output.String()](cmd.OutOrStdout(), results)
		},
	}
	cmd.Flags().StringArrayVar(&names, "policy", nil, "policy to replay: a file, "+replay.Yardsticks+"; may be repeated")
	given.Add(cmd)
	output.Add(cmd, "table", "json", "csv")
	return cmd
}

// render holds the forms of the answer, by the word that asks for them.
var render = map[string]func(io.Writer, []replay.Result) error{
	"table": replay.WriteTable,
	"json":  replay.WriteAllJSON,
	"csv":   replay.WriteCSV,
}

// read returns the policies of the names.
func read(cmd *cobra.Command, names []string) ([]replay.Policy, error) {
	if len(names) == 0 {
		return nil, errors.New("--policy is required: a file, " + replay.Yardsticks)
	}
	var out []replay.Policy
	for _, name := range names {
		p, known, err := replay.Named(name)
		if !known && err == nil {
			p, err = readFile(cmd, name)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func readFile(cmd *cobra.Command, path string) (replay.Policy, error) {
	file, err := os.Open(path)
	if err != nil {
		return replay.Policy{}, fmt.Errorf("a policy is a file, %s: %w", replay.Yardsticks, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, strict.MaxInput+1))
	if err != nil {
		return replay.Policy{}, fmt.Errorf("reading %s: %w", path, err)
	}
	return inputs.Policy(cmd, path, data)
}
