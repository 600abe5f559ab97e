package ui

import (
	"context"
	"errors"
	"log/slog"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/replayed"
	"github.com/tidemark/tidemark/internal/ui/town"
)

const long = `Show pages: the fleet, each workload over time, and every decision with its
reasons and what would change it.

With --demo the fleet is a small town of workloads that are made up, in virtual time
whose speed can be chosen. With --demand and --policy each policy is a workload of
the fleet, and all of them meet the same recorded demand, as by 'tidemark backtest'.

The server listens on this machine alone, and gives data only for the token in the
address it prints: other users of the machine do not have it. The pages load nothing
from anywhere else.`

const example = `  # See it without a cluster, within seconds.
  tidemark ui --demo

  # A recorded week under two policies.
  tidemark ui --demand week.csv --policy web.yaml --policy hpa:60`

// verb is the verb with its flags.
type verb struct {
	demo   bool
	names  []string
	given  inputs.Inputs
	listen string
}

// New returns the verb.
func New() *cobra.Command {
	var v verb
	cmd := &cobra.Command{
		Use:     "ui (--demo | --demand FILE --policy POLICY [--policy POLICY]...) [--listen HOST:PORT]",
		Short:   "Show the fleet, its workloads over time and every decision in a browser",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE:    v.run,
	}
	cmd.Flags().BoolVar(&v.demo, "demo", false, "show workloads that are made up, in virtual time")
	cmd.Flags().StringVar(&v.listen, "listen", "127.0.0.1:8089", "address of this machine to listen on; port 0 is any that is free")
	cmd.Flags().StringArrayVar(&v.names, "policy", nil, "policy to replay: a file, "+replay.Yardsticks+"; may be repeated")
	inputs.CompletePolicies(cmd)
	v.given.Add(cmd)
	return cmd
}

func (v *verb) run(cmd *cobra.Command, _ []string) error {
	if err := v.check(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	shown, err := v.feed(ctx, cmd)
	if err != nil {
		return err
	}
	return serve(ctx, cmd.OutOrStdout(), v.listen, shown, slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil)))
}

// check refuses flags that do not go together.
func (v *verb) check() error {
	switch {
	case v.demo && v.given.Given():
		return errors.New("--demo and --demand cannot be used together: both say what to show")
	case v.demo && len(v.names) > 0:
		return errors.New("--policy needs --demand: the demo has policies of its own")
	case !v.demo && !v.given.Given():
		return errors.New("say what to show: --demo, or --demand FILE with --policy POLICY")
	case v.given.Given() && len(v.names) == 0:
		return errors.New("--policy is required with --demand: a file, " + replay.Yardsticks)
	}
	return loopback(v.listen)
}

// feed is what the flags ask for.
func (v *verb) feed(ctx context.Context, cmd *cobra.Command) (feed.Feed, error) {
	if v.demo {
		t, err := town.New()
		if err != nil {
			return nil, err
		}
		go t.Live(ctx)
		return t, nil
	}
	var policies []replay.Policy
	for _, name := range v.names {
		p, err := inputs.Named(cmd, name)
		if err != nil {
			return nil, err
		}
		policies = append(policies, p)
	}
	r, err := v.given.Open(cmd)
	if err != nil {
		return nil, err
	}
	return replayed.New(v.given.Title(), r, policies)
}
