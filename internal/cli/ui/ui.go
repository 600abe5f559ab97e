package ui

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/tidemark/tidemark/api/v1alpha1"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/cli/inputs"
	"github.com/tidemark/tidemark/internal/listing"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
	"github.com/tidemark/tidemark/internal/replay"
	"github.com/tidemark/tidemark/internal/ui/access"
	"github.com/tidemark/tidemark/internal/ui/changes"
	"github.com/tidemark/tidemark/internal/ui/feed"
	"github.com/tidemark/tidemark/internal/ui/live"
	"github.com/tidemark/tidemark/internal/ui/migrate"
	"github.com/tidemark/tidemark/internal/ui/past"
	"github.com/tidemark/tidemark/internal/ui/replayed"
	"github.com/tidemark/tidemark/internal/ui/server"
	"github.com/tidemark/tidemark/internal/ui/watched"
)

const long = `Show pages: the fleet, each workload over time, every decision with its reasons
and what would change it, what another object would have done, what was learned, and
how objects of other autoscalers are converted.

Without other flags it shows the WorkloadAutoscalers of the cluster that you may see:
those of all namespaces, or of yours where you may not list all. It asks with your own
rights, and changes nothing, unless --allow-changes lets the pages pause objects, change
their mode and apply specs, each confirmed. What is shown began when the program did,
and with --prometheus weeks before: it is asked for the controller's series.

With --demo the fleet is a small town of workloads that are made up, in virtual time
whose speed can be chosen. With --demand and --policy each policy is a workload of
the fleet, and all of them meet the same recorded demand, as by 'tidemark backtest'.
There an object can be edited and replayed as one types. --price-cpu and --price-memory
show in money what is wasted and saved, of a cluster too; the other flags that describe
pods and demand are for --demand.

The server listens on this machine alone, and gives data only for the token in the
address it prints: other users of the machine do not have it. The pages load nothing
from anywhere else.

With --shared it serves others, as a Deployment of the chart does: it sees with its
own rights, each browser brings a token of the cluster, and is shown the namespaces in
which that token may list WorkloadAutoscalers. That is always over TLS.`

const example = `  # The cluster of the current context.
  tidemark ui

  # See it without a cluster, within seconds.
  tidemark ui --demo

  # What the cluster wastes, and what the wanted sizes save, in money.
  tidemark ui --price-cpu 0.03 --price-memory 0.004

  # A recorded week under two policies.
  tidemark ui --demand week.csv --policy web.yaml --policy hpa:60`

// verb is the verb with its flags.
type verb struct {
	demo  bool
	names []string
	given inputs.Inputs
	site  site
	// changes lets callers change objects.
	changes bool
	// server is the Prometheus that knows weeks, and headers go with each question.
	server  prometheus.Server
	headers []string
	// cluster is where to look, and connect how; everywhere is set where nobody
	// names a namespace.
	cluster    flags.Cluster
	connect    func(*flags.Cluster) (flags.Connection, error)
	everywhere bool
}

// New returns the verb.
func New() *cobra.Command { return command((*flags.Cluster).Connect) }

// command is the verb, with the way to a cluster left open.
func command(connect func(*flags.Cluster) (flags.Connection, error)) *cobra.Command {
	v := verb{connect: connect}
	cmd := &cobra.Command{
		Use:     "ui [-n NAMESPACE | --demo | --demand FILE --policy POLICY...] [--prometheus URL] [--listen HOST:PORT] [--shared] [--allow-changes]",
		Short:   "Show the fleet, its workloads over time and every decision in a browser",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE:    v.run,
	}
	cmd.Flags().BoolVar(&v.demo, "demo", false, "show workloads that are made up, in virtual time")
	cmd.Flags().StringVar(&v.site.listen, "listen", "127.0.0.1:8089", "address of this machine to listen on; port 0 is any that is free")
	cmd.Flags().BoolVar(&v.site.shared, "shared", false, "serve others: each brings a token of the cluster, and sees what they may")
	cmd.Flags().StringVar(&v.site.cert, "tls-cert", "", "file with the certificate for --shared, read again when it changes; by default one that nobody signed")
	cmd.Flags().StringVar(&v.site.key, "tls-key", "", "file with the certificate's key")
	cmd.Flags().StringArrayVar(&v.site.hosts, "host", nil, "name by which others call the server, for --shared; may be repeated")
	cmd.Flags().BoolVar(&v.changes, "allow-changes", false, "let pages pause objects, change their mode and apply specs, each as the caller and confirmed")
	cmd.Flags().StringArrayVar(&v.names, "policy", nil, "policy to replay: a file, "+replay.Yardsticks+"; may be repeated")
	v.server.OwnChoice = true
	v.server.Names = prometheus.Names{Address: "--prometheus", TokenFile: "--token-file", CAFile: "--ca-file", Check: "check"}
	cmd.Flags().StringVar(&v.server.Address, "prometheus", "", "address of the Prometheus server that keeps the controller's series: with it weeks are shown")
	cmd.Flags().StringVar(&v.server.TokenFile, "token-file", "", "file with a bearer token for Prometheus, whose address must be https then")
	cmd.Flags().StringVar(&v.server.CAFile, "ca-file", "", "file with the certificates that the one of Prometheus must be signed by; the default are the system's")
	cmd.Flags().StringArrayVar(&v.headers, "header", nil, "header of every request to Prometheus, such as 'X-Scope-OrgID: shop'; may be repeated")
	inputs.CompletePolicies(cmd)
	v.given.Add(cmd)
	v.cluster.Add(cmd)
	return cmd
}

