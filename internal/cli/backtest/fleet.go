package backtest

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/replay/fleet"
	"github.com/tidemark/tidemark/internal/replay/progress"
)

// own names the policy that stands beside a recording.
const own = "own"

// fleetFlags are the flags of fleets.
type fleetFlags struct {
	dir, shard, to string
	merge          bool
}

func (f *fleetFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.dir, "fleet", "", "folder of recordings, one for each workload, instead of --demand")
	cmd.Flags().StringVar(&f.shard, "shard", "", "part of the fleet to replay, such as 0/8; 8 alone takes the index from $JOB_COMPLETION_INDEX")
	cmd.Flags().BoolVar(&f.merge, "merge", false, "put the results of all shards together: files that -o json wrote")
	cmd.Flags().StringVar(&f.to, "to", "", "file to write the result of a fleet to, instead of standard output")
}

// check refuses flags that do not go together.
func (f *fleetFlags) check(args []string, report *inputs.Report, demand bool) error {
	switch fleet := f.dir != ""; {
	case f.merge && len(args) == 0:
		return errors.New("--merge needs the files of all shards as arguments")
	case !f.merge && len(args) > 0:
		return fmt.Errorf("unexpected argument %q", args[0])
	case f.merge && (fleet || demand):
		return errors.New("--merge puts results together, it replays nothing: leave --fleet and --demand out")
	case fleet && demand:
		return errors.New("--fleet and --demand cannot be used together")
	case f.shard != "" && !fleet:
		return errors.New("--shard needs --fleet")
	case f.to != "" && !fleet && !f.merge:
		return errors.New("--to needs --fleet or --merge")
	case (fleet || f.merge) && report.Wanted():
		return errors.New("--report shows one demand: leave --fleet out")
	}
	return nil
}

// run replays a fleet.
func (f *fleetFlags) run(cmd *cobra.Command, given *inputs.Inputs, names []string) (fleet.Result, error) {
	workloads, err := fleet.List(f.dir)
	if err != nil {
		return fleet.Result{}, err
	}
	todo := fleet.Fleet{Workloads: workloads}
	if f.shard != "" {
		if todo.Shard, err = fleet.ParseShard(f.shard, os.Getenv("JOB_COMPLETION_INDEX")); err != nil {
			return fleet.Result{}, fmt.Errorf("--shard: %w", err)
		}
	}
	if todo.Plant, err = given.Plant.Read(); err != nil {
		return fleet.Result{}, err
	}
	if todo.Reading, err = given.Demand.Reading(); err != nil {
		return fleet.Result{}, err
	}
	if todo.Policies, err = policiesOf(cmd, names); err != nil {
		return fleet.Result{}, err
	}
	bar := progress.Start(cmd.ErrOrStderr(), "workloads", todo.Size())
	defer bar.Stop()
	return todo.Run(bar), nil
}

// policiesOf reads the policies that all workloads share, and returns how to
// find all of one.
func policiesOf(cmd *cobra.Command, names []string) (func(fleet.Workload) ([]replay.Policy, error), error) {
	if len(names) == 0 {
		names = []string{own}
	}
	shared := make([]replay.Policy, len(names))
	for i, name := range names {
		if name == own {
			continue
		}
		p, err := inputs.Named(cmd, name)
		if err != nil {
			return nil, err
		}
		shared[i] = p
	}
	return func(w fleet.Workload) ([]replay.Policy, error) {
		out := make([]replay.Policy, len(names))
		for i, name := range names {
			if name != own {
				out[i] = shared[i]
				continue
			}
			if w.Policy == "" {
				return nil, fmt.Errorf("%s has no policy of its own: put %s.yaml or %s.yaml beside its recording", w.Name, w.Name, fleet.Default)
			}
			p, err := inputs.File(cmd, w.Policy)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", w.Policy, err)
			}
			p.Name = own
			out[i] = p
		}
		return out, nil
	}, nil
}

// merged puts the results of shards together.
func merged(paths []string) (fleet.Result, error) {
	var parts []fleet.Result
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return fleet.Result{}, err
		}
		part, err := fleet.Read(file)
		file.Close()
		if err != nil {
			return fleet.Result{}, fmt.Errorf("%s: %w", path, err)
		}
		parts = append(parts, part)
	}
	return fleet.Merge(parts)
}

// mostTold is how many warnings of a fleet are printed; all are in the JSON.
const mostTold = 10

// write writes the result of a fleet. A workload that could not be replayed is
// told, and makes the whole a failure once everything else is written.
func (f *fleetFlags) write(cmd *cobra.Command, form *flags.Output, r fleet.Result) error {
	for i, w := range r.Warnings {
		if i == mostTold {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: and %d more, all of them in -o json\n", len(r.Warnings)-i)
			break
		}
		inputs.Tell(cmd.ErrOrStderr(), w.Workload, []string{w.Message})
	}
	if err := f.print(cmd, form, r); err != nil {
		return err
	}
	if len(r.Failures) == 0 {
		return nil
	}
	for _, failed := range r.Failures {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s could not be replayed: %s\n", failed.Workload, failed.Message)
	}
	return exit.Code(exit.Refused)
}

func (f *fleetFlags) print(cmd *cobra.Command, form *flags.Output, r fleet.Result) error {
	if f.to == "" {
		return r.Write(cmd.OutOrStdout(), form.String())
	}
	file, err := os.Create(f.to)
	if err != nil {
		return fmt.Errorf("writing --to: %w", err)
	}
	err = r.Write(file, form.String())
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}
