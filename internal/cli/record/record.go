package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/controller/config"
	"github.com/tidemark/tidemark/internal/record"
)

const long = `Record what decisions about an object look at: its spec, what is seen of its
workload and of its metrics, and what is remembered. Each decision is one line,
a document as "tidemark decide" reads it. "tidemark simulate" and "tidemark
backtest" take the demand out of such a recording.

The cluster is looked at with the permissions of your kubeconfig, once each sync
period of the object, and nothing in it is changed. What is remembered is what
the status says, as a controller would find it after a restart. The settings of
the cluster's administrator are not visible from outside: give the controller's
configuration with --config, or the recording is made without them.

Ctrl-C ends the recording; what was written is complete.

With --from prometheus the past is taken from a Prometheus server instead: the
work per second as CSV, a week of it or what --for says. NAME is then the
beginning of the pods' names, and the cluster is not asked.`

const example = `  # Ten minutes of a workload.
  tidemark record web -n shop --for 10m > web.jsonl

  # The last four weeks of its demand.
  tidemark record web -n shop --from prometheus --prometheus http://localhost:9090 --for 672h > web.csv

  # Why did it decide as it did?
  tidemark decide -f web.jsonl -o text`

// options are the flags.
type options struct {
	cluster flags.Cluster
	from    flags.Output
	length  time.Duration
	config  string
	past    past
}

// request is what is recorded.
type request struct {
	name   string
	length time.Duration
	admin  v1alpha1.AdminSettings
	// connect reads the kubeconfig, for the sources that need a cluster.
	connect func() (flags.Connection, error)
}

// source gives what decisions looked at, one after another, until it is done,
// the context ends, or yield fails.
type source func(ctx context.Context, r request, yield func(record.Call) error) error

// sources are where a recording can come from. A new one is a line here.
var sources = map[string]source{
	"cluster": fromCluster,
}

// New returns the verb.
func New() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:     "record NAME [-n NAMESPACE] [--for DURATION]",
		Short:   "Record what decisions look at",
		Long:    long,
		Example: example,
		Args:    oneName,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.from.Is("prometheus") {
				return o.past.run(cmd, args[0], o.length)
			}
			r, err := o.request(args[0])
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
			defer stop()
			return run(ctx, sources[o.from.String()], r, cmd.OutOrStdout())
		},
	}
	o.cluster.Add(cmd)
	o.from.AddAs(cmd, "from", "where to look", "cluster", "prometheus")
	o.past.add(cmd)
	cmd.Flags().DurationVar(&o.length, "for", 10*time.Minute, "how long to record")
	cmd.Flags().StringVar(&o.config, "config", "", "the controller's configuration, for its admin settings")
	return cmd
}

// oneName refuses what is not the name of one object.
func oneName(_ *cobra.Command, args []string) error {
	switch len(args) {
	case 0:
		return errors.New("NAME is missing: the object to record, or with --from prometheus the beginning of its pods' names, as in tidemark record web -n shop")
	case 1:
		return nil
	}
	return fmt.Errorf("one NAME is recorded at a time, got %d: %s", len(args), strings.Join(args, ", "))
}

func (o *options) request(name string) (request, error) {
	r := request{name: name, length: o.length, connect: o.cluster.Connect}
	if o.length <= 0 {
		return request{}, errors.New("--for must be positive, such as 10m")
	}
	if o.config == "" {
		return r, nil
	}
	file, err := config.Open(o.config)
	if err != nil {
		return request{}, fmt.Errorf("%s: %w", o.config, err)
	}
	r.admin = file.Admin()
	return r, nil
}

// run writes a line for each decision. It ends well when the time is over, or
// when someone has had enough.
func run(ctx context.Context, from source, r request, out io.Writer) error {
	timed, cancel := context.WithTimeout(ctx, r.length)
	defer cancel()
	lines := 0
	err := from(timed, r, func(c record.Call) error {
		line, err := record.Encode(c, r.admin)
		if err != nil {
			return err
		}
		if _, err := out.Write(line); err != nil {
			return fmt.Errorf("writing the recording: %w", err)
		}
		lines++
		return nil
	})
	if timed.Err() != nil && lines > 0 {
		return nil
	}
	if err == nil && lines == 0 {
		err = errors.New("nothing was seen: record for longer than one sync period")
	}
	return err
}
