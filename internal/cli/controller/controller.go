package controller

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/fault"
	"github.com/tidemark/tidemark/internal/cli/exit"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/controller/operator"
	"github.com/tidemark/tidemark/internal/shard"
)

const long = `Run the controller: look at every WorkloadAutoscaler of a cluster once a sync
period, decide, act, and say why.

The configuration is a file of kind ControllerConfig; docs/operations.md lists
its fields. Without one the defaults count. Its admin settings, the pause among
them, are read again while the controller runs; SIGHUP makes it look at once.

Inside a cluster the service account of the pod is used, elsewhere the
kubeconfig.`

const example = `  # As in a cluster.
  tidemark controller --config /etc/tidemark/controller.yaml

  # See what it would do to the cluster of your kubeconfig, from your desk.
  tidemark controller --dry-run --kubeconfig ~/.kube/config --leader-elect=false

  # The second of three shards.
  tidemark controller --config controller.yaml --shard 1/3`

// options are the flags. Each stands above the file.
type options struct {
	cluster             flags.Cluster
	file, shard, record string
	dryRun, leaderElect bool
}

// New returns the verb.
func New() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:     "controller [--config FILE] [--shard i/n] [--dry-run]",
		Short:   "Run the controller in a cluster",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, err := o.read(cmd)
			if err != nil {
				return err
			}
			namespace, err := electsIn(file.Now().LeaderElection, ownNamespace)
			if err != nil {
				return err
			}
			file.Override(func(c *config.Controller) { c.LeaderElection.Namespace = namespace })
			api, _, err := o.cluster.Load()
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			reload := make(chan os.Signal, 1)
			signal.Notify(reload, syscall.SIGHUP)
			defer signal.Stop(reload)
			if err := operator.Run(ctx, api, file, reload); err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "Error: %v\n", err)
				return exit.Code(exit.Failed)
			}
			return nil
		},
	}
	o.add(cmd)
	return cmd
}

func (o *options) add(cmd *cobra.Command) {
	o.cluster.AddConfig(cmd)
	cmd.Flags().StringVar(&o.file, "config", "", "configuration file")
	cmd.Flags().StringVar(&o.shard, "shard", "", "part of the objects to look after, as i/n, counted from 0")
	cmd.Flags().StringVar(&o.record, "record", "", "add every decision to this file, with all it was made from")
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "decide and explain, change no workload")
	cmd.Flags().BoolVar(&o.leaderElect, "leader-elect", true, "wait until no other replica works")
}

// read reads the file and puts the flags above it.
func (o *options) read(cmd *cobra.Command) (*config.File, error) {
	file := config.Fixed(config.Default())
	if o.file != "" {
		var err error
		if file, err = config.Open(o.file); err != nil {
			if faults, ok := errors.AsType[fault.List](err); ok {
				return nil, exit.Refuse(cmd.ErrOrStderr(), o.file+": ", faults)
			}
			return nil, err
		}
	}
	if o.shard != "" {
		if _, err := shard.Parse(o.shard); err != nil {
			return nil, fmt.Errorf("--shard %w", err)
		}
	}
	file.Override(func(c *config.Controller) {
		if o.shard != "" {
			c.Shard = o.shard
		}
		if o.record != "" {
			c.Record.File = o.record
		}
		c.DryRun = c.DryRun || o.dryRun
		if cmd.Flags().Changed("leader-elect") {
			c.LeaderElection.Enabled = &o.leaderElect
		}
	})
	return file, nil
}

// ownNamespace is where a pod finds the namespace that it runs in.
const ownNamespace = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"

// electsIn is the namespace in which leaders are elected, or why there can be no
// election. Outside of a cluster nothing says where the other replicas are, and a
// guess that is wrong would let two of them work at once.
func electsIn(e config.LeaderElection, mounted string) (string, error) {
	if !*e.Enabled || e.Namespace != "" {
		return e.Namespace, nil
	}
	text, err := os.ReadFile(mounted)
	if err != nil {
		return "", errors.New("leaderElection.namespace: is known by itself only inside a cluster: " +
			"set it to the namespace of the controller that is installed, or pass --leader-elect=false if no other one runs")
	}
	return strings.TrimSpace(string(text)), nil
}