func (v *verb) run(cmd *cobra.Command, _ []string) error {
	v.everywhere = !cmd.Flags().Changed("namespace")
	if err := v.check(); err != nil {
		return err
	}
	if !v.given.Given() {
		if err := onlyReplays(cmd); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	o := server.Options{Log: slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), nil))}
	if err := v.show(ctx, cmd, &o); err != nil {
		return err
	}
	return v.site.serve(ctx, cmd.OutOrStdout(), o)
}

// check refuses flags that do not go together.
func (v *verb) check() error {
	switch {
	case v.demo && v.given.Given():
		return errors.New("--demo and --demand cannot be used together: both say what to show")
	case len(v.names) > 0 && !v.given.Given():
		return errors.New("--policy needs --demand: it is replayed over a recorded demand")
	case (v.demo || v.given.Given()) && (v.cluster.Chosen() || !v.everywhere):
		return errors.New("--demo and --demand need no cluster: leave --kubeconfig, --context and -n out")
	case (v.demo || v.given.Given()) && v.site.shared:
		return errors.New("--shared is for a cluster, whose tokens callers bring: leave --demo and --demand out")
	case (v.demo || v.given.Given()) && v.server.Address != "":
		return errors.New("--prometheus is for a cluster: a replay knows its own past")
	case (v.demo || v.given.Given()) && v.changes:
		return errors.New("--allow-changes is for a cluster: a replay has nothing to change")
	case v.given.Given() && len(v.names) == 0:
		return errors.New("--policy is required with --demand: a file, " + replay.Yardsticks)
	}
	return v.askable()
}

// thrift is how much garbage there may be, in percent of what is kept.
const thrift = 25

// questions is how many a Prometheus server has to answer at once.
const questions = 2

// askable refuses what no Prometheus server can be asked by, and where nobody can be
// served.
func (v *verb) askable() (err error) {
	if v.server.Address == "" && (v.server.TokenFile != "" || v.server.CAFile != "" || len(v.headers) > 0) {
		return errors.New("--token-file, --ca-file and --header are for --prometheus: give its address")
	}
	if v.server.Headers, err = flags.Headers(v.headers); err != nil {
		return err
	}
	return v.site.check()
}

// show is what the flags ask for.
func (v *verb) show(ctx context.Context, cmd *cobra.Command, o *server.Options) (err error) {
	switch {
	case v.demo:
		t, err := v.town(cmd)
		if err != nil {
			return err
		}
		go t.Live(ctx)
		o.Feed = t
		return nil
	case v.given.Given():
		o.Feed, err = v.replay(cmd)
		return err
	}
	c, err := v.connect(&v.cluster)
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		// Thousands of objects that change make much garbage beside the little that is
		// kept of them.
		debug.SetGCPercent(thrift)
	}
	if o.Feed, err = v.watch(ctx, cmd, c); err != nil {
		return err
	}
	return v.admit(c.Config, o)
}

// admit says who may see, and change, what is shown.
func (v *verb) admit(config *rest.Config, o *server.Options) (err error) {
	if v.site.shared {
		if o.Callers, err = access.New(config); err != nil {
			return err
		}
		o.Foreign = migrate.NewBrought(config)
	}
	switch {
	case !v.changes:
	case v.site.shared:
		o.Changer = changes.Brought(config)
	default:
		o.Changer, err = changes.Own(config)
	}
	return err
}

// replay shows a recorded demand.
func (v *verb) replay(cmd *cobra.Command) (feed.Feed, error) {
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

// watch shows a cluster.
func (v *verb) watch(ctx context.Context, cmd *cobra.Command, c flags.Connection) (feed.Feed, error) {
	namespace, title := c.Namespace, "namespace "+c.Namespace
	if v.everywhere {
		// Who may not list all of them may still list those of the own namespace.
		err := c.Client.List(ctx, &v1alpha1.WorkloadAutoscalerList{}, client.Limit(1))
		if apierrors.IsForbidden(err) {
			fmt.Fprintf(cmd.ErrOrStderr(), "You may not list the objects of all namespaces, so those of %s are shown; -n names another.\n", c.Namespace)
		} else {
			namespace, title = "", "all namespaces"
		}
	}
	if c.Config != nil {
		title += " of " + c.Config.Host
	}
	cpu, memory, err := v.given.HourlyPrices()
	if err != nil {
		return nil, err
	}
	f := watched.New(title)
	f.Prices = feed.Prices{CPU: inUnits(cpu), Memory: inUnits(memory)}
	if v.server.Address != "" {
		reader, err := prometheus.Open(v.server, questions)
		if err != nil {
			return nil, err
		}
		f.Past = past.New(reader)
	}
	go f.Follow(ctx, c.Client, namespace)
	if c.Config == nil {
		return f, nil
	}
	by, err := watched.NewLooker(c.Config)
	if err != nil {
		return nil, err
	}
	go f.Look(ctx, by)
	seen := cluster{f, live.New(f)}
	seen.PriceCPU, seen.PriceMemory = cpu, memory
	if v.site.shared {
		// Others would see what this program may, and not what they may.
		return seen, nil
	}
	seen.Stored = func(ctx context.Context, k feed.Key) ([]byte, error) {
		var h v1alpha1.WorkloadHistory
		err := c.Client.Get(ctx, client.ObjectKey{Namespace: k.Namespace, Name: k.Name}, &h)
		return h.History, client.IgnoreNotFound(err)
	}
	others, err := dynamic.NewForConfig(c.Config)
	if err != nil {
		return nil, fmt.Errorf("preparing the client: %w", err)
	}
	return struct {
		cluster
		*migrate.Desk
	}{seen, migrate.Cluster(listing.With(others), namespace)}, nil
}

// cluster is a cluster whose workloads can be replayed.
type cluster struct {
	*watched.Feed
	*live.Live
}
