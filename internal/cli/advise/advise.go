package advise

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/client-go/dynamic"

	"github.com/tidemark/tidemark/internal/advise"
	"github.com/tidemark/tidemark/internal/advise/inventory"
	"github.com/tidemark/tidemark/internal/cli/flags"
	"github.com/tidemark/tidemark/internal/listing"
	"github.com/tidemark/tidemark/internal/observe/prometheus"
)

const long = `Say what another autoscaler would do for the workloads of a cluster, and what it
would save.

Every Deployment and StatefulSet is looked at, whoever scales it now. Its last four
weeks are fetched from Prometheus: the cpu that its pods used, how many there were,
what they request, how long they took to start. On that past three policies are
replayed by pods as honest as those of 'tidemark simulate': what runs now, the
recommended policy, and the HPA with the best target in hindsight. Nothing is
installed and nothing is changed.

The answer is a table, what is worth doing first, and a sentence for each workload.
It says what speaks against it: data that is too short, pods that were at their
limit and hide what they needed, and how far the replay of what runs now is from
what the replicas really did.

Workloads are found by the series of kube-state-metrics, their usage by those of
cadvisor, as a usual Prometheus in a cluster has them. Of autoscalers it knows HPAs
alone, and not all about them: with --cluster, or with a --kubeconfig or --context,
the cluster is read, with every kind that 'tidemark convert' knows. Lint's findings
stand below the advice: all of them with a cluster, and without one those about HPAs
and what their pods request, as far as series tell them.

A server that knows several clusters needs a --label, such as cluster=prod, and one
with tenants a --header. One that is busy (429, 503) is left alone for as long as it
asks for.

With --write there is an object for each workload, in mode Recommend: it says what
it would do, and changes nothing. With --resume a survey that was ended goes on
where it was.`

const example = `  # What would it save?
  tidemark advise --prometheus http://localhost:9090

  # One namespace, in money, and quickly: one week, five targets of an HPA.
  tidemark advise --prometheus http://localhost:9090 -n shop --quick --price-cpu 0.03 --price-memory 0.004

  # With what the cluster knows, objects to apply, and pages to look at.
  tidemark advise --prometheus http://localhost:9090 --cluster --write objects --report fleet.html

  # Everything, for another program.
  tidemark advise --prometheus http://localhost:9090 -o json > advice.json`

// verb is the verb with its flags.
type verb struct {
	server    prometheus.Server
	asking    asking
	namespace string
	all       bool
	until     string
	weeks     int
	quick     bool
	prices    prices
	queries   int
	output    flags.Output
	cluster   flags.Cluster
	live      bool
	// resume, write and report are where files go.
	resume, write, report string
}

// render holds the forms of the answer, by the word that asks for them.
var render = map[string]func(io.Writer, []advise.Advice) error{
	"table": advise.WriteTable, "json": advise.WriteJSON, "csv": advise.WriteCSV, "yaml": advise.WriteYAML,
}

// The past that is looked at.
const (
	usualWeeks, mostWeeks = 4, 13
	week                  = 7 * 24 * time.Hour
)

// New returns the verb.
func New() *cobra.Command {
	var v verb
	cmd := &cobra.Command{
		Use:     "advise --prometheus URL [--cluster] [-n NAMESPACE] [--quick] [--write DIR] [--report FILE] [-o table|json|csv|yaml]",
		Short:   "Say what another autoscaler would do for your workloads",
		Long:    long,
		Example: example,
		Args:    cobra.NoArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return v.run(cmd) },
	}
	v.server.OwnChoice = true
	v.server.Names = prometheus.Names{Address: "--prometheus", TokenFile: "--token-file", CAFile: "--ca-file", Check: "check"}
	f := cmd.Flags()
	f.StringVar(&v.server.Address, "prometheus", "", "address of the Prometheus server")
	f.StringVar(&v.server.TokenFile, "token-file", "", "file with a bearer token for Prometheus, whose address must be https then")
	f.StringVar(&v.server.CAFile, "ca-file", "", "file with the certificates that the one of Prometheus must be signed by; the default are the system's")
	v.asking.add(cmd)
	f.StringVarP(&v.namespace, "namespace", "n", "", "namespace to look at; the default is all of them")
	f.BoolVarP(&v.all, "all-namespaces", "A", false, "look in all namespaces, which is the default")
	f.StringVar(&v.until, "until", "", "end of the past in RFC 3339; the default is now")
	f.IntVar(&v.weeks, "weeks", usualWeeks, "weeks of the past to look at")
	f.BoolVar(&v.quick, "quick", false, "look roughly: at one week and five targets of an HPA, the recommended policy deciding every 30s")
	f.IntVar(&v.queries, "queries", 2, "most queries that Prometheus has to answer at once")
	f.BoolVar(&v.live, "cluster", false, "find the workloads and who scales them in the cluster of the kubeconfig, and only their past in Prometheus")
	v.cluster.AddConfig(cmd)
	f.StringVar(&v.resume, "resume", "", "folder to keep what is found in: the same command goes on there when it was ended")
	f.StringVar(&v.write, "write", "", "folder to write an object for each workload to, in mode Recommend")
	f.StringVar(&v.report, "report", "", "file to write a page of HTML to, with one more for each workload in a folder beside it")
	v.prices.add(cmd)
	v.output.Add(cmd, "table", "json", "csv", "yaml")
	return cmd
}

