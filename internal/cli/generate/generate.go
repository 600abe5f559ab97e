package generate

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/replay/trace/generate"
	"github.com/tidemark/tidemark/scale"
)

const long = `Write a demand that is made up, as CSV that simulate, backtest, tune and learn
read. The same shape, seed and flags give the same demand on every machine.

Shapes:
  bursty       a low and rough level with bursts of minutes
  daily        a wave with its peak at 14:00
  flash-crowd  a gentle wave, and about every other day a crowd within minutes
  ramp         grows ninefold from beginning to end
  step         holds a level for hours and then jumps to another
  weekly       a daily wave with quiet weekends`

const example = `  # Four weeks of a service that sleeps on weekends.
  tidemark generate weekly --days 28 --to demand.csv

  # Replay it at once: a demand need not be a file.
  tidemark backtest --demand 'generate:weekly?days=28' --policy hpa:60`

// options are the flags.
type options struct {
	days, hours int
	seed        uint64
	mean, start string
	to          string
	out         generate.Options
}

// New returns the verb.
func New() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:       "generate SHAPE [--days N] [--to FILE]",
		Short:     "Write a demand that is made up",
		Long:      long,
		Example:   example,
		Args:      oneShape,
		ValidArgs: generate.Names(),
		RunE:      func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.IntVar(&o.days, "days", 7, "how many days")
	f.IntVar(&o.hours, "hours", 0, "how many hours, instead of days")
	f.DurationVar(&o.out.Step, "step", time.Minute, "time between samples")
	f.StringVar(&o.mean, "mean", "10", "mean of all values, in cores")
	f.Uint64Var(&o.seed, "seed", 1, "seed of all chance: the same seed gives the same demand")
	f.StringVar(&o.start, "start", "2026-01-05T00:00:00Z", "time of the first sample, in RFC 3339")
	f.StringVar(&o.to, "to", "", "file to write to, instead of standard output")
	return cmd
}

// oneShape refuses what is not the name of one shape.
func oneShape(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("one shape is needed, got %d: %s", len(args), strings.Join(generate.Names(), ", "))
	}
	return nil
}

func (o *options) run(cmd *cobra.Command, shape string) error {
	if err := o.read(cmd); err != nil {
		return err
	}
	demand, err := generate.Named(shape, o.seed, o.out)
	if err != nil {
		return err
	}
	if o.to == "" {
		return demand.WriteCSV(cmd.OutOrStdout())
	}
	file, err := os.Create(o.to)
	if err != nil {
		return err
	}
	if err := demand.WriteCSV(file); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}

// read makes options of the flags whose texts are not numbers.
func (o *options) read(cmd *cobra.Command) (err error) {
	unit, n, name := 24*time.Hour, o.days, "days"
	if cmd.Flags().Changed("hours") {
		unit, n, name = time.Hour, o.hours, "hours"
	}
	if name == "hours" && cmd.Flags().Changed("days") {
		return fmt.Errorf("--days and --hours cannot be used together")
	}
	if o.out.Length, err = generate.Lasting(n, unit); err != nil {
		return fmt.Errorf("--%s: %w", name, err)
	}
	if o.out.Mean, err = scale.ParseAmount(o.mean); err != nil {
		return fmt.Errorf("--mean: %q %w", o.mean, err)
	}
	if o.out.Start, err = time.Parse(time.RFC3339, o.start); err != nil {
		return fmt.Errorf("--start must be a time such as 2026-01-05T00:00:00Z, got %q", o.start)
	}
	return nil
}
