package tune

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/linted"
	"github.com/tidemark/tidemark/internal/replay/progress"
	"github.com/tidemark/tidemark/internal/replay/search"
)

const long = `Search for better numbers of a policy by replaying it over a recorded demand.

The policy is a WorkloadAutoscaler, its spec, or the object of another autoscaler
that 'tidemark convert' knows; what comes out is a WorkloadAutoscaler.

The search changes targets and watermarks, tolerances, windows, speed limits,
holds, the risk and the room of headroom and, upwards only, the minimum. What
'tidemark lint' warns of is never proposed. It tries candidates on the first part
of the recording and checks what it reports on the last part, which it has not
seen: a policy that does well on the one and badly on the other fits the
recording, not the workload.

The objective is "balanced", or a sum of numbers of the score that should be
small, with conditions that must hold:

  cost where unserved<=0.01%
  cost+1000*unserved
  cost where unserved<=0.05%, changes<=200

The words are cost (billed core-hours), relative (cost by that of the oracle),
requested and waste (core-hours), money, memory (GiB-hours), unserved and late
(percent), starved and longest (minutes), changes, churn (changes an hour),
podstarts, podstops, resizes, restarts, wait (seconds) and t, the measure of
--score: what is billed, lost work and late work, and changes. "balanced" is ` + search.Balanced + `.

With --policy other policies are scored beside what is found, on both parts:

` + inputs.Yardsticks + `

It prints the policies that nothing else beats in cost, unserved work and
changes, and the YAML of the best one. With --evaluations the result depends on
the seed alone; with --budget also on the speed of the machine.`

const example = `  # The cheapest settings that drop next to nothing.
  tidemark tune -f web.yaml --demand week.csv --objective 'cost where unserved<=0.01%'

  # The object to apply, and a page that shows why.
  tidemark tune -f web.yaml --demand week.csv --evaluations 200 -o yaml --report tuned.html`

// choices are the flags of the search itself.
type choices struct {
	objective   string
	budget      time.Duration
	evaluations int
	holdOut     float64
	beside      []string
}

// New returns the verb.
func New() *cobra.Command {
	var given inputs.One
	var output flags.Output
	var c choices
	cmd := &cobra.Command{
		Use:     "tune -f FILE --demand FILE [--objective OBJECTIVE] [-o table|json|yaml] [--report FILE]",
		Short:   "Search for better numbers of a policy",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			objective, err := c.check()
			if err != nil {
				return err
			}
			yardsticks, err := c.yardsticks(cmd)
			if err != nil {
				return err
			}
			if err := given.Read(cmd); err != nil {
				return err
			}
			found, err := c.search(cmd, given.Replay.Unmeasured(), given.Policy, search.Options{
				Objective: objective, Seed: given.Seed(), Warns: linted.Warnings(given.Replay.Settings()),
			})
			if err != nil {
				return err
			}
			given.Tell(cmd, given.Name, found.Warnings(objective))
			answer := answer{name: given.Name, source: given.Source, objective: objective, found: found}
			if answer.beside, err = c.compare(given.Replay.Unmeasured(), yardsticks); err != nil {
				return err
			}
			if err := answer.replay(cmd, &given); err != nil {
				return err
			}
			if err := answer.report(&given); err != nil {
				return err
			}
			return answer.write(cmd.OutOrStdout(), &output)
		},
	}
	given.Add(cmd)
	c.add(cmd)
	output.Add(cmd, "table", "json", "yaml")
	return cmd
}

func (c *choices) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.objective, "objective", "balanced", "what should be small, and what must hold, such as 'cost where unserved<=0.01%'")
	f.DurationVar(&c.budget, "budget", 30*time.Second, "time to search for, unless --evaluations says how much to try")
	f.IntVar(&c.evaluations, "evaluations", 0, "candidates to replay, instead of a time: the result then depends on the seed alone")
	f.StringArrayVar(&c.beside, "policy", nil, "policy to score beside what is found: a file, "+replay.Yardsticks+"; may be repeated")
	inputs.CompletePolicies(cmd)
	f.Float64Var(&c.holdOut, "hold-out", 0.25, "share of the recording, at its end, that the search does not see; 0 is none")
}

func (c *choices) check() (search.Objective, error) {
	objective, err := search.ParseObjective(c.objective)
	switch {
	case err != nil:
		return objective, fmt.Errorf("--%w", err)
	case c.budget <= 0:
		return objective, fmt.Errorf("--budget must be above 0, got %s", c.budget)
	case c.evaluations < 0:
		return objective, fmt.Errorf("--evaluations must not be negative, got %d", c.evaluations)
	case !(c.holdOut >= 0 && c.holdOut <= 0.9):
		return objective, fmt.Errorf("--hold-out must be between 0 and 0.9, got %v", c.holdOut)
	}
	return objective, nil
}

// search searches for as long or as much as the flags say.
func (c *choices) search(cmd *cobra.Command, r *replay.Replay, p replay.Policy, o search.Options) (search.Result, error) {
	ctx := cmd.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	o.HoldOut, o.Evaluations = c.holdOut, c.evaluations
	bar := progress.Start(cmd.ErrOrStderr(), "candidates", int64(c.evaluations))
	if o.Evaluations == 0 {
		o.Evaluations = math.MaxInt32
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.budget)
		defer cancel()
		bar = progress.StartShare(cmd.ErrOrStderr(), "the time to search")
	}
	defer bar.Stop()
	began := time.Now()
	o.Done = func(n int) {
		if c.evaluations > 0 {
			bar.Set(int64(n))
			return
		}
		bar.Set(int64(progress.Whole * time.Since(began) / c.budget))
	}
	return search.Search(ctx, search.SpaceOf(*p.Spec(), r.Peak()), r, o)
}