// garbagePercent lets garbage come to four times what is kept: a judgment keeps
// little, and makes much for a moment.
const garbagePercent = 400

func (v *verb) run(cmd *cobra.Command) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	how, from, err := v.read(time.Now())
	if err != nil {
		return err
	}
	kept, err := open(v.resume, from, how, v.server.Address)
	if err != nil {
		return err
	}
	workloads, err := v.workloads(ctx, from)
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
	s := survey{from: from, how: how, kept: kept, pages: pages(v.report)}
	found, err := s.run(ctx, cmd.ErrOrStderr(), workloads)
	if err != nil {
		return err
	}
	advise.Sort(found)
	if err := errors.Join(v.writeObjects(cmd, found), s.pages.index(found)); err != nil {
		return err
	}
	return render[v.output.String()](cmd.OutOrStdout(), found)
}

// read makes sense of the flags.
func (v *verb) read(now time.Time) (advise.Options, *inventory.Prometheus, error) {
	var how advise.Options
	switch {
	case v.server.Address == "":
		return how, nil, errors.New("--prometheus is required: the address of the server that knows the past, such as http://localhost:9090")
	case v.all && v.namespace != "":
		return how, nil, errors.New("--namespace and --all-namespaces cannot be used together")
	case v.weeks < 1 || v.weeks > mostWeeks:
		return how, nil, fmt.Errorf("--weeks must be between 1 and %d, got %d", mostWeeks, v.weeks)
	case v.queries < 1:
		return how, nil, fmt.Errorf("--queries must be at least 1, got %d", v.queries)
	}
	until := now
	if v.until != "" {
		var err error
		if until, err = time.Parse(time.RFC3339, v.until); err != nil {
			return how, nil, fmt.Errorf("--until must be a time such as 2026-01-05T10:00:00Z, got %q", v.until)
		}
	}
	how.Course = v.report != ""
	how.Quick, how.Length = v.quick, time.Duration(v.weeks)*week
	if v.quick {
		how.Length = week
	}
	if err := v.prices.read(&how); err != nil {
		return how, nil, err
	}
	matchers, err := v.asking.matchers()
	if err != nil {
		return how, nil, err
	}
	if v.server.Headers, err = flags.Headers(v.asking.headers); err != nil {
		return how, nil, err
	}
	reader, err := prometheus.Open(v.server, v.queries)
	if err != nil {
		return how, nil, err
	}
	return how, &inventory.Prometheus{Reader: reader, Namespace: v.namespace, Matchers: matchers, Until: until.UTC(), Length: how.Length}, nil
}

// workloads finds what to look at.
func (v *verb) workloads(ctx context.Context, from *inventory.Prometheus) ([]advise.Workload, error) {
	if !v.live && !v.cluster.Chosen() {
		return from.Workloads(ctx)
	}
	config, _, err := v.cluster.Load()
	if err != nil {
		return nil, err
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("connecting to the cluster: %w", err)
	}
	return fromCluster(ctx, listing.With(client), v.namespace)
}

// fromCluster finds the workloads of a cluster.
func fromCluster(ctx context.Context, list listing.Lister, namespace string) ([]advise.Workload, error) {
	var found inventory.Cluster
	if err := listing.Each(ctx, list, namespace, found.Add); err != nil {
		return nil, err
	}
	out := found.Workloads()
	if len(out) == 0 {
		return nil, errors.New("the cluster has no Deployment or StatefulSet there: check --namespace")
	}
	return out, nil
}
