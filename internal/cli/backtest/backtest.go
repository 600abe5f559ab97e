package backtest

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/replay"
)

const long = `Replay several policies over one recorded demand and compare them.

A policy is a file with a WorkloadAutoscaler, with the object of another autoscaler
that 'tidemark convert' knows, or one of these yardsticks:

` + inputs.Yardsticks + `

Each is replayed as by 'tidemark simulate', which explains the demand, the pods
and the score.

With --score each also has a measure, T: core-hours that are billed, 50 for each of
lost work, 5 for each of late work, and what it costs to change pods. H is the T of
the best HPA in hindsight on the same demand, D the demand itself, and G the share of
what lies between them that a policy gains. H2 and G2 are beside an HPA whose window
was chosen in hindsight as well.

With --fleet the demand is a folder of recordings, one for each workload, and
'own' is the policy that stands beside the recording under the same name, or
default.yaml. A large fleet is cut into shards, whose results --merge puts
together: they are those of one run, digit by digit.`

const example = `  # Is the new object better than the HPA that runs now?
  tidemark backtest --demand week.csv --policy web.yaml --policy hpa:60 --policy oracle

  # The demand is in requests: let its mean need ten pods.
  tidemark backtest --demand requests.csv --mean-pods 10 --policy web.yaml --policy static:20 -o json

  # How much of what can be gained over the best HPA does it gain?
  tidemark backtest --demand week.csv --score --policy web.yaml --policy hpa:60

  # All workloads of a cluster, each with its own policy, beside an HPA.
  tidemark backtest --fleet recordings --policy own --policy hpa:60

  # The same on two machines.
  tidemark backtest --fleet recordings --shard 0/2 -o json --to part-0.json
  tidemark backtest --fleet recordings --shard 1/2 -o json --to part-1.json
  tidemark backtest --merge part-*.json`

// verb is the verb with its flags.
type verb struct {
	given  inputs.Inputs
	output flags.Output
	names  []string
	report inputs.Report
	fleet  fleetFlags
}

// New returns the verb.
func New() *cobra.Command {
	var v verb
	cmd := &cobra.Command{
		Use:     "backtest (--demand FILE | --fleet DIR) --policy POLICY [--policy POLICY]... [-o table|json|csv] [--report FILE]",
		Short:   "Compare policies over a recorded demand",
		Long:    long,
		Example: example,
		RunE:    v.run,
	}
	cmd.Flags().StringArrayVar(&v.names, "policy", nil, "policy to replay: a file, "+replay.Yardsticks+", in a fleet also own; may be repeated")
	inputs.CompletePolicies(cmd)
	v.given.Add(cmd)
	v.report.Add(cmd)
	v.fleet.add(cmd)
	v.output.Add(cmd, "table", "json", "csv")
	return cmd
}

func (v *verb) run(cmd *cobra.Command, args []string) error {
	if err := v.fleet.check(args, &v.report, v.given.Given()); err != nil {
		return err
	}
	switch {
	case v.fleet.merge:
		result, err := merged(args)
		if err != nil {
			return err
		}
		return v.fleet.write(cmd, &v.output, result)
	case v.fleet.dir != "":
		result, err := v.fleet.run(cmd, &v.given, v.names)
		if err != nil {
			return err
		}
		return v.fleet.write(cmd, &v.output, result)
	}
	return v.one(cmd)
}

// one compares policies over one demand.
func (v *verb) one(cmd *cobra.Command) error {
	policies, err := read(cmd, v.names)
	if err != nil {
		return err
	}
	r, err := v.given.Open(cmd)
	if err != nil {
		return err
	}
	for _, p := range policies {
		v.report.Tell(cmd, p.Name, r.Warnings(p))
	}
	results, err := r.Run(policies, replay.Options{Course: v.report.Wanted(), Progress: cmd.ErrOrStderr()})
	if err != nil {
		return err
	}
	v.report.TellMeasured(cmd, results)
	if err := v.report.Write(v.given.Title(), r, results); err != nil {
		return err
	}
	return render[v.output.String()](cmd.OutOrStdout(), results)
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
		p, err := inputs.Named(cmd, name)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}
